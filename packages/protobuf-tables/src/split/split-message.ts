import { countItems, type SplitLevel, type SplitList, splitList } from './split-list.ts';
import { around, bytesOf, type Chunks, slicesOf } from './wire-chunks.ts';

const MIN_ROOM = 64 * 1024 * 1024;
const ROOM_FACTOR = 4;

/** A part of a message. It is a valid message. */
export interface SplitPart {
  readonly wire: Uint8Array;
  /** Messages of the last level in it. An empty message of the level above counts as one, so that its loss is reported too. */
  readonly items: number;
}

export interface SplitOptions {
  /** Nesting of its lists. */
  readonly levels: readonly SplitLevel[];
  /** The level down to which each message becomes a separate part. 0 is that of the first list, -1 none. */
  readonly floor: number;
  /** Whether the message may be divided. If not, it is one part, or too large. */
  readonly divides: boolean;
  /** Whether a part is small enough. Called for each part; a part that does not fit is divided further. */
  readonly fits: (part: Uint8Array) => boolean;
}

export interface SplitMessage {
  /** Parts that fit, in the order of the message. Each item is in one part or counted in `oversized`. */
  readonly parts: readonly SplitPart[];
  /**
   * Items of parts that do not fit and cannot be divided, and items after 64 MiB of parts, or four times the message if that is
   * more: otherwise a large head before many small items would be copied for each of them.
   */
  readonly oversized: number;
  /** Messages of upper levels without items that are in no part. */
  readonly empty: number;
}

/**
 * Divides a valid message by its lists, from the outermost inwards. A part keeps the fields around its list. Lists are halved, so
 * that parts stay as large as possible. A part that equals the whole message may share its bytes; other parts have their own
 * memory.
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

/** A division in progress. */
interface Division {
  readonly whole: Uint8Array;
  readonly levels: readonly SplitLevel[];
  readonly fits: SplitOptions['fits'];
  readonly floor: number;
  readonly parts: SplitPart[];
  /** Remaining bytes for all parts, including those that turn out not to fit. */
  room: number;
  oversized: number;
  empty: number;
}

/** A message inside the root. */
interface Inside {
  readonly message: Uint8Array;
  /** Number of messages around it. */
  readonly depth: number;
  /** Wraps this message's content into a root message. */
  readonly wrap: (content: Chunks) => Chunks;
  /** Whether the whole message is known not to fit. */
  readonly tooLarge: boolean;
}

/** Adjacent entries of a message's list. */
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

/** Whether the content repeated in every part leaves room for anything else. Avoids trying each item if none can fit. */
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

/** Returns false if the part does not fit. */
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

/** The entry that divides the range into halves of similar size. */
function middleOf({ list, from, to }: Range): number {
  const { entries } = list;
  const start = entries.at(from);
  const half = start + (entries.end(to - 1) - start) / 2;
  return entries.firstAfter(half, from + 1, to - 1);
}
