import { REFUSED } from '../wire/reader.ts';
import type { Writer } from '../wire/writer.ts';
import type { Tables } from './tables.ts';

/** So many bytes after the input may be read. They are zero, which no valid JSON has: what reads on stops there. */
export const PADDING = 16;
/** So many bytes after `limit` may be written: by any one value without a length of its own, and by all lengths that grow. */
export const MARGIN = 4096;

/** How deep arrays and objects may be inside each other in what is passed. As many as Go's own decoder takes. */
export const MAX_LEVELS = 10_000;

/** The registers of the reading under way. All of them are set before it starts. */
export interface Reading extends Writer {
  readonly tables: Tables;
  /** Those of the tables. */
  readonly rows: Int32Array;
  readonly keys: Int32Array;
  /** The input, which starts at 0. Escapes in names and numbers are written out in place. */
  src: Buffer;
  from: DataView;
  length: number;
  /** After this position in the output there may be no room for one more value. */
  limit: number;
  /** Where reading is. */
  pos: number;
  /** Where integers are left, as two's complement. */
  low: number;
  high: number;
  /** Whether of fields that come twice all but the last are taken out. Otherwise they end the reading. */
  careful: boolean;
  /** Whether halves of surrogate pairs are refused. */
  strictText: boolean;
  /** How many messages of the bounded type are open. */
  nested: number;
  /** How many were left empty because they are nested too deep. */
  cut: number;
  /** The ends of arrays and objects that are being passed, one byte each. */
  readonly ends: Uint8Array;
  /** Why the input was refused. */
  reason: string;
}

/** Thrown when a field came twice: the input is to be read again carefully. */
export const TWICE = new Error('field twice');

/** Ends the reading with REFUSED because of what is at `at`: where is in `pos` and why in `reason`. */
export function refuse(s: Reading, at: number, reason: string): never {
  s.pos = at;
  s.reason = reason;
  throw REFUSED;
}

/** The position of the first byte from i on that is not white space. */
export function passSpace(src: Uint8Array, i: number): number {
  for (;;) {
    const byte = src[i] as number;
    if (byte > 32 || (byte !== 32 && byte !== 10 && byte !== 13 && byte !== 9)) return i;
    i++;
  }
}

const NULL = 0x6c6c756e; // as a little-endian word

export const NULL_BYTES = 4;

/** Whether null is at `pos`. */
export function isNull(s: Reading): boolean {
  return s.src[s.pos] === 110 && s.from.getInt32(s.pos, true) === NULL;
}
