import { plain, text, time, withNullable } from '../make-type.ts';
import type { SqlType } from '../sql-type.ts';
import { always, functionTable, gives, like, type TypedCall } from './function-row.ts';

const STRING = text('VARCHAR');
const BIGINT = plain('BIGINT');
const NOW = time('TIMESTAMP_LTZ', 3, false);

/** Units that a date has room for. */
const DATE_UNITS = new Set(['YEAR', 'QUARTER', 'MONTH', 'WEEK', 'DAY']);

/** `TIMESTAMPADD(HOUR, 1, dt)` of a date is a timestamp; of a whole day it stays a date. */
function shifted({ types, node, nullable }: TypedCall): SqlType | undefined {
  const type = types[1];
  if (type?.name !== 'DATE') return withNullable(type, nullable);
  const unit = node.arguments[0]?.value;
  const stays = unit?.kind === 'time-unit' && DATE_UNITS.has(unit.unit);
  return stays ? withNullable(type, nullable) : time('TIMESTAMP', 6, nullable);
}

/** Functions over dates, times and timestamps. A unit of time is no argument here. */
export const timeFunctions = functionTable([
  ['YEAR QUARTER MONTH WEEK DAYOFYEAR DAYOFMONTH DAYOFWEEK', ['day'], gives(BIGINT)],
  ['HOUR MINUTE SECOND', ['instant'], gives(BIGINT)],
  ['EXTRACT', ['any'], gives(BIGINT)],
  ['TIMESTAMPDIFF', ['day', 'day'], gives(plain('INT'))],
  ['TIMESTAMPADD', ['integer', 'instant'], shifted],
  ['DATE_FORMAT', ['text-or-timestamp', 'text'], always(STRING)],
  ['NOW CURRENT_TIMESTAMP CURRENT_ROW_TIMESTAMP PROCTIME', ['integer?'], always(NOW)],
  ['LOCALTIMESTAMP', ['integer?'], always(time('TIMESTAMP', 3, false))],
  ['LOCALTIME CURRENT_TIME', ['integer?'], always(time('TIME', 0, false))],
  ['CURRENT_DATE', [], always(plain('DATE', false))],
  ['UNIX_TIMESTAMP', ['text?', 'text?'], gives(BIGINT)],
  ['FROM_UNIXTIME', ['integer', 'text?'], always(STRING)],
  ['TO_TIMESTAMP', ['text', 'text?'], always(time('TIMESTAMP', 3))],
  ['TO_TIMESTAMP_LTZ', ['text-or-number', 'any?', 'text?'], always(time('TIMESTAMP_LTZ', 3))],
  ['TO_DATE', ['text', 'text?'], always(plain('DATE'))],
  ['CONVERT_TZ', ['text', 'text', 'text'], always(STRING)],
  ['CURRENT_WATERMARK', ['timestamp'], ({ types: [type] }) => withNullable(type, true)],
  ['SOURCE_WATERMARK', [], always(time('TIMESTAMP_LTZ', 3))],
  ['CURRENT_DATABASE', [], always(text('VARCHAR', undefined, false))],
]);

/** `FLOOR(ts TO HOUR)` */
export const roundedTime = { operands: ['instant'], result: like(0) } as const;
