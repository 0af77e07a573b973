import { type Changes, isAppend } from '../changelog/changes.ts';
import type { EventTime, NodeColumn } from '../columns/nodes/node-columns.ts';
import type { InferredProject } from '../infer/infer-project.ts';
import type { Definition } from '../parse/definition.ts';
import { listAt, numberAt, textAt } from '../parse/known-value.ts';
import { placeOf } from '../parse/node-place.ts';
import { type NodeId, nodeId } from '../resolve/node-id.ts';
import type { ResolvedModel } from '../resolve/resolved-project.ts';
import type { SqlType } from '../types/sql-type.ts';
import { declaredType } from '../types/type-of-data-type.ts';
import { modelFormat } from './topic-schemas.ts';
import type { KnownColumn, TopicTable, ValueFormat } from './topic-table.ts';

/** The topic of a source, with the columns that it declares. */
export function sourceTopic(source: Definition<'source'>, project: InferredProject): TopicTable {
  const id = nodeId('source', source.name ?? '');
  const eventTime = project.eventTimes.get(id);
  const items = listAt(source.node, 'columns')?.items ?? [];
  const declared = items.flatMap((item): KnownColumn[] => {
    const name = textAt(item, 'name')?.value;
    if (name === undefined) return [];
    if (placeOf(item, 'proctime').node?.value === true)
      return [{ name, type: processingTimeType, processingTime: true }];
    const type = textAt(item, 'type');
    return [{ name, type: type === undefined ? undefined : declaredType(type.value) }];
  });
  return {
    node: id,
    topic: source.value?.topic ?? '',
    at: 'platform',
    rows: 'append',
    format: formatOf(source),
    columns: withEventTime(declared, eventTime),
    complete: items.length > 0 && declared.every(({ type }) => type !== undefined),
    key: [],
    eventTime,
    partitions: numberAt(source.node, 'partitions')?.value,
  };
}

/** The type of `PROCTIME()`. */
const processingTimeType: SqlType = { name: 'TIMESTAMP_LTZ', precision: 3, nullable: false };

/** The type of an event time that nothing declares. */
const eventTimeType: SqlType = { name: 'TIMESTAMP', precision: 3, nullable: true };

/** The column of the event time is there, whether the list has it or not. */
function withEventTime(
  columns: readonly KnownColumn[],
  eventTime: EventTime | undefined,
): readonly KnownColumn[] {
  if (eventTime === undefined) return columns;
  const { column } = eventTime;
  if (!columns.some(({ name }) => name === column))
    return [...columns, { name: column, type: eventTimeType }];
  return columns.map((one) =>
    one.name === column && one.type === undefined ? { ...one, type: eventTimeType } : one,
  );
}

function formatOf({ node }: Definition<'source'>): ValueFormat {
  const { node: format } = placeOf(node, 'schema.format');
  return format?.value === 'avro' || format?.value === 'protobuf' ? format.value : 'json';
}

/**
 * The topic of a model that no job describes: a virtual topic, or one that others write. Its columns, and how its rows change, are
 * those that are inferred.
 */
export function modelTopic(
  { id, name, definition, settings }: ResolvedModel,
  { columns, eventTimes, materialized, nodes }: InferredProject,
): TopicTable | undefined {
  const kind = materialized.get(name)?.kind;
  if (kind === undefined || kind === 'sink') return undefined;
  const isVirtual = kind === 'virtual_topic';
  const virtual = isVirtual ? textAt(definition.node, 'advanced.gateway.virtual_topic.name') : undefined;
  const topic = virtual?.value ?? settings.topicName?.value;
  if (topic === undefined) return undefined;
  const known = columns.get(id);
  const found = known?.columns ?? [];
  return {
    node: id,
    topic,
    at: isVirtual ? 'gateway' : 'platform',
    ...rowsOf(nodes.get(id)?.changes?.topic, found),
    format: modelFormat(definition).value,
    columns: found.map((column) => ({ name: column.name, type: column.type })),
    complete:
      known?.incomplete === undefined && found.length > 0 && found.every(({ type }) => type !== undefined),
    eventTime: eventTimes.get(id),
    partitions: isVirtual ? undefined : settings.partitions?.value,
  };
}

function rowsOf(
  changes: Changes | undefined,
  columns: readonly NodeColumn[],
): Pick<TopicTable, 'rows' | 'key'> {
  if (changes === undefined || isAppend(changes)) return { rows: 'append', key: [] };
  const key = (changes.keys[0] ?? []).flatMap((at) => columns[at]?.name ?? []);
  return key.length === 0 ? { rows: 'changelog', key } : { rows: 'upsert', key };
}

/** The node of a macro. */
export function macroNode(macro: { readonly macro: 'source' | 'ref'; readonly name: string }): NodeId {
  return nodeId(macro.macro === 'ref' ? 'model' : 'source', macro.name);
}
