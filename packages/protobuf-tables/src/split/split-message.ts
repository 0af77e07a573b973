import { countItems, type SplitLevel, type SplitList, splitList } from './split-list.ts';
import { around, bytesOf, type Chunks, slicesOf } from './wire-chunks.ts';

const MIN_ROOM = 64 * 1024 * 1024;
const ROOM_FACTOR = 4;

/** A part of a message that is a valid message of its own. */
export interface SplitPart {
  readonly wire: Uint8Array;
  /** Messages of the last level in it. One of the level before without any counts as one, so that its loss is reported, too. */
  readonly items: number;
}

/** How a message is divided. */
export interface SplitOptions {
  /** How its lists lie inside each other. */
  readonly levels: readonly SplitLevel[];
  /** Down to which level each message becomes a part of its own; 0 is that of the first list, -1 none. */
  readonly floor: number;
  /** Whether it is divided at all. If not, it is one part, or too large. */
  readonly divides: boolean;
  /** Whether a part is small enough. Asked for each part; a part that is not is divided further. */
  readonly fits: (part: Uint8Array) => boolean;
}

/** What a message becomes. */
export interface SplitMessage {
  /** In the order of the message, those that fit. Together with what was too large they hold each item once. */
  readonly parts: readonly SplitPart[];
  /**
   * Items of parts that cannot be divided and do not fit, and those that come after parts of 64 MiB, or four times the message if
   * that is more: a large head in front of many small items would otherwise become as many copies of it.
   */
  readonly oversized: number;
  /** Messages of the upper levels without items that are in no part. */
  readonly empty: number;
}

/**
 * Divides a valid message by the lists inside it, from the outermost on; a part keeps what is beside its list. Halves lists instead
 * of cutting out single items, so that parts stay as large as they may be. A part that is the whole message may be the same
 * bytes; others have their own memory.
 */
export function splitMessage(message: Uint8Array, options: SplitOptions): SplitMessage {
  const division: Division = {
    whole: message,
    levels: options.levels,
    fits: options.fits,
    floor: options.floor,
    room: Math.max(MIN_ROOM, message.length * ROOM_FACTOR),
    parts: [],
    oversized: 0,
    empty: 0,
  };
  if (options.floor < 0 || !options.divides) asOne(division, options.divides);
  else divide(division, { message, depth: 0, wrap: (chunks) => chunks, tooLarge: false });
  const { parts, oversized, empty } = division;
  return { parts, oversized, empty };
}

/** A message while it is divided. */
interface Division {
  readonly whole: Uint8Array;
  readonly levels: readonly SplitLevel[];
  readonly fits: SplitOptions['fits'];
  readonly floor: number;
  readonly parts: SplitPart[];
  /** Bytes that parts may still have together, those that turn out not to fit included. */
  room: number;
  oversized: number;
  empty: number;
}

/** A message inside the whole. */
interface Inside {
  readonly message: Uint8Array;
  /** How many messages it is in. */
  readonly depth: number;
  /** Makes a whole message of this one's content. */
  readonly wrap: (content: Chunks) => Chunks;
  /** Whether a message with all of it is known not to fit. */
  readonly tooLarge: boolean;
}

/** Some entries of a message's list that follow each other. */
interface Range extends Inside {
  readonly list: SplitList;
  readonly from: number;
  readonly to: number;
}

function asOne(division: Division, divides: boolean): void {
  const { whole, levels, parts } = division;
  const items = countItems(whole, levels);
  if (items === 0) return;
  if (division.fits(whole)) parts.push({ wire: whole, items });
  else if (!divides) division.oversized += items;
  else divide(division, { message: whole, depth: 0, wrap: (chunks) => chunks, tooLarge: true });
}

function divide(division: Division, inside: Inside): void {
  const levels = division.levels.slice(inside.depth);
  const list = splitList(inside.message, levels);
  const range = { ...inside, list, from: 0, to: list.entries.length };
  const items = list.entries.items(0, range.to);
  const isOne = levels[0]?.single && (range.to > 1 || items === 0);
  if (isOne || !hasRoom(division, range)) division.oversized += Math.max(1, items);
  else divideRange(division, range);
}

/** Whether the content repeated in every part leaves room for anything else; avoids trying each item when none can fit. */
function hasRoom(division: Division, range: Range): boolean {
  if (range.depth < division.floor || range.to < 2) return true;
  return division.fits(wholeOf(division, { ...range, to: 0 }));
}

function divideRange(division: Division, range: Range): void {
  const { depth, list, from, to, tooLarge } = range;
  const { floor } = division;
  const items = list.entries.items(from, to);
  if (items === 0) {
    division.empty += to - from;
    return;
  }
  const isSingle = to - from === 1;
  const mayBePart = depth > floor || (depth === floor && isSingle);
  if (division.room <= 0) {
    division.oversized += items;
    return;
  }
  if (mayBePart && !tooLarge && addPart(division, range, items)) return;
  if (isSingle) divideEntry(division, range, mayBePart);
  else if (depth > floor) {
    const middle = middleOf(range);
    divideRange(division, { ...range, to: middle, tooLarge: false });
    divideRange(division, { ...range, from: middle, tooLarge: false });
  } else {
    for (let at = from; at < to; at++)
      divideRange(division, { ...range, from: at, to: at + 1, tooLarge: false });
  }
}

/** Answers false if it does not fit. */
function addPart(division: Division, range: Range, items: number): boolean {
  const wire = wholeOf(division, range);
  const fits = division.fits(wire);
  if (fits) division.parts.push({ wire, items });
  if (fits || range.to - range.from === 1) division.room -= wire.length;
  return fits;
}

function divideEntry(
  division: Division,
  { message, depth, list, from, wrap }: Range,
  tooLarge: boolean,
): void {
  const { body, end, number } = list.entries.entry(from);
  if (depth + 1 === division.levels.length) {
    division.oversized += list.entries.items(from, from + 1);
    return;
  }
  const { head, tail } = list;
  divide(division, {
    message: message.subarray(body, end),
    depth: depth + 1,
    wrap: (content) => wrap([...head, ...around(number, content), ...tail]),
    tooLarge,
  });
}

function wholeOf({ whole }: Division, { message, list, from, to, wrap }: Range): Uint8Array {
  const { head, entries, tail } = list;
  const part = bytesOf(wrap([...head, ...slicesOf(message, { entries, from, to }), ...tail]));
  // nothing can have been left out
  return part.length === whole.length ? whole : part;
}

/** Where the range is halved: about as many bytes on both sides. */
function middleOf({ list, from, to }: Range): number {
  const { entries } = list;
  const start = entries.at(from);
  const half = start + (entries.end(to - 1) - start) / 2;
  return entries.firstAfter(half, from + 1, to - 1);
}
