import { isUtf8 } from 'node:buffer';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { escapedSize, putString } from './strings.ts';

const out = Buffer.alloc(4096);
const view = new DataView(out.buffer, out.byteOffset, out.length);

/** The JSON of a value surrounded by other bytes; undefined if the value is not UTF-8. */
function json(bytes: Uint8Array): string | undefined {
  const src = Buffer.concat([Buffer.from('\u0000"'), bytes, Buffer.from('"\\\u0001\xff', 'latin1')]);
  const from = new DataView(src.buffer, src.byteOffset, src.length);
  const end = putString(src, from, out, view, 2, bytes.length, 1);
  return end === -1 ? undefined : out.toString('utf8', 1, end);
}

test('every ASCII character is escaped as JSON.stringify does', () => {
  for (let code = 0; code < 128; code += 1) {
    for (const text of [String.fromCharCode(code), `abc${String.fromCharCode(code)}defgh`]) {
      expect(json(Buffer.from(text))).toBe(JSON.stringify(text));
    }
  }
});

test('any text is written as JSON.stringify does, and its length is known in advance', () => {
  const unit = fc.oneof(
    fc.constantFrom('"', '\\', '\n', '\u0000', '\u007f', '\u2028', '\u2029', '\ufeff', 'é', '字', '😀'),
    fc.string({ unit: 'binary-ascii', maxLength: 9 }),
    fc.string({ unit: 'binary', maxLength: 3 }),
  );
  const property = fc.property(
    fc.array(unit, { maxLength: 12 }).map((units) => units.join('')),
    (text) => {
      const bytes = Buffer.from(text);
      expect(json(bytes)).toBe(JSON.stringify(text));
      expect(escapedSize(bytes, 0, bytes.length)).toBe(Buffer.byteLength(JSON.stringify(text)) - 2);
    },
  );
  fc.assert(property, { numRuns: 3000 });
});

test.each([
  ['a lone continuation byte', [0x80]],
  ['an overlong character of two bytes', [0xc1, 0xbf]],
  ['an overlong character of three bytes', [0xe0, 0x9f, 0xbf]],
  ['an overlong character of four bytes', [0xf0, 0x8f, 0xbf, 0xbf]],
  ['a surrogate', [0xed, 0xa0, 0x80]],
  ['a character above U+10FFFF', [0xf4, 0x90, 0x80, 0x80]],
  ['a leading byte that does not exist', [0xf5, 0x80, 0x80, 0x80]],
  ['0xff', [0xff]],
  ['a character cut by the end of the value', [0x61, 0xe2, 0x82]],
  ['a third byte that does not continue', [0xe2, 0x82, 0x28]],
  ['a fourth byte that does not continue', [0xf0, 0x9f, 0x98, 0x28]],
])('%s is refused', (_, bytes) => {
  expect(json(Uint8Array.from(bytes))).toBeUndefined();
});

test('all bytes that are not UTF-8 are refused, and no others', () => {
  const edge = fc.constantFrom(
    0x00,
    0x41,
    0x7f,
    0x80,
    0x8f,
    0x90,
    0x9f,
    0xa0,
    0xbf,
    0xc0,
    0xc2,
    0xdf,
    0xe0,
    0xe1,
    0xed,
    0xef,
    0xf0,
    0xf1,
    0xf4,
    0xf5,
    0xff,
  );
  const property = fc.property(fc.array(edge, { maxLength: 8 }), (list) => {
    const bytes = Buffer.from(list);
    expect(json(bytes)).toBe(isUtf8(bytes) ? JSON.stringify(bytes.toString()) : undefined);
  });
  fc.assert(property, { numRuns: 5000 });
});
