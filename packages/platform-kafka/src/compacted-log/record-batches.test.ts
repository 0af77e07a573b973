import { gzipSync, zstdCompressSync } from 'node:zlib';
import { ConnectorError } from '@levada/connect-runtime-core';
import type { CompactedRecord } from '@levada/connect-runtime-core/platform';
import { describe, expect, it } from 'vitest';
import { crc32c, wordView } from '../wire/crc32c.ts';
import { readRecordBatches } from './record-batches.ts';

interface BatchChoice {
  readonly offset?: number;
  readonly records?: readonly { readonly at: number; readonly key?: string; readonly value?: string }[];
  readonly lastDelta?: number;
  readonly attributes?: number;
  readonly pack?: (bytes: Buffer) => Buffer;
  readonly magic?: number;
}

/** A batch as a broker stores it. All its numbers are small. */
function batch(choice: BatchChoice): Buffer {
  const { offset = 0, records = [], attributes = 0, pack = (bytes) => bytes, magic = 2 } = choice;
  const body = Buffer.concat(records.map(recordBytes));
  const packed = pack(body);
  const bytes = Buffer.allocUnsafeSlow(61 + packed.length).fill(0);
  bytes.writeBigInt64BE(BigInt(offset), 0);
  bytes.writeInt32BE(bytes.length - 12, 8);
  bytes.writeInt8(magic, 16);
  bytes.writeInt16BE(attributes, 21);
  bytes.writeInt32BE(choice.lastDelta ?? records.at(-1)?.at ?? 0, 23);
  bytes.writeBigInt64BE(1_700_000_000_000n, 27);
  bytes.writeBigInt64BE(1_700_000_000_009n, 35);
  bytes.writeInt32BE(records.length, 57);
  packed.copy(bytes, 61);
  bytes.writeUInt32BE(crc32c(wordView(bytes), 21, bytes.length), 17);
  return bytes;
}

function recordBytes({
  at,
  key,
  value,
}: {
  readonly at: number;
  readonly key?: string;
  readonly value?: string;
}): Buffer {
  const text = (content: string | undefined): Buffer =>
    content === undefined
      ? Buffer.from([1])
      : Buffer.concat([Buffer.from([content.length * 2]), Buffer.from(content)]);
  // attributes, time (3 ms later), offset, key, value, one header "h" without a value
  const header = Buffer.from([2, 2, 0x68, 1]);
  const rest = Buffer.concat([Buffer.from([0, 6, at * 2]), text(key), text(value), header]);
  return Buffer.concat([Buffer.from([rest.length * 2]), rest]);
}

function read(
  bytes: Buffer,
  from = 0,
): { readonly next: number; readonly records: readonly CompactedRecord[] } {
  const records: CompactedRecord[] = [];
  const next = readRecordBatches(bytes, {
    topic: 't',
    partition: 3,
    from,
    onRecord: (record) => records.push(record),
  });
  return { next, records };
}

const offsets = (bytes: Buffer, from?: number): readonly number[] =>
  read(bytes, from).records.map(({ offset }) => offset);

describe('reading record batches', () => {
  it('a record has key, value, offset and time, and null for missing parts', () => {
    const bytes = batch({ offset: 5, records: [{ at: 0, key: 'k', value: '' }, { at: 2 }] });
    expect(read(bytes)).toEqual({
      next: 8,
      records: [
        {
          partition: 3,
          offset: 5,
          key: Buffer.from('k'),
          value: Buffer.alloc(0),
          timestamp: 1_700_000_000_003,
        },
        { partition: 3, offset: 7, key: null, value: null, timestamp: 1_700_000_000_003 },
      ],
    });
  });

  it('a record has the time of the broker if the topic is configured so', () => {
    const [record] = read(batch({ records: [{ at: 0 }], attributes: 0x08 })).records;
    expect(record?.timestamp).toBe(1_700_000_000_009);
  });

  it('records before the requested offset are skipped', () => {
    const bytes = Buffer.concat([
      batch({ offset: 0, records: [{ at: 0 }, { at: 1 }] }),
      batch({ offset: 2, records: [{ at: 0 }, { at: 1 }, { at: 2 }] }),
    ]);
    expect(offsets(bytes, 3)).toEqual([3, 4]);
  });

  it('reading continues after a batch that the cleaner emptied', () => {
    expect(read(batch({ offset: 7, records: [], lastDelta: 4 }), 7)).toEqual({ next: 12, records: [] });
  });

  it('control records of transactions are skipped', () => {
    expect(read(batch({ offset: 7, records: [{ at: 0, key: 'x' }], attributes: 0x20 }), 7)).toEqual({
      next: 8,
      records: [],
    });
  });

  it('reading stops before a batch that is cut off', () => {
    const whole = batch({ offset: 0, records: [{ at: 0 }] });
    const second = batch({ offset: 1, records: [{ at: 0 }] });
    for (let length = 0; length < second.length; length += 1) {
      expect(read(Buffer.concat([whole, second.subarray(0, length)])).next).toBe(1);
    }
  });

  it.each([
    ['gzip', 1, (bytes: Buffer) => gzipSync(bytes)],
    ['zstd', 4, (bytes: Buffer) => zstdCompressSync(bytes)],
  ])('%s is decompressed', (_, attributes, pack) => {
    const bytes = batch({ records: [{ at: 0, value: 'v'.repeat(40) }, { at: 1 }], attributes, pack });
    expect(read(bytes).records[0]?.value?.toString()).toBe('v'.repeat(40));
    expect(offsets(bytes)).toEqual([0, 1]);
  });

  it('damage anywhere is refused before any record of the batch is delivered', () => {
    const bytes = batch({ records: [{ at: 0, key: 'k', value: 'value' }, { at: 1 }] });
    for (let at = 16; at < bytes.length; at += 1) {
      const damaged = Buffer.from(bytes);
      damaged.writeUInt8(damaged.readUInt8(at) ^ 0x40, at);
      const seen: CompactedRecord[] = [];
      const reading = (): number =>
        readRecordBatches(damaged, {
          topic: 't',
          partition: 0,
          from: 0,
          onRecord: (record) => seen.push(record),
        });
      expect(reading).toThrow(ConnectorError);
      expect(seen).toEqual([]);
    }
  });

  it.each([
    ['compressed bytes that are none', batch({ records: [{ at: 0 }], attributes: 1 }), 'log_corrupt'],
    ['snappy that is none', batch({ records: [{ at: 0, value: 'abc' }], attributes: 2 }), 'log_corrupt'],
    ['LZ4 that is none', batch({ records: [{ at: 0 }], attributes: 3 }), 'log_corrupt'],
    ['a compression of the future', batch({ records: [{ at: 0 }], attributes: 7 }), 'unsupported'],
    ['a format of the past', batch({ records: [{ at: 0 }], magic: 1 }), 'unsupported'],
    [
      'fewer records than announced',
      batch({ records: [{ at: 0 }], pack: () => Buffer.from([]) }),
      'log_corrupt',
    ],
  ])('%s is refused', (_, bytes, code) => {
    expect(() => read(bytes)).toThrow(expect.objectContaining({ code }));
  });
});
