import type { Call } from '@levada/stream-sql';
import type { SqlType } from '../../types/sql-type.ts';
import { checkWindowArguments } from '../checks/check-window-arguments.ts';
import { windowSizeMistake } from '../checks/check-window-size.ts';
import { checkWindowTime } from '../checks/check-window-time.ts';
import { type ExpressionPlace, useOf } from '../scope/expression-use.ts';
import { descriptorColumns, type FunctionInput, partitionInfluences } from './function-relation.ts';
import { influencesBy, mergeInfluences, through } from './merge-origins.ts';
import { type Relation, type RelationColumn, relationOf, type TimeState } from './relation.ts';

/** Where a window starts and ends is a timestamp without a zone, whatever its time column is. */
const bound: SqlType = { name: 'TIMESTAMP', precision: 3, nullable: false };

/** The rows of `TUMBLE`, `HOP`, `CUMULATE` or `SESSION` as a table: those of the input with the window of each. */
export function windowRelation(call: Call, input: FunctionInput, place: ExpressionPlace): Relation {
  const { relation } = input;
  checkWindowArguments(call, place);
  const mistake = windowSizeMistake(call);
  const isHop = call.name.at(-1)?.name.toUpperCase() === 'HOP';
  // The rows of HOP can be made all the same, only groups cannot
  const refused = isHop && mistake !== undefined ? { refusedInGroups: mistake } : {};
  if (!isHop && mistake !== undefined) place.context.report(mistake);
  const [descriptor] = descriptorColumns(call);
  const origins = descriptor === undefined ? [] : useOf(descriptor, input.place).origins;
  const time = descriptor === undefined ? undefined : place.context.columns.get(descriptor)?.column;
  if (descriptor !== undefined && time !== undefined) checkWindowTime(descriptor, time, place.context);
  const from = through('transformation', origins);
  const windowed: readonly RelationColumn[] = [
    { name: 'window_start', type: bound, time: undefined, origins: from, edge: 'start', ...refused },
    { name: 'window_end', type: bound, time: undefined, origins: from, edge: 'end', ...refused },
    { name: 'window_time', type: windowTimeType(time), time: windowTime(time), origins: from },
  ];
  return relationOf({
    ...relation,
    columns: [...relation.columns.map(behindWindow), ...windowed],
    influences: mergeInfluences([
      relation.influences,
      influencesBy('window', origins),
      partitionInfluences(input, 'window'),
    ]),
  });
}

/** Another window over the plain time of a window makes the planner fail: it takes `window_time`. */
function behindWindow(column: RelationColumn): RelationColumn {
  return column.time === undefined ? column : { ...column, time: 'uncertain' };
}

function windowTime(time: RelationColumn | undefined): TimeState {
  return time === undefined || time.time === undefined ? 'uncertain' : time.time;
}

function windowTimeType(time: RelationColumn | undefined): SqlType | undefined {
  if (time?.time === 'processing') return { name: 'TIMESTAMP_LTZ', precision: 3, nullable: false };
  const { type } = time ?? { type: undefined };
  if (type?.name !== 'TIMESTAMP' && type?.name !== 'TIMESTAMP_LTZ') return undefined;
  return { name: type.name, precision: 3, nullable: false };
}
