import { nodeRelation } from '../columns/node-relation.ts';
import { sourceEventTime } from '../columns/read-event-time.ts';
import { sourceColumns } from '../columns/source-columns.ts';
import type { Definition } from '../parse/definition.ts';
import { isTold } from '../parse/is-told.ts';
import { nodeId } from '../resolve/node-id.ts';
import type { NodeInference } from './node-inference.ts';

/** The columns and the event time that a source declares. */
export function inferSource(definition: Definition<'source'>): NodeInference {
  const eventTime = sourceEventTime(definition);
  const columns = sourceColumns(definition, eventTime);
  // A misspelt or wrong event time was reported, and any column may be meant
  const uncertain = isTold(definition.node, 'event_time.column')
    ? undefined
    : new Set(columns.columns.map(({ name }) => name));
  const relation = nodeRelation(nodeId('source', definition.name ?? ''), columns, uncertain);
  return { definition, sql: undefined, inputs: [], columns, eventTime, relation, diagnostics: [] };
}
