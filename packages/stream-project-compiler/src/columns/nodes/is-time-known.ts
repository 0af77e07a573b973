import type { Definition } from '../../parse/definition.ts';
import { isTold } from '../../parse/is-told.ts';
import { placeOf } from '../../parse/node-place.ts';
import type { SqlType } from '../../types/sql-type.ts';
import type { EventTime } from './event-time.ts';
import type { NodeColumns } from './node-columns.ts';

/** The most digits after the second that a watermark can be for. */
const MAX_DIGITS = 3;

/** Whether the engine takes a watermark for a column of this type. */
export function takesWatermark(type: SqlType): boolean {
  return (type.name === 'TIMESTAMP' || type.name === 'TIMESTAMP_LTZ') && type.precision <= MAX_DIGITS;
}

/** What a node says of its time. */
export interface TimeFacts {
  readonly eventTime: EventTime | undefined;
  readonly columns: NodeColumns;
}

/**
 * Whether it is known which column is the event time of a node. A misspelt, missing or wrong one was reported, and any column may
 * be meant: that a window or join reads one of them is no second mistake.
 */
export function isTimeKnown(
  { node }: Definition<'source'> | Definition<'model'>,
  section: 'event_time' | 'advanced.event_time',
  { eventTime, columns }: TimeFacts,
): boolean {
  if (!isTold(node, `${section}.column`)) return false;
  if (eventTime === undefined) return placeOf(node, section).node === undefined;
  if (eventTime.inherited) return true;
  const column = columns.byName.get(eventTime.column);
  if (column === undefined) return false;
  return column.time !== 'processing' && (column.type === undefined || takesWatermark(column.type));
}
