import type { LogRecord } from '@levada/connect-runtime-core/platform';

/** Size of the head: the base time of the batch, as a 64-bit float. */
const HEAD = 8;
/** More than the lengths, counts and time of one record or header ever take. */
const MARGIN = 32;

export type RecordContent = Pick<LogRecord, 'key' | 'value' | 'timestamp' | 'headers'>;

/** Maximum size of a record in a batch. */
export function roomFor(record: RecordContent): number {
  let room = MARGIN + (record.key?.length ?? 0) + (record.value?.length ?? 0);
  for (const header of record.headers) room += MARGIN + header.key.length * 3 + (header.value?.length ?? 0);
  return room;
}

/**
 * Records of one log in the buffer of the caller. A record is encoded as: time minus the batch's time (zigzag), key length + 1 (0
 * for null), key, value length + 1 (0 for null), value, number of headers, and for each the length of its name, name, value
 * length + 1, value. Numbers are varints, seven bits per byte, least significant first.
 */
export class StoredBatch {
  readonly log: number;
  readonly compacted: boolean;
  #bytes: Buffer;
  #end = HEAD;
  #count = 0;
  #baseTimestamp = 0;
  #maxTimestamp = 0;

  constructor(log: number, compacted: boolean, bytes: Buffer) {
    this.log = log;
    this.compacted = compacted;
    this.#bytes = bytes;
  }

  get count(): number {
    return this.#count;
  }

  /** The latest time of its records. */
  get maxTimestamp(): number {
    return this.#maxTimestamp;
  }

  /** Bytes used. */
  get size(): number {
    return this.#end;
  }

  /** Whether a record of this size still fits. */
  fits(room: number): boolean {
    return this.#bytes.length - this.#end >= room;
  }

  /** Appends a copy of a record. The caller makes sure that it fits. */
  append(record: RecordContent): void {
    const { headers } = record;
    const timestamp = Math.trunc(record.timestamp);
    if (this.#count === 0) {
      this.#baseTimestamp = timestamp;
      this.#maxTimestamp = timestamp;
      this.#bytes.writeDoubleLE(timestamp, 0);
    } else if (timestamp > this.#maxTimestamp) this.#maxTimestamp = timestamp;
    this.#count += 1;
    const since = timestamp - this.#baseTimestamp;
    this.#varint(since >= 0 ? since * 2 : since * -2 - 1);
    this.#writeNullable(record.key);
    this.#writeNullable(record.value);
    this.#varint(headers.length);
    for (const header of headers) {
      const length = Buffer.byteLength(header.key);
      this.#varint(length);
      this.#end += this.#bytes.write(header.key, this.#end, length, 'utf8');
      this.#writeNullable(header.value);
    }
  }

  /** The bytes used; not a copy. */
  content(): Uint8Array {
    return this.#bytes.subarray(0, this.#end);
  }

  /** Takes back the buffer with the same content. */
  restore(buffer: ArrayBuffer): void {
    this.#bytes = Buffer.from(buffer);
  }

  #writeNullable(bytes: Uint8Array | null): void {
    if (bytes === null) {
      this.#bytes[this.#end++] = 0;
      return;
    }
    const { length } = bytes;
    this.#varint(length + 1);
    if (length > 48) this.#bytes.set(bytes, this.#end);
    else {
      // below this length a loop is faster than the call
      const target = this.#bytes;
      for (let i = 0, at = this.#end; i < length; i += 1, at += 1) target[at] = bytes[i] as number;
    }
    this.#end += length;
  }

  #varint(value: number): void {
    let left = value;
    while (left > 0x7fffffff) {
      this.#bytes[this.#end++] = (left % 128) | 128;
      left = Math.floor(left / 128);
    }
    while (left > 127) {
      this.#bytes[this.#end++] = (left & 127) | 128;
      left >>>= 7;
    }
    this.#bytes[this.#end++] = left;
  }
}
