import { body } from './body.ts';
import { PADDING, run } from './run.ts';
import type { Tables } from './tables.ts';

/** Inputs up to this size are copied to one place, so that the engine sees one memory of one kind, kept by nobody else. */
const SCRATCH_BYTES = 64 * 1024;
const scratch = new Uint8Array(SCRATCH_BYTES + PADDING);
const scratchView = new DataView(scratch.buffer);

/** Converts one message into `out` from q on; answers the position behind it. Throws NO_ROOM, UNORDERED or REFUSED. */
export function convert(
  tables: Tables,
  wire: Uint8Array,
  out: Uint8Array,
  view: DataView,
  q: number,
): number {
  run.tables = tables;
  run.rows = tables.rows;
  run.literals = tables.literals;
  run.safeIntegers = tables.safeIntegers;
  run.out = out;
  run.view = view;
  run.limit = out.length - tables.margin;
  if (wire.length <= SCRATCH_BYTES) {
    scratch.set(wire);
    run.src = scratch;
    run.from = scratchView;
    return body(tables.rootKind, tables.rootSub, 0, wire.length, q, 0);
  }
  const src = new Uint8Array(wire.length + PADDING);
  src.set(wire);
  run.src = src;
  run.from = new DataView(src.buffer);
  try {
    return body(tables.rootKind, tables.rootSub, 0, wire.length, q, 0);
  } finally {
    run.src = scratch;
    run.from = scratchView;
  }
}
