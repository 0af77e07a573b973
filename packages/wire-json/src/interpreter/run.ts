import { Kind } from '../plan/kinds.ts';
import type { Tables } from './tables.ts';

/** The input is followed by this many bytes that may be read, so that a number at its end needs no check of its own. */
export const PADDING = 16;

/** What is being converted. */
export interface Run {
  /** The input; what counts starts at 0. */
  src: Buffer;
  from: DataView;
  /** The output; positions in it are called q. */
  out: Buffer;
  view: DataView;
  /** Behind this position there may be no room for one more step. */
  limit: number;
  tables: Tables;
  rows: Int32Array;
  literals: Float64Array;
  /** How many messages may be inside each other. */
  maxDepth: number;
  /** Where readers leave the position behind what they read. */
  pos: number;
  /** Where `varint` leaves the upper 32 bits. */
  high: number;
  /** Whether messages and maps are looked through before they are written, because their parts may be in any order. */
  careful: boolean;
  /** Where the fields are of the messages that are being written carefully; free from `top` on. */
  places: Int32Array;
  top: number;
  /** Where long groups end that have groups in them, by their start. */
  groupEnds: Map<number, number>;
  /** Where the conversion is, while it is repeated to say where the input is wrong. */
  path: string[] | undefined;
  /** Why the input was refused. */
  reason: string;
}

const NOTHING = Buffer.alloc(PADDING);
const NOTHING_VIEW = new DataView(NOTHING.buffer, NOTHING.byteOffset, NOTHING.length);
const NO_TABLES: Tables = {
  rows: new Int32Array(1),
  literals: new Float64Array(1),
  rootKind: Kind.message,
  rootSub: 0,
  margin: 0,
  maxDepth: 0,
  safeIntegers: false,
  defaults: false,
  textKind: Kind.string,
  hasOwnForm: false,
  fieldName: () => '',
  resolve: () => undefined,
};

/**
 * The registers of the conversion under way. There is one set for all converters, in place of arguments of every function:
 * conversions are synchronous and do not nest, each sets all of it first, and what one that threw leaves is not read.
 */
export const run: Run = {
  src: NOTHING,
  from: NOTHING_VIEW,
  out: NOTHING,
  view: NOTHING_VIEW,
  limit: 0,
  tables: NO_TABLES,
  rows: NO_TABLES.rows,
  literals: NO_TABLES.literals,
  maxDepth: NO_TABLES.maxDepth,
  pos: 0,
  high: 0,
  careful: false,
  places: new Int32Array(256),
  top: 0,
  groupEnds: new Map(),
  path: undefined,
  reason: '',
};

/** Goes on with other tables, made under the same options: those of the message inside an Any, or back. */
export function useTables(tables: Tables): void {
  run.limit += run.tables.margin - tables.margin;
  run.tables = tables;
  run.rows = tables.rows;
  run.literals = tables.literals;
}

/** Thrown when the output is too small: the message is to be converted again into a larger one. */
export const NO_ROOM = new Error('output too small');
/** Thrown when parts are in an order that only careful conversion understands. */
export const UNORDERED = new Error('parts out of order');
/** Thrown when the input is no valid message; why is in `run.reason`. */
export const REFUSED = new Error('no valid message');

/** Ends the conversion because the input is no valid message. */
export function refuse(reason: string): never {
  run.reason = reason;
  throw REFUSED;
}
