import type { KeyFormat, SourceChangelog } from '@levada/stream-project-schema';
import { type Changes, isAppend } from '../changelog/changes.ts';
import type { EventTime, NodeColumn } from '../columns/nodes/node-columns.ts';
import {
  columnExpression,
  columnMetadata,
  isProcessingTimeColumn,
  isRecordKey,
  sourceChangelog,
  sourceKey,
} from '../columns/nodes/source-form.ts';
import type { InferredProject } from '../infer/infer-project.ts';
import type { Definition } from '../parse/definition.ts';
import { listAt, numberAt, type TextNode, textAt } from '../parse/known-value.ts';
import { placeOf } from '../parse/node-place.ts';
import { type NodeId, nodeId } from '../resolve/node-id.ts';
import type { ResolvedModel } from '../resolve/resolved-project.ts';
import type { SqlType } from '../types/sql-type.ts';
import { withoutVariables } from './text/sql-words.ts';
import { modelFormat } from './topic-schemas.ts';
import type { KnownColumn, TopicRows, TopicTable, ValueFormat, WrittenFormat } from './topic-table.ts';

/** The topic of a source, with the columns that it declares. */
export function sourceTopic(source: Definition<'source'>, project: InferredProject): TopicTable {
  const id = nodeId('source', source.name ?? '');
  const eventTime = project.eventTimes.get(id);
  const items = listAt(source.node, 'columns')?.items ?? [];
  const declared = items.flatMap((item): KnownColumn[] => {
    const name = textAt(item, 'name')?.value;
    if (name === undefined) return [];
    if (isProcessingTimeColumn(item)) return [{ name, type: processingTimeType, processingTime: true }];
    const type = project.columns.get(id)?.byName.get(name)?.type;
    const expression = columnExpression(item);
    if (expression !== undefined) return [{ name, type, computed: expressionText(expression) }];
    const metadata = columnMetadata(item)?.from;
    return [{ name, type, ...(metadata === undefined ? {} : { metadata, exact: true }) }];
  });
  const recordKey = items.flatMap((item) => (isRecordKey(item) ? (textAt(item, 'name')?.value ?? []) : []));
  return {
    node: id,
    topic: source.value?.topic ?? '',
    at: 'platform',
    rows: rowsOfChangelog[sourceChangelog(source)],
    format: formatOf(source),
    columns: withEventTime(declared, eventTime),
    complete: items.length > 0 && declared.every(({ type }) => type !== undefined),
    key: sourceKey(source).map(({ value }) => value),
    ...(recordKey.length > 0 ? { recordKey } : {}),
    eventTime,
    partitions: numberAt(source.node, 'partitions')?.value,
    written: readFormat(source),
  };
}

const rowsOfChangelog: { readonly [K in SourceChangelog]: TopicRows } = {
  append: 'append',
  upsert: 'upsert',
  debezium: 'changelog',
};

/** An expression as it is written; a comment at its end needs a line of its own. */
function expressionText({ value, scalar, interpolated }: TextNode): string {
  const text = interpolated === undefined ? withoutVariables(value) : String(scalar.value);
  return /--|\/\/|#/.test(value) ? `${text}\n` : text;
}

function readFormat({ node }: Definition<'source'>): WrittenFormat {
  return {
    keyFormat: textAt(node, 'schema.key_format')?.value as KeyFormat | undefined,
    keySchema: undefined,
    valueSchema: undefined,
    subject: undefined,
    className: textAt(node, 'schema.message_class')?.value,
    embedded: placeOf(node, 'schema.embedded').node?.value === true,
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
