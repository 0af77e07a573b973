import { NO_ROOM } from '../wire/writer.ts';
import { readKey, UNKNOWN } from './key.ts';
import { list } from './list.ts';
import { afterValue, passValue } from './pass-value.ts';
import { isNull, NULL_BYTES, passSpace, type Reading, TWICE } from './reading.ts';
import type { Column, Header, List } from './tables.ts';
import { singleValue } from './value.ts';

// Repeated for the engine's sake: see plan/kinds.ts.
const LIST: typeof Column.list = 2;
const BIT: typeof Column.bit = 10;
const ONEOF: typeof Column.oneof = 11;
const NEXT: typeof Column.next = 14;
const FIRST: typeof Header.first = -2;
const NESTED: typeof Header.nested = -3;
const NO_LIST: typeof List.none = 0;

/** Writes the fields of the message at `start` and passes its object. `pos` is after the opening brace. */
export function message(s: Reading, start: number): void {
  const { src, rows } = s;
  const nested = rows[start + NESTED] as number;
  if (nested !== 0 && s.nested === s.tables.maxNested) {
    passTooDeep(s);
    return;
  }
  s.nested += nested;
  if ((src[s.pos] as number) <= 32) s.pos = passSpace(src, s.pos);
  if (src[s.pos] === 125) s.pos++;
  else if (s.careful) carefulFields(s, start);
  else fields(s, start);
  s.nested -= nested;
}

/** Leaves a message that is nested too deep empty, instead of refusing the whole. */
function passTooDeep(s: Reading): void {
  s.pos--; // its brace
  passValue(s);
  s.cut++;
}

function fields(s: Reading, start: number): void {
  const { rows } = s;
  let guess = start + FIRST; // where it is
  let seen = 0;
  let oneofs = 0;
  do {
    const row = readKey(s, start, rows[guess] as number);
    if (row === UNKNOWN) {
      passValue(s);
      continue;
    }
    rows[guess] = row;
    guess = row + NEXT;
    const bit = rows[row + BIT] as number;
    if ((seen & bit) !== 0) throw TWICE;
    seen |= bit;
    const from = s.q;
    field(s, row);
    const oneof = rows[row + ONEOF] as number;
    if (oneof !== 0 && s.q !== from) {
      if ((oneofs & oneof) !== 0) throw TWICE;
      oneofs |= oneof;
    }
  } while (!afterValue(s, 125));
}

/** Reads an object in which fields, or several members of a oneof, may be repeated. The last one wins. */
function carefulFields(s: Reading, start: number): void {
  const from = s.q;
  const kept: KeptFields = new Map();
  do {
    const row = readKey(s, start, start);
    if (row === UNKNOWN) passValue(s);
    else {
      const at = s.q;
      field(s, row);
      keepField(kept, row, { from: at, end: s.q });
    }
  } while (!afterValue(s, 125));
  moveTogether(s, kept, from);
}

/** Writes the field with its tag. Writes nothing if it is null or empty. */
function field(s: Reading, row: number): void {
  if (s.q > s.limit) throw NO_ROOM;
  if (isNull(s)) s.pos += NULL_BYTES;
  else if (s.rows[row + LIST] === NO_LIST) singleValue(s, row);
  else list(s, row);
}

/** Output of one field. */
interface Written {
  readonly from: number;
  readonly end: number;
}

/** Output of the last occurrence of each field of a message, by row. */
type KeptFields = Map<number, Written>;

/** Replaces earlier occurrences by this one. */
function keepField(kept: KeptFields, row: number, written: Written): void {
  kept.delete(row); // so that fields are in the order of their last occurrences
  if (written.end > written.from) kept.set(row, written);
}

/** Removes replaced fields from the output since `from`, and all but the last member of each oneof. */
function moveTogether(s: Reading, kept: KeptFields, from: number): void {
  const { out, rows } = s;
  const last = new Map<number, number>();
  for (const row of kept.keys()) last.set(rows[row + ONEOF] as number, row);
  let q = from;
  for (const [row, written] of kept) {
    const oneof = rows[row + ONEOF] as number;
    if (oneof !== 0 && last.get(oneof) !== row) continue;
    if (q !== written.from) out.copyWithin(q, written.from, written.end);
    q += written.end - written.from;
  }
  s.q = q;
}
