import { ConnectorError } from '@levada/connect-runtime-core';
import type { CompactedRecord } from '@levada/connect-runtime-core/platform';
import { decompress } from '../compression/decompress.ts';
import { ByteReader } from '../wire/byte-reader.ts';
import { crc32c, wordView } from '../wire/crc32c.ts';
import type { AbortedTransaction } from './fetch.ts';

/** Source of batches, and receiver of their records. */
export interface BatchSource {
  readonly topic: string;
  readonly partition: number;
  /** Earlier records are skipped, because batches are fetched whole. */
  readonly from: number;
  /** Aborted transactions, whose records are skipped. Default: none. */
  readonly aborted?: readonly AbortedTransaction[];
  readonly onRecord: (record: CompactedRecord) => void;
}

/** From the base offset to the number of records. */
const HEADER = 61;
/** Base offset and length. */
const PREFIX = 12;
/** The checksum covers everything from here, the attributes. */
const CHECKED_FROM = 21;
const CONTROL = 0x20;
const TRANSACTIONAL = 0x10;
/** Type of the control record that ends an aborted transaction. The key has it after a version of two bytes. */
const ABORT = 0;
const LOG_APPEND_TIME = 0x08;

/**
 * Passes on the records of batches (Kafka's message format 2) in order, without control records and aborted transactions. Returns
 * the offset after the last complete batch. Batches may be empty, and offsets may be missing. Throws `log_corrupt` or
 * `unsupported` before any record of the affected batch.
 */
export function readRecordBatches(bytes: Buffer, source: BatchSource): number {
  const aborting = new AbortedProducers(source.aborted ?? []);
  let next = source.from;
  let at = 0;
  while (bytes.length - at >= PREFIX) {
    const length = PREFIX + bytes.readInt32BE(at + 8);
    if (length < HEADER) throw corrupt(source, `a batch of ${length} bytes`);
    if (bytes.length - at < length) break;
    next = Math.max(next, readBatch(bytes.subarray(at, at + length), source, aborting));
    at += length;
  }
  return next;
}

/** Producers with an aborted transaction at the current position. */
class AbortedProducers {
  readonly #begins: AbortedTransaction[];
  readonly #inside = new Set<number>();

  constructor(aborted: readonly AbortedTransaction[]) {
    this.#begins = aborted.toSorted((one, other) => one.firstOffset - other.firstOffset);
  }

  /** Whether a transactional batch belongs to an aborted transaction. Call it in the order of the log. */
  has(producerId: number, lastOffset: number): boolean {
    while (this.#begins[0] !== undefined && this.#begins[0].firstOffset <= lastOffset)
      this.#inside.add((this.#begins.shift() as AbortedTransaction).producerId);
    return this.#inside.has(producerId);
  }

  end(producerId: number): void {
    this.#inside.delete(producerId);
  }
}

function readBatch(view: Buffer, source: BatchSource, aborting: AbortedProducers): number {
  const magic = view.readInt8(16);
  if (magic !== 2) {
    const what = `topic "${source.topic}" partition ${source.partition}`;
    throw new ConnectorError('unsupported', `${what} holds records in format ${magic}, of before Kafka 0.11`);
  }
  // Copied, because callers keep keys and values, which must not keep the whole response alive
  const batch = Buffer.allocUnsafeSlow(view.length);
  view.copy(batch);
  const reader = new ByteReader(batch);
  const baseOffset = reader.int64();
  reader.skip(9);
  if (reader.uint32() !== crc32c(wordView(batch), CHECKED_FROM, batch.length)) {
    throw corrupt(source, `a wrong checksum at offset ${baseOffset}`);
  }
  const attributes = reader.int16();
  const next = baseOffset + reader.int32() + 1;
  const firstTime = reader.int64();
  const lastTime = reader.int64();
  const producerId = reader.int64();
  reader.skip(6);
  const count = reader.int32();
  const isAborted = (attributes & TRANSACTIONAL) !== 0 && aborting.has(producerId, next - 1);
  if ((attributes & CONTROL) !== 0) {
    if (isAborted && controlType(batch) === ABORT) aborting.end(producerId);
    return next;
  }
  if (next <= source.from || isAborted) return next;
  const fixedTime = (attributes & LOG_APPEND_TIME) === 0 ? undefined : lastTime;
  for (const record of readRecords({ batch, attributes, count, baseOffset, firstTime, fixedTime, source })) {
    if (record.offset >= source.from) source.onRecord(record);
  }
  return next;
}

/** The type of a control batch, from the key of its only record. */
function controlType(batch: Buffer): number | undefined {
  if (batch.length === HEADER) return undefined;
  const reader = new ByteReader(batch.subarray(HEADER));
  reader.varint();
  reader.skip(1);
  reader.varint();
  reader.varint();
  return reader.bytes(reader.varint())?.readInt16BE(2);
}

interface BatchParts {
  readonly batch: Buffer;
  readonly attributes: number;
  readonly count: number;
  readonly baseOffset: number;
  readonly firstTime: number;
  readonly fixedTime: number | undefined;
  readonly source: BatchSource;
}

/** Reads all records before passing any on, so that a damaged batch gives none. */
function readRecords(parts: BatchParts): readonly CompactedRecord[] {
  const { batch, attributes, count, source } = parts;
  const payload = decompress(batch.subarray(HEADER), attributes & 7, source);
  const reader = new ByteReader(payload);
  const records: CompactedRecord[] = [];
  try {
    for (let i = 0; i < count; i += 1) records.push(readRecord(reader, parts));
  } catch (error) {
    if (error instanceof RangeError) throw corrupt(source, `a record that ends too early (${error.message})`);
    throw error;
  }
  return records;
}

function readRecord(reader: ByteReader, parts: BatchParts): CompactedRecord {
  const length = reader.varint();
  const before = reader.left;
  reader.skip(1);
  const timestamp = parts.firstTime + reader.varint();
  const offset = parts.baseOffset + reader.varint();
  const key = reader.bytes(reader.varint());
  const value = reader.bytes(reader.varint());
  reader.skip(length - (before - reader.left)); // headers
  return { partition: parts.source.partition, offset, key, value, timestamp: parts.fixedTime ?? timestamp };
}

function corrupt({ topic, partition }: BatchSource, found: string): ConnectorError {
  return new ConnectorError('log_corrupt', `topic "${topic}" partition ${partition} holds ${found}`);
}
