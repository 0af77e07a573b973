import { releaseInput, setInput } from '../reader/input.ts';
import { type Output, type Run, useTables } from './run.ts';
import type { Tables } from './tables.ts';
import { body } from './value.ts';

/** A message to be converted. */
export interface Conversion {
  readonly tables: Tables;
  readonly wire: Uint8Array;
  readonly output: Output;
  /** Where its JSON is to begin. */
  readonly at: number;
  /** Whether the message is one that was put in order. */
  readonly ordered: boolean;
}

/** Converts one message, and answers the position after its JSON. Throws NO_ROOM, UNORDERED or REFUSED. */
export function convert(run: Run, { tables, wire, output, at, ordered }: Conversion): number {
  // what is the same as for the message before is not stored again: the collector is told of each pointer that is
  if (run.tables !== tables) useTables(run, tables);
  if (run.view !== output.view) {
    run.out = output.bytes;
    run.view = output.view;
  }
  run.limit = output.bytes.length - tables.margin;
  run.ordered = ordered;
  setInput(run, wire);
  const { rootKind, rootSub } = tables;
  const q = body(run, rootKind, rootSub, 0, wire.length, at, 0);
  releaseInput(run);
  return q;
}
