import { REFUSED } from '../wire/reader.ts';
import type { Writer } from '../wire/writer.ts';
import type { Tables } from './tables.ts';

/** Bytes after the input that may be read. They are zero, which valid JSON never contains, so reading stops there. */
export const PADDING = 16;
/** Bytes after `limit` that may be written: for one value without its own length, and for lengths that grow. */
export const MARGIN = 4096;

/** Maximum nesting of skipped arrays and objects, as in Go's decoder. */
export const MAX_LEVELS = 10_000;

/** Registers of a reading in progress. All are set before it starts. */
export interface Reading extends Writer {
  readonly tables: Tables;
  /** Rows of the tables. */
  readonly rows: Int32Array;
  readonly keys: Int32Array;
  /** The input, starting at 0. Escapes in names and numbers are replaced in place. */
  src: Buffer;
  from: DataView;
  length: number;
  /** After this position the output may lack room for one more value. */
  limit: number;
  /** Position of the next byte to read. */
  pos: number;
  /** Where integers are returned, as two's complement. */
  low: number;
  high: number;
  /** Whether replaced occurrences of fields are removed. Otherwise a repeated field stops the reading. */
  careful: boolean;
  /** Whether halves of surrogate pairs are refused. */
  strictText: boolean;
  /** Open messages of the bounded type. */
  nested: number;
  /** Messages emptied because they are nested too deep. */
  cut: number;
  /** Closing brackets of the arrays and objects being skipped, one byte each. */
  readonly ends: Uint8Array;
  /** Why the input was refused. */
  reason: string;
}

/** Thrown if a field is repeated: the input must be read again carefully. */
export const TWICE = new Error('field twice');

/** Throws REFUSED because of the byte at `at`. Sets `pos` and `reason`. */
export function refuse(s: Reading, at: number, reason: string): never {
  s.pos = at;
  s.reason = reason;
  throw REFUSED;
}

/** Position of the first byte from i on that is not white space. */
export function passSpace(src: Uint8Array, i: number): number {
  for (;;) {
    const byte = src[i] as number;
    if (byte > 32 || (byte !== 32 && byte !== 10 && byte !== 13 && byte !== 9)) return i;
    i++;
  }
}

const NULL = 0x6c6c756e; // as a little-endian word

export const NULL_BYTES = 4;

/** Whether `null` is at `pos`. */
export function isNull(s: Reading): boolean {
  return s.src[s.pos] === 110 && s.from.getInt32(s.pos, true) === NULL;
}
