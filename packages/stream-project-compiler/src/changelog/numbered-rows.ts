import type { FoundErratum } from '../errata/found-errata.ts';
import {
  appended,
  type ChangeCause,
  type Changes,
  changing,
  distinctKeys,
  isAppend,
  type Key,
  uniqueSets,
  withUnique,
} from './changes.ts';
import {
  type ChangesContext,
  has,
  type QueryRows,
  requireAppend,
  requireConstruct,
} from './changes-context.ts';
import { mayMiss } from './first-rows.ts';

/** A column with the number of each row among those of its part, as `ROW_NUMBER() OVER (...)` gives it. */
export interface Numbered {
  /** Position of the column with the number; undefined where it is not selected. */
  readonly position: number | undefined;
  /** `ROW_NUMBER`, `RANK` or `DENSE_RANK`. */
  readonly name: string;
  /** Positions of the columns that make the parts; undefined where one of them is not selected. */
  readonly parts: Key | undefined;
  /** The time of the windows of which each is a part. */
  readonly ofWindows: 'event' | 'processing' | undefined;
  readonly order: RankOrder;
  /** Whether all rows can be numbered in this order: by one column, ascending. */
  readonly isAscending: boolean;
  /** Whether the order is that of one column, descending. */
  readonly isLatest: boolean;
  /** The rows that are numbered. */
  readonly input: Changes;
  /** What defects of the engine make of the first rows in this order. */
  readonly errata: readonly FoundErratum[];
  /** Where the call is written. */
  readonly start: number;
  readonly end: number;
}

/** The order of rows that are numbered. Of one that is uncertain only the planner knows whether it is one of time. */
export type RankOrder =
  | 'event time'
  | 'processing time'
  | 'latest event time'
  | 'latest processing time'
  | 'uncertain'
  | 'other';

/** How many of the numbered rows of each part a condition leaves: those with the number 1, those with one other number, or the first ones;
 * `open` for those from a number on, to which there is no end.
 */
export type RankLimit = 'first' | 'one' | 'some' | 'open';

/** The rows of a query when all that are numbered are wanted: OVER takes appended rows, in order of time. */
export function allRows({ changes, numbered }: QueryRows, context: ChangesContext): Changes {
  if (numbered === undefined) return changes;
  const { input, order, start, end, name, isAscending } = numbered;
  if (!isAscending) {
    refuseOrder(numbered, `${name} of all rows takes the ascending order of one column`, context);
    return appended;
  }
  if (order === 'other' || order === 'uncertain') {
    if (order === 'other') requireConstruct('OVER in an order that is not of time', { start, end }, context);
    return changing(input, { what: 'OVER in an order that is not of time', start, end }, changes.keys);
  }
  requireAppend(input, { operator: 'OVER', start, end }, context);
  return appended;
}

/** The numbered rows that a condition leaves: the latest or first row of each key, or a Top-N. */
export function firstRows(numbered: Numbered, limit: RankLimit, context: ChangesContext): Changes {
  const { input, parts, position, name, ofWindows, order, start, end } = numbered;
  const isRowNumber = name === 'ROW_NUMBER';
  if (limit === 'open') {
    refuseOrder(
      numbered,
      `the condition on ${name} sets no last number, and all rows after one cannot be kept`,
      context,
    );
  } else if (!isRowNumber) {
    const message = `${name} does not number the first rows on streams`;
    context.refuse({ name: 'over-window', message, hint: 'write ROW_NUMBER', start, end });
  }
  if (ofWindows !== undefined) {
    requireAppend(input, { operator: 'ROW_NUMBER over windows', start, end }, context);
    if (ofWindows === 'processing') {
      const message = 'the first rows of windows of processing time, which the engine does not support';
      context.refuse({ name: 'over-window', message, hint: 'use windows of event time', start, end });
    }
    return appended;
  }
  if (order === 'other') for (const one of numbered.errata) context.erratum?.(one);
  const byParts = isRowNumber ? partKeys(parts, position, limit) : [];
  // Changes of a row are found within its part only
  const ofInput = input.keys.filter((key) => parts?.every((part) => key.includes(part)));
  const keys = distinctKeys([...byParts, ...ofInput]);
  const isTime = order.endsWith('time') && isRowNumber && limit === 'first';
  const isFirstRow = isTime && (order === 'event time' || order === 'processing time');
  if (isTime && !isAppend(input)) {
    requireConstruct('the first row by time of rows that change', { start, end }, context);
  }
  // Otherwise a first row by event time is replaced when an earlier one comes late
  const isLasting =
    order === 'processing time' || has('first rows by event time that are only appended', context);
  if (isFirstRow && isAppend(input) && isLasting) return { ...appended, keys };
  const cause: ChangeCause = {
    what: limit === 'first' ? 'the first row of each key' : 'the first rows of each part',
    start,
    end,
  };
  const isUnseen =
    isRowNumber &&
    limit === 'first' &&
    order === 'other' &&
    !numbered.isLatest &&
    isAppend(input) &&
    mayMiss(context);
  const replaced = withUnique(changing(input, cause, keys), uniqueSets(input));
  const isKept = isRowNumber && limit === 'first' && isAppend(input);
  const changes: Changes = isKept ? { ...replaced, isKept } : replaced;
  return isUnseen ? { ...changes, unseen: { start, end } } : changes;
}

function refuseOrder({ start, end }: Numbered, message: string, { refuse }: ChangesContext): void {
  const hint = 'keep the first rows by a condition such as "number <= 3" in the query around it';
  refuse({ name: 'over-window', message, hint, start, end });
}

/** A row has the columns of its part, and its number where a part has several. */
function partKeys(parts: Key | undefined, position: number | undefined, limit: RankLimit): readonly Key[] {
  if (parts === undefined || limit === 'one') return [];
  if (limit === 'first') return [parts];
  return position === undefined ? [] : [[...parts, position]];
}
