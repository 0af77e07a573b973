import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonNode } from './parse-json.ts';
import { readJson, readObject } from './read-json.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function plain(node: JsonNode): unknown {
  switch (node.kind) {
    case 'object':
      return Object.fromEntries([...node.entries].map(([key, value]) => [key, plain(value)]));
    case 'array':
      return node.items.map(plain);
    case 'number':
      return Number(node.text);
    case 'null':
      return null;
    case 'string':
    case 'boolean':
      return node.value;
    default:
      return node satisfies never;
  }
}

describe('readJson', () => {
  it('reads whatever JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const text = JSON.stringify(value);
        expect(plain(readJson(bytes(text)))).toEqual(JSON.parse(text));
      }),
      { numRuns: 300 },
    );
  });

  it('takes the last of duplicate keys, in the place of the first, and ignores a byte order mark', () => {
    const text = '\uFEFF{"a":1,"b":2,"a":{"c":3,"c":4}}';
    expect(plain(readJson(bytes(text)))).toEqual({ a: { c: 4 }, b: 2 });
    expect([...readObject(bytes(text)).keys()]).toEqual(['a', 'b']);
  });

  it('accepts text exactly when JSON.parse does', () => {
    const token = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"b"',
      '1',
      '-',
      '0.5',
      '1e5',
      '01',
      'true',
      'nul',
      ' ',
    );
    fc.assert(
      fc.property(fc.array(token, { minLength: 1, maxLength: 9 }), (tokens) => {
        const text = tokens.join('');
        let problem = '';
        try {
          readJson(bytes(text));
        } catch (error) {
          problem = (error as Error).message;
        }
        let valid = true;
        try {
          JSON.parse(text);
        } catch {
          valid = false;
        }
        expect(problem === '').toBe(valid);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ['', 'request body must be a JSON object'],
    ['  \n', 'request body must be a JSON object'],
    ['{"a":1', 'unexpected end of the body at line 1 column 7'],
    ['{"a":1,}', "unexpected character ('}' (code 125)) at line 1 column 8"],
    ['{\n  // comment\n}', "unexpected character ('/' (code 47)) at line 2 column 3"],
    ["{'a':1}", "unexpected character (''' (code 39)) at line 1 column 2"],
    ['{"a":NaN}', "unexpected character ('N' (code 78)) at line 1 column 6"],
    ['"\\ud800"', 'half of a surrogate pair'],
    ['{} {}', "unexpected character ('{' (code 123)) at line 1 column 4"],
    ['"tab\there"', 'unexpected character'],
  ])('refuses %j: %s', (text, message) => {
    expect(() => readJson(bytes(text))).toThrow(message);
  });

  it('refuses bytes that are not UTF-8', () => {
    expect(() => readJson(new Uint8Array([0x22, 0xc3, 0x28, 0x22]))).toThrow(
      'not valid UTF-8 at line 1 column 2',
    );
  });

  it('refuses UTF-16', () => {
    expect(() => readJson(new Uint8Array(Buffer.from('\uFEFF{}', 'utf16le')))).toThrow('not valid UTF-8');
  });

  it('refuses nesting deeper than 64 without recursing into it', () => {
    expect(() => readJson(bytes('['.repeat(500_000)))).toThrow('nesting is deeper than 64 levels');
  });

  it('refuses more than 5000 keys', () => {
    const keys = Array.from({ length: 5001 }, (_, i) => `"k${i}":1`);
    expect(() => readJson(bytes(`{${keys.join(',')}}`))).toThrow('more than 5000 keys in one object');
  });

  it('keeps prototype names as plain keys', () => {
    const node = readJson(bytes('{"__proto__":{"x":1},"constructor":2}'));
    expect(node.kind === 'object' && [...node.entries.keys()]).toEqual(['__proto__', 'constructor']);
    expect(({} as { x?: unknown }).x).toBeUndefined();
  });

  it('reads a string of a megabyte, escapes included', () => {
    const long = `${'x'.repeat(500_000)}${'\\n'.repeat(200_000)}`;
    const node = readJson(bytes(`"${long}"`));
    expect(node.kind === 'string' && node.value.length).toBe(700_000);
  });
});
