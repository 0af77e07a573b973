import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseProperties } from './properties-file.ts';

const entries = (text: string): Record<string, string> => Object.fromEntries(parseProperties(text));

describe('parseProperties', () => {
  it.each<[string, Record<string, string>]>([
    ['a=1\nb:2\nc 3\nd\t4', { a: '1', b: '2', c: '3', d: '4' }],
    ['  a  =  1  ', { a: '1  ' }],
    ['a = = b', { a: '= b' }],
    ['key', { key: '' }],
    ['# one\n  ! two\n\n \t\na=1', { a: '1' }],
    ['a=1\r\nb=2\rc=3', { a: '1', b: '2', c: '3' }],
    ['a=1,\\\n   2,\\\r\n\t3', { a: '1,2,3' }],
    ['a=1\\\\\nb=2', { a: '1\\', b: '2' }],
    ['a=1\\\n#2', { a: '1#2' }],
    ['a=1\\\n\nb=2', { a: '1', b: '2' }],
    ['\\\n# comment\na=1', { a: '1' }],
    ['a\\=b\\:c\\ d=1', { 'a=b:c d': '1' }],
    ['a=\\t\\n\\r\\f\\q\\\\', { a: '\t\n\r\fq\\' }],
    ['a=\\u0041\\u00e9\\uD83D\\uDE00', { a: 'Aé😀' }],
    ['a=1\na=2', { a: '2' }],
    ['a=1\\', { a: '1' }],
    ['__proto__=x', { ['__proto__']: 'x' }],
    ['', {}],
  ])('reads %j as Java does', (text, expected) => {
    expect(entries(text)).toStrictEqual(expected);
  });

  it('names the line of a malformed escape and none of its content', () => {
    expect(() => parseProperties('a=1\n\npassword=secret\\u12')).toThrowError(
      expect.objectContaining({ code: 'config_invalid', message: 'line 3: Malformed \\uxxxx encoding.' }),
    );
  });

  it('reads back every key and value that was written with escapes', () => {
    const escaped = (text: string): string =>
      [...Array(text.length).keys()]
        .map((i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`)
        .join('');
    const text = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(
        fc.dictionary(
          text.filter((key) => key !== ''),
          text,
          { noNullPrototype: true },
        ),
        (map) => {
          const file = Object.entries(map).map(([key, value]) => `${escaped(key)}=${escaped(value)}`);
          expect(parseProperties(file.join('\n'))).toEqual(new Map(Object.entries(map)));
        },
      ),
    );
  });

  it('reads every text that has no malformed escape', () => {
    const unit = fc.constantFrom('a', '=', ':', ' ', '\t', '\n', '\r', '\\', '#', 'u', '0');
    fc.assert(
      fc.property(fc.string({ unit }), (text) => {
        const malformed = /\\u(?![0-9A-Fa-f]{4})/.test(text);
        let refused = false;
        try {
          parseProperties(text);
        } catch {
          refused = true;
        }
        expect(refused && !malformed).toBe(false);
      }),
    );
  });
});
