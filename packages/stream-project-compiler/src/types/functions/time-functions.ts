import { plain, type SqlType, text, time, withNullable } from '../sql-type.ts';
import { isText, isTime } from '../type-families.ts';
import { always, functionTable, gives, like, type Refusal, type TypedCall } from './function-row.ts';

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

/** Two points in time of which one has a zone and the other has none. */
const ZONE_OF_ONE: Refusal = {
  expected: 'expected two times with or two without a zone',
  hint: 'write LOCALTIMESTAMP beside TIMESTAMP, CURRENT_TIMESTAMP beside TIMESTAMP_LTZ, or CAST',
};

function difference({ types: [from, to], nullable }: TypedCall): SqlType | Refusal {
  const zones = [from, to].map((type) => type?.name === 'TIMESTAMP_LTZ');
  const known = from !== undefined && to !== undefined && from.name !== 'NULL' && to.name !== 'NULL';
  return known && zones[0] !== zones[1] ? ZONE_OF_ONE : plain('INT', nullable);
}

/** A number with its precision, or a text with its format. */
const NUMBER_OR_TEXT: Refusal = {
  expected: 'expected a number and its precision, or a text and its format',
  hint: "write TO_TIMESTAMP_LTZ(number, 3), or TO_TIMESTAMP_LTZ(text, 'yyyy-MM-dd HH:mm:ss')",
};

function localTimestamp({ types: [value, second] }: TypedCall): SqlType | Refusal {
  const known =
    value !== undefined && second !== undefined && second.name !== 'NULL' && value.name !== 'NULL';
  return known && isText(value) !== isText(second) ? NUMBER_OR_TEXT : time('TIMESTAMP_LTZ', 3);
}

/** Functions over dates, times and timestamps. A unit of time is no argument here. */
export const timeFunctions = functionTable([
  ['YEAR QUARTER MONTH WEEK DAYOFYEAR DAYOFMONTH DAYOFWEEK', ['day'], gives(BIGINT)],
  ['HOUR MINUTE SECOND', ['instant'], gives(BIGINT)],
  ['EXTRACT', ['dated'], gives(BIGINT)],
  ['TIMESTAMPDIFF', ['day', 'day'], difference],
  ['TIMESTAMPADD', ['integer', 'instant'], shifted],
  ['DATE_FORMAT', ['text-or-timestamp', 'text'], always(STRING)],
  ['NOW CURRENT_TIMESTAMP CURRENT_ROW_TIMESTAMP PROCTIME', [], always(NOW)],
  ['LOCALTIMESTAMP', [], always(time('TIMESTAMP', 3, false))],
  ['LOCALTIME CURRENT_TIME', ['integer?'], always(time('TIME', 0, false))],
  ['CURRENT_DATE', [], always(plain('DATE', false))],
  ['UNIX_TIMESTAMP', ['text?', 'text?'], gives(BIGINT)],
  ['FROM_UNIXTIME', ['integer', 'text?'], always(STRING)],
  ['TO_TIMESTAMP', ['text', 'text?'], always(time('TIMESTAMP', 3))],
  ['TO_TIMESTAMP_LTZ', ['text-or-number', 'text-or-integer?', 'text?'], localTimestamp],
  ['TO_DATE', ['text', 'text?'], always(plain('DATE'))],
  ['CONVERT_TZ', ['text', 'text', 'text'], always(STRING)],
  ['CURRENT_WATERMARK', ['timestamp'], ({ types: [type] }) => withNullable(type, true)],
  ['SOURCE_WATERMARK', [], always(time('TIMESTAMP_LTZ', 3))],
  ['CURRENT_DATABASE', [], always(text('VARCHAR', undefined, false))],
]);

/** `FLOOR(ts TO HOUR)` */
export const roundedTime = { operands: ['instant'], result: like(0) } as const;

/** Where a window starts and ends is a timestamp without a zone, whatever the time column is. */
const BOUND = time('TIMESTAMP', 3, false);

/** The time of a window is of the type of its time column. */
function rowtime({ types: [type] }: TypedCall): SqlType | undefined {
  return type !== undefined && isTime(type) ? type : undefined;
}

/** Windows in GROUP BY, and what may be asked about them. */
export const windowFunctions = functionTable([
  // In FROM they take other arguments than in GROUP BY
  ['TUMBLE HOP SESSION CUMULATE', ['any*'], () => undefined],
  ['TUMBLE_START TUMBLE_END SESSION_START SESSION_END', ['any', 'any', 'any?'], always(BOUND)],
  ['HOP_START HOP_END', ['any', 'any', 'any', 'any?'], always(BOUND)],
  ['TUMBLE_ROWTIME SESSION_ROWTIME', ['any', 'any', 'any?'], rowtime],
  ['HOP_ROWTIME', ['any', 'any', 'any', 'any?'], rowtime],
  ['TUMBLE_PROCTIME SESSION_PROCTIME', ['any', 'any', 'any?'], always(time('TIMESTAMP_LTZ', 3, false))],
  ['HOP_PROCTIME', ['any', 'any', 'any', 'any?'], always(time('TIMESTAMP_LTZ', 3, false))],
]);
