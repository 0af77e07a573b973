import { isTimeKnown } from '../columns/nodes/is-time-known.ts';
import { sourceEventTime } from '../columns/nodes/read-event-time.ts';
import { sourceColumns } from '../columns/nodes/source-columns.ts';
import { nodeRelation } from '../columns/relations/node-relation.ts';
import type { Definition } from '../parse/definition.ts';
import { nodeId } from '../resolve/node-id.ts';
import type { NodeInference } from './node-inference.ts';

/** The columns and the event time that a source declares. */
export function inferSource(definition: Definition<'source'>): NodeInference {
  const eventTime = sourceEventTime(definition);
  const columns = sourceColumns(definition, eventTime);
  const uncertain = isTimeKnown(definition, 'event_time', { eventTime, columns })
    ? undefined
    : new Set(columns.columns.map(({ name }) => name));
  const relation = nodeRelation(nodeId('source', definition.name ?? ''), columns, { uncertain });
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
