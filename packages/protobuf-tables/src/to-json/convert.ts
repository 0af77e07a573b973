import { body } from './body.ts';
import { releaseInput, setInput } from './input.ts';
import { freePlaces, run } from './run.ts';
import type { Tables } from './tables.ts';

/** Where JSON is written. */
export interface Output {
  readonly bytes: Buffer;
  /** The same memory. */
  readonly view: DataView;
}

/** How a message is converted. */
export interface Manner {
  /** Whether its parts may be in any order. */
  readonly careful: boolean;
  /** Is told where the conversion is; what is left after an error is the place of the error. */
  readonly path: string[] | undefined;
}

/**
 * Converts one message into `output` from `at` on, and answers the position behind it. Throws NO_ROOM, UNORDERED (unless
 * careful) or REFUSED.
 */
export function convert(
  tables: Tables,
  wire: Uint8Array,
  output: Output,
  at: number,
  manner: Manner,
): number {
  // what is the same as for the message before is not stored again: the collector is told of each pointer that is
  if (run.tables !== tables) {
    run.tables = tables;
    run.rows = tables.rows;
    run.literals = tables.literals;
    run.maxDepth = tables.maxDepth;
  }
  if (run.view !== output.view) {
    run.out = output.bytes;
    run.view = output.view;
  }
  if (run.path !== manner.path) run.path = manner.path;
  run.limit = output.bytes.length - tables.margin;
  run.careful = manner.careful;
  freePlaces();
  if (setInput(wire)) return root(tables, wire.length, at);
  try {
    return root(tables, wire.length, at);
  } finally {
    releaseInput();
  }
}

function root(tables: Tables, length: number, at: number): number {
  const q = body(tables.rootKind, tables.rootSub, 0, length, at, 0);
  freePlaces();
  return q;
}
