import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesField, stringField, varintField } from './encode-fields.ts';

const numbers = fc.integer({ min: 1, max: 2 ** 20 });

describe('a field', () => {
  it('of a varint is read as it was written, up to the largest safe integer', () => {
    const values = fc.bigInt({ min: 1n, max: BigInt(Number.MAX_SAFE_INTEGER) }).map(Number);
    const property = fc.property(numbers, values, (number, value) => {
      const reader = new BinaryReader(varintField(number, value));
      expect(reader.tag()).toEqual([number, WireType.Varint]);
      expect(Number(reader.uint64())).toBe(value);
      expect(reader.pos).toBe(reader.len);
    });
    fc.assert(property);
  });

  it('of a string or of bytes is read as it was written', () => {
    const property = fc.property(numbers, fc.string({ unit: 'grapheme', maxLength: 300 }), (number, text) => {
      for (const field of [bytesField(number, text), bytesField(number, Buffer.from(text))]) {
        const reader = new BinaryReader(field);
        expect(reader.tag()).toEqual([number, WireType.LengthDelimited]);
        expect(reader.string()).toBe(text);
        expect(reader.pos).toBe(reader.len);
      }
    });
    fc.assert(property);
  });

  it('with its default value is left out, but for messages', () => {
    expect(varintField(1, 0).length).toBe(0);
    expect(stringField(1, '').length).toBe(0);
    expect(bytesField(1, '')).toEqual(Buffer.of(10, 0));
  });
});
