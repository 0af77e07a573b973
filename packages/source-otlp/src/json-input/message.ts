import { MAX_ANY_VALUES } from '../export/nesting.ts';
import { type KeptFields, keepField, moveTogether } from './kept-fields.ts';
import { readKey, UNKNOWN } from './key.ts';
import { list } from './list.ts';
import { isNull, NULL_BYTES } from './null.ts';
import { behindValue, passValue } from './pass-value.ts';
import { NO_ROOM, passSpace, type Reading, TWICE } from './reading.ts';
import { Column, Header, List } from './tables.ts';
import { singleValue } from './value.ts';

/** Writes the fields of the message at `start` from the object whose first byte behind the brace is at `pos`, and passes it. */
export function message(s: Reading, start: number): void {
  const { src, rows } = s;
  const isAny = rows[start + Header.anyValue] as number;
  if (isAny !== 0 && s.anyValues === MAX_ANY_VALUES) {
    passTooDeep(s);
    return;
  }
  s.anyValues += isAny;
  if ((src[s.pos] as number) <= 32) s.pos = passSpace(src, s.pos);
  if (src[s.pos] === 125) s.pos++;
  else if (s.careful) carefulFields(s, start);
  else fields(s, start);
  s.anyValues -= isAny;
}

/** Leaves an AnyValue empty that is inside too many others: it does not cost the whole export. */
function passTooDeep(s: Reading): void {
  s.pos--; // its brace
  passValue(s);
  s.cutValues++;
}

function fields(s: Reading, start: number): void {
  const { rows } = s;
  let guess = start + Header.first; // where it stands
  let seen = 0;
  let oneofs = 0;
  do {
    const row = readKey(s, start, rows[guess] as number);
    if (row === UNKNOWN) {
      passValue(s);
      continue;
    }
    rows[guess] = row;
    guess = row + Column.next;
    const bit = rows[row + Column.bit] as number;
    if ((seen & bit) !== 0) throw TWICE;
    seen |= bit;
    const from = s.q;
    field(s, row);
    const oneof = rows[row + Column.oneof] as number;
    if (oneof !== 0 && s.q !== from) {
      if ((oneofs & oneof) !== 0) throw TWICE;
      oneofs |= oneof;
    }
  } while (!behindValue(s, 125));
}

/** The same where fields may come twice, or several of a oneof: the last one counts. */
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
  } while (!behindValue(s, 125));
  moveTogether(s, kept, from);
}

/** Writes the field with its tag, or nothing if it is null, or empty. */
function field(s: Reading, row: number): void {
  if (s.q > s.limit) throw NO_ROOM;
  if (isNull(s)) s.pos += NULL_BYTES;
  else if (s.rows[row + Column.list] === List.none) singleValue(s, row);
  else list(s, row);
}
