import { createReader } from '../wire/input.ts';
import type { Reader } from '../wire/reader.ts';
import type { Tables } from './tables.ts';

/** Where JSON is written. */
export interface Output {
  readonly bytes: Buffer;
  /** The same memory. */
  readonly view: DataView;
}

/**
 * The registers of a converter's conversion under way: an object that is made once, in place of a dozen arguments of every
 * function. Each conversion sets all of it first, so that what one that threw leaves is not read.
 */
export interface Run extends Reader {
  /** The output; positions in it are called q. */
  out: Buffer;
  view: DataView;
  /** After this position there may be no room for one more step. */
  limit: number;
  /** Whether the message was put in order, so that of each oneof there is one member. */
  ordered: boolean;
  /** Those of the message, or of one inside an Any. */
  tables: Tables;
  rows: Int32Array;
  literals: Float64Array;
}

/** Registers for conversions by these tables into `output`. */
export function createRun(tables: Tables, output: Output): Run {
  const { rows, literals, maxDepth } = tables;
  return {
    ...createReader(maxDepth),
    out: output.bytes,
    view: output.view,
    limit: 0,
    ordered: false,
    tables,
    rows,
    literals,
  };
}

/** Switches to other tables made with the same options: to those of the message inside an Any, or back. */
export function useTables(run: Run, tables: Tables): void {
  run.limit += run.tables.margin - tables.margin;
  run.tables = tables;
  run.rows = tables.rows;
  run.literals = tables.literals;
}

/** Thrown when fields or entries are in an order that is to be changed before the message can be converted. */
export const UNORDERED = new Error('fields out of order');
