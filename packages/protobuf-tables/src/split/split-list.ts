import { Wire } from '../plan/kinds.ts';
import { type Field, fieldsOf, nextField } from '../wire/fields.ts';
import { ListEntries } from './list-entries.ts';

/** How messages lie inside each other, from the whole on. */
export interface SplitLevel {
  /** Numbers of the fields in which the messages of the next level are. */
  readonly numbers: ReadonlySet<number>;
  /** Whether there must be one of them alone, since they replace each other. */
  readonly single: boolean;
}

/** A message by its list and what is beside it. */
export interface SplitList {
  readonly entries: ListEntries;
  /** Other fields that come before the list. */
  readonly head: readonly Uint8Array[];
  /** Those that come within it and after it. */
  readonly tail: readonly Uint8Array[];
}

/** Takes a message apart whose list is that of the first level. */
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

/** Items of a message whose list is that of the first level; without a level it is one itself. */
export function countItems(message: Uint8Array, levels: readonly SplitLevel[]): number {
  return itemCounter(message, levels)(0, message.length);
}

/**
 * Counts the items of messages inside one, from `from` on and before `to`. One cursor for each level, whatever
 * there is to count. One without any at the last level but one is an item, too.
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
