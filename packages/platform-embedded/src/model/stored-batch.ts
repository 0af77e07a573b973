import type { LogRecord } from '@levada/connect-runtime-core/platform';

/** A batch's first bytes: the time that the times of its records count from, as a 64-bit float. */
const HEAD = 8;
/** More than the lengths, counts and the time of one record or header ever take. */
const MARGIN = 32;

export type RecordContent = Pick<LogRecord, 'key' | 'value' | 'timestamp' | 'headers'>;

/** Bytes that a record may take in a batch, at most. */
export function roomFor(record: RecordContent): number {
  let room = MARGIN + (record.key?.length ?? 0) + (record.value?.length ?? 0);
  for (const header of record.headers) room += MARGIN + header.key.length * 3 + (header.value?.length ?? 0);
  return room;
}

/**
 * Records of one log under construction, in a buffer that is handed in. The encoding of a record: time since the batch's time
 * (zigzag), key length + 1 (0 for null), key, value length + 1 (0 for null), value, number of headers, and for each its name's
 * length, name, value length + 1, value. Numbers are varints, seven bits a byte, least significant first.
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

  /** Records in the batch. */
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

  /** Whether a record of this room still fits. */
  fits(room: number): boolean {
    return this.#bytes.length - this.#end >= room;
  }

  /** Copies a record to the end. The caller has made sure that it fits. */
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
    this.#nullable(record.key);
    this.#nullable(record.value);
    this.#varint(headers.length);
    for (const header of headers) {
      const length = Buffer.byteLength(header.key);
      this.#varint(length);
      this.#end += this.#bytes.write(header.key, this.#end, length, 'utf8');
      this.#nullable(header.value);
    }
  }

  /** The bytes used; no copy. */
  content(): Uint8Array {
    return this.#bytes.subarray(0, this.#end);
  }

  /** Takes the buffer back that was away with the same content. */
  restore(buffer: ArrayBuffer): void {
    this.#bytes = Buffer.from(buffer);
  }

  #nullable(bytes: Uint8Array | null): void {
    if (bytes === null) {
      this.#bytes[this.#end++] = 0;
      return;
    }
    const { length } = bytes;
    this.#varint(length + 1);
    if (length > 48) this.#bytes.set(bytes, this.#end);
    else {
      // below this length a loop beats the call
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
