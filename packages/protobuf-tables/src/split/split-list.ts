import { Wire } from '../plan/kinds.ts';
import { type Field, fieldsOf, nextField } from '../wire/fields.ts';
import { ListEntries } from './list-entries.ts';

/** One level of nested messages, from the root on. */
export interface SplitLevel {
  /** Fields that contain the messages of the next level. */
  readonly numbers: ReadonlySet<number>;
  /** Whether only one of them may occur, because they replace each other. */
  readonly single: boolean;
}

/** A message as its list and its other fields. */
export interface SplitList {
  readonly entries: ListEntries;
  /** Other fields before the list. */
  readonly head: readonly Uint8Array[];
  /** Other fields within and after the list. */
  readonly tail: readonly Uint8Array[];
}

/** Splits a message at the list of the first level. */
export function splitList(message: Uint8Array, levels: readonly SplitLevel[]): SplitList {
  const [level, ...inner] = levels;
  const count = itemCounter(message, inner);
  const entries = new ListEntries();
  const head: Uint8Array[] = [];
  const tail: Uint8Array[] = [];
  const cursor = fieldsOf(message);
  while (nextField(cursor)) {
    const { at, number, wireType, body, end } = cursor;
    if (wireType === Wire.delimited && level?.numbers.has(number)) entries.push(cursor, count(body, end));
    else (entries.length === 0 ? head : tail).push(message.subarray(at, end));
  }
  return { entries, head, tail };
}

/** Counts the items of a message whose list is that of the first level. Without a level, the message is one item. */
export function countItems(message: Uint8Array, levels: readonly SplitLevel[]): number {
  return itemCounter(message, levels)(0, message.length);
}

/**
 * Counts the items of nested messages from `from` to before `to`, with one cursor per level. A message without items at the last
 * level but one counts as an item too.
 */
function itemCounter(bytes: Uint8Array, levels: readonly SplitLevel[]): (from: number, to: number) => number {
  const cursors: readonly Field[] = levels.map(() => fieldsOf(bytes));
  const count = (depth: number, from: number, to: number): number => {
    const cursor = cursors[depth];
    const numbers = levels[depth]?.numbers;
    if (cursor === undefined || numbers === undefined) return 1;
    cursor.end = from;
    cursor.limit = to;
    let items = 0;
    while (nextField(cursor)) {
      if (cursor.wireType === Wire.delimited && numbers.has(cursor.number))
        items += count(depth + 1, cursor.body, cursor.end);
    }
    return levels[depth]?.single ? Math.max(1, items) : items;
  };
  return (from, to) => count(0, from, to);
}
