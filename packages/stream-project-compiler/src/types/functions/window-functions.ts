import { time } from '../make-type.ts';
import type { SqlType } from '../sql-type.ts';
import { isTime } from '../type-families.ts';
import { always, functionTable, type TypedCall } from './function-row.ts';

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
