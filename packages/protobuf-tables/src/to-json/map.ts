// Maps whose entries are adjacent, each with a key and a value, without repeated keys. Entries keep their order.
import { isWide, Kind } from '../plan/kinds.ts';
import { sameBytes, size, tooDeep } from '../wire/reader.ts';
import { NO_ROOM } from '../wire/writer.ts';
import { isNewKey, watchKeys } from './key-watch.ts';
import { message } from './message.ts';
import { type Run, UNORDERED } from './run.ts';
import type { Column } from './tables.ts';
import { literal, value } from './value.ts';

const KIND: typeof Column.kind = 2;
const SUB: typeof Column.sub = 8;
const KEY_KIND: typeof Column.keyKind = 9;
const KEY_TAG: typeof Column.keyTag = 10;
const WIRE: typeof Column.wire = 11;
const ZERO: typeof Column.zero = 13;
const ZERO_SIZE: typeof Column.zeroSize = 14;

/** Writes the entries of a map. The first tag is at `tagFrom`, and its length at i. */
export function map(
  run: Run,
  row: number,
  tagFrom: number,
  i: number,
  end: number,
  q: number,
  depth: number,
): number {
  const { rows, src, out } = run;
  const tagSize = i - tagFrom;
  const kind = rows[row + KIND] as number;
  const sub = rows[row + SUB] as number;
  const keyKind = rows[row + KEY_KIND] as number;
  const keyTag = rows[row + KEY_TAG] as number;
  const valueTag = 16 + (rows[row + WIRE] as number);
  const text = isText(run, keyKind);
  const watch = watchKeys(keyKind, i, tagSize);
  out[q++] = 123;
  do {
    if (q > run.limit) throw NO_ROOM;
    run.at = i - tagSize;
    const stop = size(run, i, end) + run.pos;
    const keyAt = run.pos;
    if (src[keyAt] !== keyTag || keyAt === stop) throw UNORDERED;
    if (!isNewKey(run, watch, keyAt, stop)) throw UNORDERED;
    q = text
      ? value(run, keyKind, 0, keyAt + 1, stop, q, depth)
      : numberKey(run, keyKind, keyAt + 1, stop, q);
    out[q++] = 58;
    if (run.pos === stop) q = writeMissing(run, kind, sub, row, stop, q, depth);
    else {
      if (src[run.pos] !== valueTag) throw UNORDERED;
      run.at = run.pos;
      q = value(run, kind, sub, run.pos + 1, stop, q, depth);
    }
    if (run.pos !== stop) throw UNORDERED;
    out[q++] = 44;
    i = run.pos + tagSize;
  } while (i <= end && sameBytes(run, tagFrom, run.pos, tagSize));
  out[q - 1] = 125;
  return q;
}

/** Whether values of this kind are strings in JSON, so that they can be keys unchanged. */
function isText(run: Run, kind: number): boolean {
  if (kind === Kind.string || kind === Kind.text) return true;
  return isWide(kind) && !run.tables.safeIntegers;
}

/** Writes the number or boolean at i as a string. */
function numberKey(run: Run, kind: number, i: number, end: number, q: number): number {
  const { out } = run;
  out[q] = 34;
  const to = value(run, kind, 0, i, end, q + 1, 0);
  if (out[q + 1] !== 34) {
    out[to] = 34;
    return to + 1;
  }
  // an integer too large to be a number already has quotes
  out.copyWithin(q, q + 1, to);
  return to - 1;
}

/** The value of an entry that ends after its key. Most encoders write such values anyway. */
function writeMissing(
  run: Run,
  kind: number,
  sub: number,
  row: number,
  stop: number,
  q: number,
  depth: number,
): number {
  const { rows } = run;
  if (kind < Kind.message) {
    return literal(run, rows[row + ZERO] as number, rows[row + ZERO_SIZE] as number, q);
  }
  if (kind !== Kind.message) throw UNORDERED;
  if (depth >= run.maxDepth) tooDeep(run);
  const to = message(run, sub, stop, stop, q, depth + 1);
  run.pos = stop;
  return to;
}
