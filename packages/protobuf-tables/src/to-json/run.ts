import { Kind } from '../plan/kinds.ts';
import type { Tables } from './tables.ts';

/** The input is followed by this many bytes that may be read, so that a number at its end needs no check of its own. */
export const PADDING = 16;

/** What is being converted. */
export interface Run {
  /** The input; what counts starts at 0. */
  src: Buffer;
  from: DataView;
  /** How many bytes of it count. */
  length: number;
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
  /** Where fields and entries are of what is being written carefully; free from `top` on. */
  places: Int32Array;
  top: number;
  /** Where groups end that have groups in them, by their start, 0 = not known; of this message if `knowsGroups`. */
  groupEnds: Int32Array;
  knowsGroups: boolean;
  /** Where the conversion is, while it is repeated to say where the input is wrong. */
  path: string[] | undefined;
  /** Why the input was refused. */
  reason: string;
}

const FIRST_PLACES = 256;
/** More of them are let go behind each message. */
const KEPT_PLACES = 65_536;

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
  length: 0,
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
  places: new Int32Array(FIRST_PLACES),
  top: 0,
  groupEnds: new Int32Array(0),
  knowsGroups: false,
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

/** Makes sure that there are so many places; may put others in the place of `run.places`. */
export function reservePlaces(count: number): void {
  const { places } = run;
  if (places.length >= count) return;
  run.places = new Int32Array(count + (count >> 2) + FIRST_PLACES);
  run.places.set(places);
}

/** Frees all places, and forgets where groups end. */
export function freePlaces(): void {
  run.top = 0;
  run.knowsGroups = false;
  if (run.places.length > KEPT_PLACES) run.places = new Int32Array(FIRST_PLACES);
  if (run.groupEnds.length > KEPT_PLACES) run.groupEnds = new Int32Array(0);
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
