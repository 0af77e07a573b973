import { describe, expect, it } from 'vitest';
import { jsonPointer } from './json-pointer.ts';

/** The pointer to the marked place of the text. */
function pointerTo(marked: string): string {
  const at = Buffer.from(marked).indexOf('@');
  return jsonPointer(Buffer.from(marked.replace('@', '')), at);
}

describe('jsonPointer', () => {
  it.each([
    ['@', ''],
    ['{@', ''],
    ['{"a":@', '/a'],
    ['{"a":1,@', ''],
    ['{"a":1,"b":@', '/b'],
    ['{"a":"b","c":"d@', '/c'],
    ['{"a":"b","c@', ''],
    ['{"a":[@', '/a/0'],
    ['{"a":[[],{},"]",@', '/a/3'],
    ['{"a":[{"b":1},{"c":{"d":@', '/a/1/c/d'],
    ['{"a":{"b":1}@', '/a'],
    ['{"a\\"{[,":@', '/a\\"{[,'],
    ['{"a\\\\":@', '/a\\\\'],
    ['{"a/b~c":@', '/a~1b~0c'],
    ['{"gr\u00fcn":@', '/gr\u00fcn'],
    ['{"":[@', '//0'],
  ])('the marked position in %s has the JSON pointer %j', (marked, pointer) => {
    expect(pointerTo(marked)).toBe(pointer);
  });

  it('long keys and long pointers are cut off', () => {
    expect(pointerTo(`{"${'k'.repeat(81)}":@`)).toBe(`/${'k'.repeat(80)}…`);
    expect(pointerTo(`${'{"key":'.repeat(200)}@`)).toBe(`${'/key'.repeat(100)}…`);
  });
});
