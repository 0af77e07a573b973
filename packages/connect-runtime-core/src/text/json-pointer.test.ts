import { describe, expect, it } from 'vitest';
import { isJsonPointer, pointerValue } from './json-pointer.ts';

// The document and its pointers of RFC 6901, section 5.
const document = {
  foo: ['bar', 'baz'],
  '': 0,
  'a/b': 1,
  'c%d': 2,
  'e^f': 3,
  'g|h': 4,
  'i\\j': 5,
  'k"l': 6,
  ' ': 7,
  'm~n': 8,
};

describe('a JSON pointer', () => {
  it.each<[string, unknown]>([
    ['', document],
    ['/foo', ['bar', 'baz']],
    ['/foo/0', 'bar'],
    ['/', 0],
    ['/a~1b', 1],
    ['/c%d', 2],
    ['/e^f', 3],
    ['/g|h', 4],
    ['/i\\j', 5],
    ['/k"l', 6],
    ['/ ', 7],
    ['/m~0n', 8],
  ])('%j leads where the RFC says', (pointer, value) => {
    expect(pointerValue(pointer)(document)).toEqual(value);
  });

  it.each([
    '/missing',
    '/foo/2',
    '/foo/00',
    '/foo/-',
    '/foo/length',
    '/foo/0/0',
    '/toString',
    '/__proto__',
    '/m~n',
  ])('%s leads nowhere', (pointer) => {
    expect(pointerValue(pointer)(document)).toBeUndefined();
  });

  it('finds null, and an own key with the name of something inherited', () => {
    expect(pointerValue('/a/0')({ a: [null] })).toBeNull();
    expect(pointerValue('/__proto__/x')(JSON.parse('{"__proto__":{"x":1}}'))).toBe(1);
  });

  it('unescapes ~01 to ~1', () => {
    expect(pointerValue('/~01')({ '~1': 'yes' })).toBe('yes');
  });

  it.each([
    ['', true],
    ['/', true],
    ['/a//b', true],
    ['/ä\n', true],
    ['a', false],
    ['/~', false],
    ['/~2', false],
    ['#/a', false],
  ])('%j: %s', (text, expected) => {
    expect(isJsonPointer(text)).toBe(expected);
  });

  it('rejects a very long JSON pointer with an invalid end', () => {
    expect(isJsonPointer(`${'/a'.repeat(100_000)}~`)).toBe(false);
  });
});
