import {
  appended,
  type ChangeCause,
  type Changes,
  changing,
  distinctKeys,
  isAppend,
  type Key,
} from './changes.ts';
import { type ChangesContext, type QueryRows, requireAppend } from './changes-context.ts';

/** A column with the number of each row among those of its part, as `ROW_NUMBER() OVER (...)` gives it. */
export interface Numbered {
  /** Position of the column with the number; undefined where it is not selected. */
  readonly position: number | undefined;
  readonly isRowNumber: boolean;
  /** Positions of the columns that make the parts; undefined where one of them is not selected. */
  readonly parts: Key | undefined;
  /** Each window of time is a part. */
  readonly ofWindows: boolean;
  readonly order: 'event time' | 'processing time' | 'latest event time' | 'latest processing time' | 'other';
  /** The rows that are numbered. */
  readonly input: Changes;
  /** Where the call is written. */
  readonly start: number;
  readonly end: number;
}

/** How many of the numbered rows of each part a condition leaves: those with the number 1, those with one other number, or the first ones. */
export type RankLimit = 'first' | 'one' | 'some';

/** The rows of a query when all that are numbered are wanted: OVER takes appended rows, in order of time. */
export function allRows({ changes, numbered }: QueryRows, context: ChangesContext): Changes {
  if (numbered === undefined) return changes;
  const { input, order, start, end } = numbered;
  if (order === 'other' && context.since('2.0')) {
    return changing(input, { what: 'OVER in an order that is not of time', start, end }, changes.keys);
  }
  requireAppend(input, { operator: 'OVER', start, end }, context);
  return appended;
}

/** The numbered rows that a condition leaves: the latest or first row of each key, or a Top-N. */
export function firstRows(numbered: Numbered, limit: RankLimit, { since }: ChangesContext): Changes {
  const { input, parts, position, isRowNumber, ofWindows, order, start, end } = numbered;
  if (ofWindows) return appended;
  const byParts = isRowNumber ? partKeys(parts, position, limit) : [];
  const keys = distinctKeys([...byParts, ...input.keys]);
  const isTime = order !== 'other' && isRowNumber && limit === 'first';
  const isFirstRow = isTime && (order === 'event time' || order === 'processing time');
  // Before 2.0 a first row by event time is replaced when an earlier one comes late
  if (isFirstRow && isAppend(input) && (order === 'processing time' || since('2.0')))
    return { ...appended, keys };
  const cause: ChangeCause = {
    what: limit === 'first' ? 'the first row of each key' : 'the first rows of each part',
    start,
    end,
  };
  return changing(input, cause, keys);
}

/** A row has the columns of its part, and its number where a part has several. */
function partKeys(parts: Key | undefined, position: number | undefined, limit: RankLimit): readonly Key[] {
  if (parts === undefined || limit === 'one') return [];
  if (limit === 'first') return [parts];
  return position === undefined ? [] : [[...parts, position]];
}
