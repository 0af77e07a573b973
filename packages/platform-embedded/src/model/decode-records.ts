import type { LogHeader } from '@levada/connect-runtime-core/platform';
import type { RecordContent } from './stored-batch.ts';

/**
 * The records of a batch that {@link StoredBatch} encoded, in order. Keys and values are views of `bytes`. Throws a RangeError if
 * the bytes are not those of `count` records.
 */
export function decodeRecords(bytes: Uint8Array, count: number): RecordContent[] {
  const input = new Cursor(bytes);
  const baseTimestamp = input.float();
  const records = new Array<RecordContent>(count);
  for (let i = 0; i < count; i += 1) {
    const since = input.varint();
    const timestamp = baseTimestamp + (since % 2 === 0 ? since / 2 : -(since + 1) / 2);
    const key = input.readNullable();
    const value = input.readNullable();
    records[i] = { timestamp, key, value, headers: headers(input) };
  }
  if (!input.atEnd) throw new RangeError(`bytes left over after ${count} records`);
  return records;
}

const none: readonly LogHeader[] = [];

function headers(input: Cursor): readonly LogHeader[] {
  const count = input.varint();
  if (count === 0) return none;
  const list: LogHeader[] = [];
  for (let i = 0; i < count; i += 1) list.push({ key: input.text(), value: input.readNullable() });
  return list;
}

/** Reads from the start, never beyond the end. */
class Cursor {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  get atEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  float(): number {
    return this.#bytes.readDoubleLE(this.#skip(8));
  }

  varint(): number {
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = this.#bytes[this.#skip(1)] as number;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
      scale *= 128;
    }
  }

  readNullable(): Uint8Array | null {
    const length = this.varint();
    return length === 0 ? null : this.#take(length - 1);
  }

  text(): string {
    return this.#take(this.varint()).toString('utf8');
  }

  #take(length: number): Buffer {
    const from = this.#skip(length);
    return this.#bytes.subarray(from, from + length);
  }

  #skip(length: number): number {
    const from = this.#at;
    if (from + length > this.#bytes.length) throw new RangeError('the batch ends in the middle of a record');
    this.#at = from + length;
    return from;
  }
}
