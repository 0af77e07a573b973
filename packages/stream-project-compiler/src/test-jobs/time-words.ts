import type { Refusal } from '../jobs/refusal.ts';
import { interval } from '../jobs/text/durations.ts';
import { typeName } from '../types/print-type.ts';
import type { SqlType } from '../types/sql-type.ts';
import { isTime } from '../types/type-families.ts';

const DAY = 24 * 60 * 60 * 1000;

/** Intervals of the engine have no more digits of days. */
const MAX_DAYS = 999;

/** An interval of the engine, or why there is none of that length. */
export function boundedInterval(ms: number): { readonly sql: string } | Refusal {
  const days = Math.ceil(ms / DAY);
  if (days > MAX_DAYS)
    return { refused: `it is about ${days} days, and the engine counts ${MAX_DAYS} at most` };
  return { sql: interval(Math.round(ms)) };
}

/** The time before now, as times of a type are compared with: sessions of tests have the zone UTC. */
export function ago(type: SqlType, ms: number): { readonly sql: string } | Refusal {
  if (!isTime(type)) return { refused: `it compares times, and the column is read as ${typeName(type)}` };
  const length = boundedInterval(ms);
  if ('refused' in length) return length;
  const now = type.name === 'TIMESTAMP' ? 'LOCALTIMESTAMP' : 'CURRENT_TIMESTAMP';
  return { sql: `${now} - ${length.sql}` };
}

const units: Readonly<Record<string, number>> = { SECOND: 1000, MINUTE: 60_000, HOUR: 3_600_000, DAY };

/** Milliseconds of a window such as `1 HOUR`; undefined for what is none. */
export function windowLength(text: string): number | undefined {
  const [, count = '', unit = ''] = /^(\d+) +([A-Z]+?)S?$/i.exec(text) ?? [];
  const length = units[unit.toUpperCase()];
  return length === undefined ? undefined : Number(count) * length;
}
