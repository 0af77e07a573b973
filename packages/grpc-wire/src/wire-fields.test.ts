import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesOf, encodeFields, fieldsOf, textOf } from './wire-fields.ts';

const numbers = fc.integer({ min: 1, max: 2 ** 20 });

describe('encodeFields', () => {
  it('varints up to the largest safe integer are read back unchanged', () => {
    const values = fc.bigInt({ min: 1n, max: BigInt(Number.MAX_SAFE_INTEGER) }).map(Number);
    const property = fc.property(numbers, values, (number, value) => {
      const reader = new BinaryReader(encodeFields([[number, value]]));
      expect(reader.tag()).toEqual([number, WireType.Varint]);
      expect(Number(reader.uint64())).toBe(value);
      expect(reader.pos).toBe(reader.len);
    });
    fc.assert(property);
  });

  it('texts and bytes are read back unchanged', () => {
    const property = fc.property(numbers, fc.string({ unit: 'grapheme', minLength: 1 }), (number, text) => {
      for (const value of [text, Buffer.from(text)]) {
        const message = encodeFields([[number, value]]);
        expect(textOf(message, number)).toBe(text);
        expect(Array.from(fieldsOf(message), ([found]) => found)).toEqual([number]);
      }
    });
    fc.assert(property);
  });

  it('numbers and texts with their default value are left out, and empty messages are written', () => {
    const fields = [
      [1, 0],
      [2, ''],
      [3, new Uint8Array()],
    ] as const;
    expect([...encodeFields(fields)]).toEqual([26, 0]);
  });
});

describe('bytesOf', () => {
  it('more than 10,000 values of one field are refused', () => {
    const message = encodeFields(Array.from({ length: 10_001 }, () => [1, new Uint8Array()] as const));
    expect(() => bytesOf(message, 1)).toThrow('a field has more than 10000 values');
    expect(bytesOf(message, 2)).toEqual([]);
  });
});
