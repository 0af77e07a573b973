import type { OtlpSchema } from '../model/otlp-schema.ts';
import { type SignalName, signalNames } from '../model/signals.ts';
import type { ExportPart, SplitExportRequest, SplitOptions } from './split-export.ts';
import { ITEM_LEVEL, RESOURCE_LEVEL, type SplitLevel, splitLevels } from './split-levels.ts';
import { countItems, type SplitList, splitList } from './split-list.ts';
import { around, bytesOf, type Chunks, slicesOf } from './wire-chunks.ts';

const MIN_ROOM = 64 * 1024 * 1024;
const ROOM_FACTOR = 4;

/** Makes the splitter from the schema. What it returns is synchronous. */
export function createSplitExport(schema: Pick<OtlpSchema, 'request'>): SplitExportRequest {
  const levels = new Map(signalNames.map((signal) => [signal, splitLevels(schema, signal)]));
  return (signal, request, options) => {
    const division: Division = {
      request,
      levels: levels.get(signal) ?? [],
      fits: options.fits,
      floor: floors[options.mode],
      room: Math.max(MIN_ROOM, request.length * ROOM_FACTOR),
      parts: [],
      oversized: 0,
      empty: 0,
    };
    if (options.mode === 'request' || signal === 'profiles') asOne(division, signal);
    else divide(division, { message: request, depth: 0, wrap: (chunks) => chunks, tooLarge: false });
    const { parts, oversized, empty } = division;
    return { parts, oversized, empty };
  };
}

/** Down to which level each message becomes a part of its own; 0 is that of resources. */
const floors: Readonly<Record<SplitOptions['mode'], number>> = {
  request: -1,
  resource: RESOURCE_LEVEL,
  item: ITEM_LEVEL,
};

/** A request while it is divided. */
interface Division {
  readonly request: Uint8Array;
  readonly levels: readonly SplitLevel[];
  readonly fits: SplitOptions['fits'];
  readonly floor: number;
  readonly parts: ExportPart[];
  /** Bytes that parts may still have together, those that turn out not to fit included. */
  room: number;
  oversized: number;
  empty: number;
}

/** A message inside the request. */
interface Inside {
  readonly message: Uint8Array;
  /** How many messages it is in. */
  readonly depth: number;
  /** Makes a request of the message's content. */
  readonly wrap: (content: Chunks) => Chunks;
  /** Whether a request with the whole of it is known not to fit. */
  readonly tooLarge: boolean;
}

/** Some entries of a message's list that follow each other. */
interface Range extends Inside {
  readonly list: SplitList;
  readonly from: number;
  readonly to: number;
}

function asOne(division: Division, signal: SignalName): void {
  const { request, levels, parts } = division;
  const items = countItems(request, levels);
  if (items === 0) return;
  if (division.fits(request)) parts.push({ request, items });
  else if (signal === 'profiles') division.oversized += items;
  else divide(division, { message: request, depth: 0, wrap: (chunks) => chunks, tooLarge: true });
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

/** Whether what would be the same in all parts leaves room for anything; spares trying each item in vain. */
function hasRoom(division: Division, range: Range): boolean {
  if (range.depth < division.floor || range.to < 2) return true;
  return division.fits(requestOf(division, { ...range, to: 0 }));
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
  const request = requestOf(division, range);
  const fits = division.fits(request);
  if (fits) division.parts.push({ request, items });
  if (fits || range.to - range.from === 1) division.room -= request.length;
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

function requestOf({ request }: Division, { message, list, from, to, wrap }: Range): Uint8Array {
  const { head, entries, tail } = list;
  const part = bytesOf(wrap([...head, ...slicesOf(message, { entries, from, to }), ...tail]));
  // nothing can have been left out
  return part.length === request.length ? request : part;
}

/** Where the range is halved: about as many bytes on both sides. */
function middleOf({ list, from, to }: Range): number {
  const { entries } = list;
  const start = entries.at(from);
  const half = start + (entries.end(to - 1) - start) / 2;
  return entries.firstBehind(half, from + 1, to - 1);
}
