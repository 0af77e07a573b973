import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeRecords } from './decode-records.ts';
import { type RecordContent, roomFor, StoredBatch } from './stored-batch.ts';

const content = fc.option(fc.uint8Array({ maxLength: 300 }), { nil: null });
const records: fc.Arbitrary<RecordContent[]> = fc.array(
  fc.record({
    key: content,
    value: content,
    timestamp: fc.maxSafeInteger(),
    headers: fc.array(fc.record({ key: fc.string({ unit: 'grapheme' }), value: content }), { maxLength: 3 }),
  }),
  { maxLength: 20 },
);

function encode(list: readonly RecordContent[]): Uint8Array {
  const room = list.reduce((sum, record) => sum + roomFor(record), 8);
  const batch = new StoredBatch(1, false, Buffer.alloc(room));
  for (const record of list) {
    expect(batch.fits(roomFor(record))).toBe(true);
    batch.append(record);
  }
  return batch.content();
}

function toPlain(list: readonly RecordContent[]): unknown {
  const array = (bytes: Uint8Array | null): number[] | null => (bytes === null ? null : [...bytes]);
  return list.map(({ key, value, timestamp, headers }) => ({
    key: array(key),
    value: array(value),
    timestamp,
    headers: headers.map((header) => ({ key: header.key, value: array(header.value) })),
  }));
}

describe('StoredBatch', () => {
  it('every record is restored, and null differs from empty', () => {
    fc.assert(
      fc.property(records, (list) => {
        // times that numbers cannot represent exactly are invalid
        const near = list.map((record) => ({ ...record, timestamp: Math.trunc(record.timestamp / 4) + 0 }));
        expect(toPlain(decodeRecords(encode(near), near.length))).toEqual(toPlain(near));
      }),
    );
  });

  it('a record never takes more bytes than roomFor returns', () => {
    fc.assert(
      fc.property(records, (list) => {
        const room = list.reduce((sum, record) => sum + roomFor(record), 8);
        expect(encode(list).length).toBeLessThanOrEqual(room);
      }),
    );
  });

  it('maxTimestamp is the latest time of the records', () => {
    const batch = new StoredBatch(1, false, Buffer.alloc(1000));
    for (const timestamp of [5, 9, 2]) batch.append({ key: null, value: null, timestamp, headers: [] });
    expect(batch.maxTimestamp).toBe(9);
  });
});

describe('decodeRecords', () => {
  it('truncated bytes and extra bytes are refused', () => {
    const whole = encode([
      { key: Buffer.from('key'), value: Buffer.from('value'), timestamp: 7, headers: [] },
    ]);
    for (let length = 0; length < whole.length; length += 1) {
      expect(() => decodeRecords(whole.subarray(0, length), 1)).toThrow(RangeError);
    }
    expect(() => decodeRecords(Buffer.concat([whole, Buffer.of(0)]), 1)).toThrow(
      'bytes left over after 1 records',
    );
  });
});
