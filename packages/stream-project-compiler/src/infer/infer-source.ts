import type { EventTime } from '../columns/nodes/event-time.ts';
import { sourceEventTime } from '../columns/nodes/read-event-time.ts';
import { sourceColumns } from '../columns/nodes/source-columns.ts';
import { nodeRelation } from '../columns/relations/node-relation.ts';
import type { Definition } from '../parse/definition.ts';
import { isTold } from '../parse/is-told.ts';
import { nodeId } from '../resolve/node-id.ts';
import type { NodeInference } from './node-inference.ts';

/** The columns and the event time that a source declares. */
export function inferSource(definition: Definition<'source'>): NodeInference {
  const eventTime = sourceEventTime(definition);
  const columns = sourceColumns(definition, eventTime);
  const names = new Set(columns.columns.map(({ name }) => name));
  const uncertain = isTimeKnown(definition, eventTime, names) ? undefined : names;
  const relation = nodeRelation(nodeId('source', definition.name ?? ''), columns, uncertain);
  return {
    definition,
    sql: undefined,
    dialect: undefined,
    inputs: [],
    columns,
    eventTime,
    relation,
    diagnostics: [],
  };
}

/** A misspelt, missing or wrong event time was reported, and any column may be meant. */
function isTimeKnown(
  { node }: Definition<'source'>,
  eventTime: EventTime | undefined,
  names: ReadonlySet<string>,
): boolean {
  if (!isTold(node, 'event_time.column')) return false;
  return eventTime === undefined ? !node.entries.has('event_time') : names.has(eventTime.column);
}
