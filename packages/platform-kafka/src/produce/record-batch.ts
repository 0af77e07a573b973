import type { LogRecord } from '@levada/connect-runtime-core/platform';
import { type Codec, codecs } from '../compression/codecs.ts';
import { ByteReader } from '../wire/byte-reader.ts';
import { crc32c, type WordView, wordView } from '../wire/crc32c.ts';
import type { BufferPool } from './buffer-pool.ts';
import { lengthWidth, varintWidth, writeLength, writeVarint, zigzag } from './record-encoding.ts';

/** Chosen so that the checksummed part starts on a word boundary. */
const START = 3;
/** After partition (4) and size (4), which precede each batch in a Produce request. */
const HEAD = START + 8;
const CRC_FROM = HEAD + 21;
const RECORDS = HEAD + 61;
/** Attribute of a transactional batch. */
const TRANSACTIONAL = 0x10;
/** Maximum size of length, attributes, timestamp and offset deltas, and lengths of key and value. */
const RECORD_OVERHEAD = 40;
/** A length of -1. */
const NO_BYTES = 1;
const TWO_POW_32 = 4_294_967_296;

/** Size of a batch without its records. */
export const BATCH_OVERHEAD = 61;

/** Maximum size of a record in a batch. */
export function recordRoom(record: LogRecord, headers: Uint8Array): number {
  return (record.key?.length ?? 0) + (record.value?.length ?? 0) + headers.length + RECORD_OVERHEAD;
}

/** Identifies a batch, so that brokers detect repetitions: producer id, epoch, sequence number of its first record. */
export interface BatchNumber {
  readonly producerId: bigint;
  readonly epoch: number;
  readonly sequence: number;
}

/**
 * One RecordBatch (Kafka's record format 2) in a pooled buffer, with the eight bytes that precede it in a Produce request, so
 * that it is sent without copying. Call {@link append} any number of times, {@link seal} once, {@link number} before the first
 * send and whenever the number changes, and {@link release} when it is settled.
 */
export class RecordBatch {
  readonly #pool: BufferPool;
  #view: WordView;
  #buffer: Buffer;
  #end = RECORDS;
  #codec: Codec = codecs.none;
  #partition = 0;
  #transactional = false;
  #baseTime = 0;
  #maxTime = 0;
  #count = 0;

  /** An empty batch with room for at least this number of bytes of records. */
  constructor(pool: BufferPool, room: number) {
    this.#pool = pool;
    this.#buffer = pool.take(RECORDS + room);
    this.#view = wordView(this.#buffer);
  }

  get count(): number {
    return this.#count;
  }

  /** Size in bytes as Kafka counts it. */
  get bytes(): number {
    return this.#end - HEAD;
  }

  /** Whether a record with this {@link recordRoom} can be appended. */
  fits(room: number): boolean {
    return this.#buffer.length - this.#end >= room;
  }

  /** Appends a copy of a record, which must fit (see {@link fits}). */
  append(record: LogRecord, headers: Uint8Array): void {
    const { key, value } = record;
    const buffer = this.#buffer;
    const index = this.#count;
    const time = zigzag(this.#stamp(Math.floor(record.timestamp)));
    const size =
      1 + timeWidth(time) + lengthWidth(index) + fieldWidth(key) + fieldWidth(value) + headers.length;
    let at = writeLength(buffer, this.#end, size);
    buffer[at++] = 0;
    at = writeTime(buffer, at, time);
    at = writeLength(buffer, at, index);
    at = writeField(buffer, at, key);
    at = writeField(buffer, at, value);
    this.#end = putBytes(buffer, at, headers);
  }

  /** Compresses the records and writes the header, except for {@link number}. */
  seal(partition: number, codec: Codec, transactional = false): void {
    this.#partition = partition;
    this.#transactional = transactional;
    if (codec.id !== codecs.none.id) this.#compress(codec);
    const buffer = this.#buffer;
    buffer.writeInt32BE(partition, START);
    buffer.writeInt32BE(this.bytes, START + 4);
    buffer.fill(0, HEAD, HEAD + 8);
    buffer.writeInt32BE(this.bytes - 12, HEAD + 8);
    buffer.writeInt32BE(-1, HEAD + 12);
    buffer[HEAD + 16] = 2;
    buffer.writeInt16BE(this.#codec.id | (transactional ? TRANSACTIONAL : 0), CRC_FROM);
    buffer.writeInt32BE(this.#count - 1, HEAD + 23);
    writeLong(buffer, HEAD + 27, this.#baseTime);
    writeLong(buffer, HEAD + 35, this.#maxTime);
    buffer.writeInt32BE(this.#count, HEAD + 57);
  }

  /** Writes the number, and the checksum, which covers it. */
  number({ producerId, epoch, sequence }: BatchNumber): void {
    const buffer = this.#buffer;
    buffer.writeBigInt64BE(producerId, HEAD + 43);
    buffer.writeInt16BE(epoch, HEAD + 51);
    buffer.writeInt32BE(sequence, HEAD + 53);
    buffer.writeUInt32BE(crc32c(this.#view, CRC_FROM, this.#end), HEAD + 17);
  }

  /** Partition, size and batch as in a Produce request: a view, valid until {@link release}. */
  wire(): Buffer {
    return this.#buffer.subarray(START, this.#end);
  }

  /** A sealed batch with copies of the records from one index to another (exclusive), without those that are left out. */
  part(from: number, to: number, leftOut: ReadonlySet<number> = noIndexes): RecordBatch {
    const raw = this.#codec.unpack(this.#buffer.subarray(RECORDS, this.#end));
    const made = new RecordBatch(this.#pool, raw.length + 10 * (to - from));
    const reader = new ByteReader(raw);
    for (let index = 0; index < to; index++) {
      const size = reader.varint();
      const before = reader.left;
      reader.skip(1);
      const time = this.#baseTime + reader.varint();
      reader.varint();
      const rest = reader.bytes(size - (before - reader.left));
      if (rest !== null && index >= from && !leftOut.has(index)) made.#appendRest(time, rest);
    }
    made.seal(this.#partition, this.#codec, this.#transactional);
    return made;
  }

  /** Returns the buffer. No other method may be called afterwards. */
  release(): void {
    this.#pool.give(this.#buffer);
    this.#buffer = released;
    this.#view = wordView(released);
    this.#end = 0;
  }

  /** Key, value and headers are bytes already. */
  #appendRest(time: number, rest: Uint8Array): void {
    const buffer = this.#buffer;
    const index = this.#count;
    const delta = zigzag(this.#stamp(time));
    const size = 1 + timeWidth(delta) + lengthWidth(index) + rest.length;
    let at = writeLength(buffer, this.#end, size);
    buffer[at++] = 0;
    at = writeTime(buffer, at, delta);
    at = writeLength(buffer, at, index);
    this.#end = putBytes(buffer, at, rest);
  }

  #compress(codec: Codec): void {
    const packed = codec.pack(this.#buffer.subarray(RECORDS, this.#end));
    // A batch that compression does not shrink stays uncompressed
    if (packed.length >= this.#end - RECORDS) return;
    this.#buffer.set(packed, RECORDS);
    this.#end = RECORDS + packed.length;
    this.#codec = codec;
  }

  /** Counts a record. Returns its time relative to the first record. */
  #stamp(time: number): number {
    if (this.#count === 0) {
      this.#baseTime = time;
      this.#maxTime = time;
    } else if (time > this.#maxTime) this.#maxTime = time;
    this.#count += 1;
    return time - this.#baseTime;
  }
}

const noIndexes: ReadonlySet<number> = new Set();
const released = Buffer.allocUnsafeSlow(0);

function fieldWidth(bytes: Uint8Array | null): number {
  return bytes === null ? 1 : lengthWidth(bytes.length) + bytes.length;
}

/** Most records of a batch are within 64 ms. */
function timeWidth(delta: number): number {
  return delta < 128 ? 1 : varintWidth(delta);
}

function writeTime(buffer: Buffer, at: number, delta: number): number {
  if (delta >= 128) return writeVarint(buffer, at, delta);
  buffer[at] = delta;
  return at + 1;
}

/** Writes a key or value after its length. */
function writeField(buffer: Buffer, at: number, bytes: Uint8Array | null): number {
  if (bytes !== null) return putBytes(buffer, writeLength(buffer, at, bytes.length), bytes);
  buffer[at] = NO_BYTES;
  return at + 1;
}

/** Copies short values byte by byte, which is faster than a call of `set`. */
function putBytes(buffer: Buffer, at: number, bytes: Uint8Array): number {
  const { length } = bytes;
  if (length >= 64) buffer.set(bytes, at);
  else for (let i = 0; i < length; i++) buffer[at + i] = bytes[i] as number;
  return at + length;
}

function writeLong(buffer: Buffer, at: number, value: number): void {
  buffer.writeInt32BE(Math.floor(value / TWO_POW_32), at);
  buffer.writeUInt32BE(value - Math.floor(value / TWO_POW_32) * TWO_POW_32, at + 4);
}
