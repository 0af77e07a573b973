import { describe, expect, it } from 'vitest';
import { isPattern, keyList, matchesName, type ObjectName, parseObjectName } from './object-name.ts';

function name(text: string): ObjectName {
  const parsed = parseObjectName(text);
  if (parsed === undefined) throw new Error(`"${text}" is no name`);
  return parsed;
}

describe('object names', () => {
  it('keep quoted values, whatever they hold', () => {
    const { domain, keys } = name('a.b:type=T,name="x,y=\\"z\\"",task=0');
    expect(domain).toBe('a.b');
    expect([...keys]).toEqual([
      ['type', 'T'],
      ['name', '"x,y=\\"z\\""'],
      ['task', '0'],
    ]);
  });

  it('list their keys as written, or in alphabetical order', () => {
    const given = name('d:type=T,connector=c');
    expect(keyList(given, false)).toBe('type=T,connector=c');
    expect(keyList(given, true)).toBe('connector=c,type=T');
  });

  it.each(['', 'd', 'd:', 'd:type', 'd:type=a"b', 'd:=x', 'd:type="open'])('are not the text %j', (text) => {
    expect(parseObjectName(text)).toBeUndefined();
  });

  it.each<[string, string, boolean]>([
    ['d:type=T', 'd:type=T', true],
    ['d:type=T', 'd:type=T,task=0', false],
    ['d:type=T,*', 'd:task=0,type=T', true],
    ['d:*', 'd:type=T', true],
    ['*:type=T', 'any:type=T', true],
    ['d:type=T,connector=*,task=*', 'd:type=T,connector=a,task=0', true],
    ['d:type=source-*,*', 'd:type=sink-task,task=0', false],
    ['d:name="a?c"', 'd:name="abc"', true],
    ['d:name="a\\?c"', 'd:name="abc"', false],
    ['k*.connect:*', 'kafka.connect:type=T', true],
  ])('fit the pattern %s when they are like %s: %j', (pattern, other, fits) => {
    expect(matchesName(name(pattern), name(other))).toBe(fits);
  });

  it('are patterns with a wildcard anywhere', () => {
    expect(['d:type=T', 'd:type="a\\*"'].map((text) => isPattern(name(text)))).toEqual([false, false]);
    expect(['d:type=T,*', 'd*:type=T', 'd:type=T?'].map((text) => isPattern(name(text)))).toEqual([
      true,
      true,
      true,
    ]);
  });

  it('are compared in time that does not grow with the number of wildcards', () => {
    const pattern = name(`d:type=${'*a'.repeat(2000)}b`);
    expect(matchesName(pattern, name(`d:type=${'a'.repeat(4000)}`))).toBe(false);
  });
});
