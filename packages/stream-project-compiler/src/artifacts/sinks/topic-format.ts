import type { SchemaFormat } from '@levada/stream-project-schema';
import { keyFormatOf, type RecordKeyFormat } from '../../columns/nodes/key-format.ts';
import type { InferredProject } from '../../infer/infer-project.ts';
import { sourceTopic } from '../../jobs/node-topics.ts';
import { sinkRows } from '../../jobs/output-columns.ts';
import { modelFormat } from '../../jobs/topic-schemas.ts';
import { readKey, type TopicRows } from '../../jobs/topic-table.ts';
import { textAt } from '../../parse/known-value.ts';
import { placeOf } from '../../parse/node-place.ts';
import type { NodeId } from '../../resolve/node-id.ts';
import type { ResolvedModel } from '../../resolve/resolved-project.ts';

/** How the records of a topic are written. */
export interface TopicFormat {
  /** Whose topic it is. */
  readonly node: NodeId;
  /** Whether the project's own jobs write it. */
  readonly isWritten: boolean;
  /** Undefined where the project does not say it. */
  readonly value: SchemaFormat | undefined;
  /** Each JSON record carries its schema. */
  readonly hasSchema: boolean;
  /** Undefined where the project does not say it. */
  readonly key: RecordKeyFormat | undefined;
  /** Columns of values that find a row. */
  readonly keyColumns: readonly string[];
  readonly rows: TopicRows;
}

/** The format of the topic of a source, a model or, for a virtual topic, of what it shows. Undefined where it cannot be determined. */
export function topicFormat(project: InferredProject, node: NodeId): TopicFormat | undefined {
  const seen = new Set<NodeId>();
  for (let at: NodeId | undefined = node; at !== undefined && !seen.has(at); ) {
    seen.add(at);
    if (at.startsWith('source:')) return sourceFormat(project, at);
    const model: ResolvedModel | undefined = project.resolved.models.get(at.slice('model:'.length));
    if (model === undefined) return undefined;
    const kind = project.materialized.get(model.name)?.kind;
    if (kind === 'topic' || kind === 'engine') return writtenFormat(project, model);
    if (kind !== 'virtual_topic') return undefined;
    at = model.inputs[0]?.target;
  }
  return undefined;
}

function sourceFormat(project: InferredProject, node: NodeId): TopicFormat | undefined {
  const source = project.resolved.sources.get(node.slice('source:'.length));
  if (source === undefined) return undefined;
  const topic = sourceTopic(source, project);
  const { rows, columns, recordKey = [], written } = topic;
  const { node: format } = placeOf(source.node, 'schema.format');
  // Without "schema" values of changes are JSON to all jobs; other records may be of any format
  const isSaid = format?.known === true || (format === undefined && rows === 'changelog');
  const types = readKey(topic).key.map((name) => columns.find((column) => column.name === name)?.type);
  const hasReadKey = rows === 'upsert' || recordKey.length > 0;
  return {
    node,
    isWritten: false,
    value: isSaid ? topic.format : undefined,
    hasSchema: written?.embedded === true,
    key: hasReadKey ? keyFormatOf(types, written?.keyFormat) : written?.keyFormat,
    keyColumns: topic.key.some((name) => recordKey.includes(name)) ? [] : topic.key,
    rows,
  };
}

function writtenFormat(
  { columns, nodes }: InferredProject,
  { id, definition }: ResolvedModel,
): TopicFormat | undefined {
  const changes = nodes.get(id)?.changes;
  const known = columns.get(id);
  if (changes === undefined || known === undefined) return undefined;
  const format = modelFormat(definition);
  const { rows, key } = sinkRows(changes, known.columns, textAt(definition.node, 'key')?.value);
  return {
    node: id,
    isWritten: true,
    value: rows === 'changelog' ? 'json' : format.value,
    hasSchema: false,
    key: keyFormatOf(
      key.map((name) => known.byName.get(name)?.type),
      format.key,
    ),
    keyColumns: key,
    rows,
  };
}
