import type { Tables } from './tables.ts';

/** The input is followed by this many bytes that may be read, so that a number at its end needs no check of its own. */
export const PADDING = 16;

/** What is being converted. */
export interface Run {
  /** The input; what counts starts at 0. */
  src: Uint8Array;
  from: DataView;
  /** The output; positions in it are called q. */
  out: Uint8Array;
  view: DataView;
  /** Behind this position there may be no room for one more step. */
  limit: number;
  rows: Int32Array;
  literals: Float64Array;
  tables: Tables;
  /** Where readers leave the position behind what they read. */
  pos: number;
  /** Where `varint` leaves the upper 32 bits. */
  high: number;
  /** Whether fields may be in any order, so that messages and maps are looked through before they are written. */
  careful: boolean;
  /** Whether `careful` was needed. */
  unordered: boolean;
  safeIntegers: boolean;
  /** Why the input was refused. */
  reason: string;
}

const NO_BYTES = new Uint8Array(PADDING);
const NO_TABLES: Tables = {
  rows: new Int32Array(1),
  literals: new Float64Array(1),
  rootKind: 0,
  rootSub: 0,
  margin: 0,
  safeIntegers: false,
  fieldName: () => '',
  isRequired: () => false,
};

/**
 * The registers of the conversion under way. There is one set for all converters, in place of arguments of every function:
 * conversions are synchronous and do not nest, each sets all of it first, and what is left of one that threw is not read.
 */
export const run: Run = {
  src: NO_BYTES,
  from: new DataView(NO_BYTES.buffer),
  out: NO_BYTES,
  view: new DataView(NO_BYTES.buffer),
  limit: 0,
  rows: NO_TABLES.rows,
  literals: NO_TABLES.literals,
  tables: NO_TABLES,
  pos: 0,
  high: 0,
  careful: false,
  unordered: false,
  safeIntegers: false,
  reason: '',
};

/** Thrown when the output is too small: the message is to be converted again into a larger one. */
export const NO_ROOM = new Error('output too small');
/** Thrown when fields are in an order that only careful conversion understands. */
export const UNORDERED = new Error('fields out of order');
/** Thrown when the input is no valid message; why is in `run.reason`. */
export const REFUSED = new Error('malformed message');

/** Ends the conversion because the input is no valid message. */
export function refuse(reason: string): never {
  run.reason = reason;
  throw REFUSED;
}
