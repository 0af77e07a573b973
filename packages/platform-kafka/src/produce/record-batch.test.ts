import type { LogRecord } from '@levada/connect-runtime-core/platform';
import { createManualClock } from '@levada/connect-runtime-core/testing';
import fc from 'fast-check';
import Decoder from 'kafkajs/src/protocol/decoder.js';
import decodeBatch from 'kafkajs/src/protocol/recordBatch/v0/decoder.js';
import { describe, expect, it } from 'vitest';
import { codecs } from '../compression/codecs.ts';
import { BufferPool } from './buffer-pool.ts';
import { RecordBatch, recordRoom } from './record-batch.ts';
import { encodeHeaders } from './record-encoding.ts';

const clock = createManualClock();
const pool = new BufferPool({ size: 4096, keep: 4, clock });
const number = { producerId: 123_456_789_012n, epoch: 7, sequence: 42 };

function batchOf(records: readonly LogRecord[]): RecordBatch {
  const entries = records.map((record) => ({ record, headers: encodeHeaders(record.headers) }));
  const batch = new RecordBatch(
    pool,
    entries.reduce((sum, { record, headers }) => sum + recordRoom(record, headers), 0),
  );
  for (const { record, headers } of entries) batch.append(record, headers);
  return batch;
}

/**
 * The batch as kafkajs decodes it. Header names are unique here and differ from Object's members, because kafkajs makes an object
 * of them.
 */
async function decoded(batch: RecordBatch): Promise<readonly unknown[]> {
  const { records } = await decodeBatch(new Decoder(Buffer.from(batch.wire().subarray(8))));
  return records.map(({ key, value, timestamp, headers, offset }) => {
    return { key, value, timestamp: Number(timestamp), offset: Number(offset), headers: { ...headers } };
  });
}

function expected(records: readonly LogRecord[]): readonly unknown[] {
  return records.map(({ key, value, timestamp, headers }, offset) => {
    const pairs = headers.map((header) => [header.key, header.value && Buffer.from(header.value)]);
    const bytes = (part: Uint8Array | null): Buffer | null => part && Buffer.from(part);
    return { key: bytes(key), value: bytes(value), timestamp, offset, headers: Object.fromEntries(pairs) };
  });
}

const nullableBytes = fc.option(fc.uint8Array({ maxLength: 300 }));
const headerName = fc.stringMatching(/^[a-z]{1,80}$/).filter((name) => !(name in {}));
const anyRecord: fc.Arbitrary<LogRecord> = fc.record({
  topic: fc.constant('t'),
  partition: fc.constant(null),
  key: nullableBytes,
  value: nullableBytes,
  timestamp: fc.integer({ min: 0, max: 2 ** 45 }),
  headers: fc
    .uniqueArray(fc.record({ key: headerName, value: nullableBytes }), {
      selector: (header) => header.key,
      maxLength: 3,
    })
    .map((headers) => headers),
});
const anyRecords = fc.array(anyRecord, { minLength: 1, maxLength: 40 });
const anyCodec = fc.constantFrom(codecs.none, codecs.gzip);

describe('a record batch', () => {
  it('kafkajs decodes the batch unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(anyRecords, anyCodec, async (records, codec) => {
        const batch = batchOf(records);
        batch.seal(3, codec);
        batch.number(number);
        expect(await decoded(batch)).toEqual(expected(records));
        batch.release();
      }),
    );
  });

  it('any part of a batch can become a batch', async () => {
    const range = fc.tuple(fc.nat({ max: 40 }), fc.nat({ max: 40 }), fc.array(fc.nat({ max: 40 })));
    await fc.assert(
      fc.asyncProperty(anyRecords, anyCodec, range, async (records, codec, [one, other, out]) => {
        const [from = 0, to = 0] = [one, other].map((at) => at % (records.length + 1)).sort((a, b) => a - b);
        const leftOut = new Set(out);
        const batch = batchOf(records);
        batch.seal(3, codec);
        const part = batch.part(from, to, leftOut);
        const kept = records.filter((_, index) => index >= from && index < to && !leftOut.has(index));
        expect(part.count).toBe(kept.length);
        part.number(number);
        expect(kept.length === 0 ? [] : await decoded(part)).toEqual(expected(kept));
        part.release();
        batch.release();
      }),
    );
  });

  it('partition, size and number are at their places in a batch', () => {
    const batch = batchOf([
      { topic: 't', partition: null, key: null, value: Buffer.from('v'), timestamp: 5, headers: [] },
    ]);
    batch.seal(9, codecs.none);
    batch.number(number);
    const wire = batch.wire();
    expect([wire.readInt32BE(0), wire.readInt32BE(4)]).toEqual([9, wire.length - 8]);
    const head = wire.subarray(8);
    expect(head.readInt32BE(8)).toBe(head.length - 12);
    expect([head[16], head.readInt32BE(57)]).toEqual([2, 1]);
    expect([head.readBigInt64BE(43), head.readInt16BE(51), head.readInt32BE(53)]).toEqual([
      123_456_789_012n,
      7,
      42,
    ]);
  });

  it('a batch that compression does not shrink stays uncompressed', async () => {
    const records = [
      { topic: 't', partition: null, key: null, value: Buffer.from('v'), timestamp: 5, headers: [] },
    ];
    const [plain, packed] = [batchOf(records), batchOf(records)];
    plain.seal(0, codecs.none);
    packed.seal(0, codecs.gzip);
    for (const batch of [plain, packed]) batch.number(number);
    expect(packed.wire().equals(plain.wire())).toBe(true);
  });

  it('nothing is written outside of the requested room', () => {
    fc.assert(
      fc.property(anyRecord, (record) => {
        const headers = encodeHeaders(record.headers);
        const batch = new RecordBatch(
          new BufferPool({ size: 0, keep: 0, clock }),
          recordRoom(record, headers),
        );
        expect(batch.fits(recordRoom(record, headers))).toBe(true);
        batch.append(record, headers);
        batch.seal(0, codecs.none);
        expect(batch.wire().length).toBe(batch.bytes + 8);
      }),
    );
  });
});
