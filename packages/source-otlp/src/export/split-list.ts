import type { SplitLevel } from './split-levels.ts';
import { DELIMITED, nextField, wireCursor } from './wire-field.ts';

/** One message of a list. Positions are those of the message that has the list. */
export interface ListEntry {
  /** Where its tag is, and where it ends. */
  readonly at: number;
  readonly end: number;
  readonly number: number;
  readonly body: Uint8Array;
  /** Items in it. */
  readonly items: number;
}

/** A message by its list and what is beside it. */
export interface SplitList {
  readonly entries: readonly ListEntry[];
  /** Other fields that come before the list. */
  readonly head: readonly Uint8Array[];
  /** Those that come within it and behind it. */
  readonly tail: readonly Uint8Array[];
}

/** Takes a message apart whose list is that of the first level. */
export function splitList(message: Uint8Array, levels: readonly SplitLevel[]): SplitList {
  const [level, ...inner] = levels;
  const entries: ListEntry[] = [];
  const head: Uint8Array[] = [];
  const tail: Uint8Array[] = [];
  const cursor = wireCursor(message);
  while (nextField(cursor)) {
    const { at, number, wireType, body, end } = cursor;
    if (wireType === DELIMITED && level?.numbers.has(number)) {
      const content = message.subarray(body, end);
      entries.push({ at, end, number, body: content, items: countItems(content, inner) });
    } else (entries.length === 0 ? head : tail).push(message.subarray(at, end));
  }
  return { entries, head, tail };
}

/** Items of a message whose list is that of the first level; without a level it is one itself. */
export function countItems(message: Uint8Array, levels: readonly SplitLevel[]): number {
  const [level, ...inner] = levels;
  if (level === undefined) return 1;
  let items = 0;
  const cursor = wireCursor(message);
  while (nextField(cursor)) {
    const { number, wireType, body, end } = cursor;
    if (wireType === DELIMITED && level.numbers.has(number)) {
      items += inner.length === 0 ? 1 : countItems(message.subarray(body, end), inner);
    }
  }
  return items;
}
