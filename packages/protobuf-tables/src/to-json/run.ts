import { createReader } from '../wire/input.ts';
import type { Reader } from '../wire/reader.ts';
import type { Tables } from './tables.ts';

export interface Output {
  readonly bytes: Buffer;
  /** A view of the same memory. */
  readonly view: DataView;
}

/**
 * Registers of a conversion in progress: one object per converter instead of a dozen arguments of every function. Each conversion
 * sets all of them first, so it never reads what a failed one left.
 */
export interface Run extends Reader {
  /** The output. Positions in it are called q. */
  out: Buffer;
  view: DataView;
  /** After this position the output may lack room for one more step. */
  limit: number;
  /** Whether the message has been put in order, so that each oneof has at most one member. */
  ordered: boolean;
  /** Tables of the message, or of one inside an Any. */
  tables: Tables;
  rows: Int32Array;
  literals: Float64Array;
}

/** Registers for conversions with these tables into `output`. */
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

/** Switches to other tables with the same options: to those of the message inside an Any, or back. */
export function useTables(run: Run, tables: Tables): void {
  run.limit += run.tables.margin - tables.margin;
  run.tables = tables;
  run.rows = tables.rows;
  run.literals = tables.literals;
}

/** Thrown if fields or entries must be put in order before the message can be converted. */
export const UNORDERED = new Error('fields out of order');
