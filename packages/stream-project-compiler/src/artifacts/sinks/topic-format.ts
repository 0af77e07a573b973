import type { SchemaFormat } from '@levada/stream-project-schema';
import { isAppend } from '../../changelog/changes.ts';
import type { InferredProject } from '../../infer/infer-project.ts';
import { modelFormat } from '../../jobs/topic-schemas.ts';
import type { TopicRows } from '../../jobs/topic-table.ts';
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
  /** `none`: records have no key. `text`: a key is one text. Undefined where the project does not say it. */
  readonly key: 'none' | 'text' | 'json' | 'avro' | undefined;
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

function sourceFormat({ resolved }: InferredProject, node: NodeId): TopicFormat | undefined {
  const source = resolved.sources.get(node.slice('source:'.length));
  if (source === undefined) return undefined;
  const { node: format } = placeOf(source.node, 'schema.format');
  const value = format?.known === true ? (format.value as SchemaFormat) : undefined;
  return { node, isWritten: false, value, key: undefined, keyColumns: [], rows: 'append' };
}

function writtenFormat(
  { columns, nodes }: InferredProject,
  { id, definition }: ResolvedModel,
): TopicFormat | undefined {
  const changes = nodes.get(id)?.changes;
  const known = columns.get(id);
  if (changes === undefined || known === undefined) return undefined;
  const format = modelFormat(definition);
  const written = { node: id, isWritten: true };
  const named = textAt(definition.node, 'key')?.value;
  const given = known.byName.has(named ?? '') ? [named ?? ''] : [];
  const isAppended = isAppend(changes.query);
  const [found] = isAppended ? [] : changes.topic.keys;
  if (!isAppended && given.length === 0 && found === undefined)
    return { ...written, value: 'json', key: 'none', keyColumns: [], rows: 'changelog' };
  const keyColumns = given.length > 0 ? given : (found ?? []).flatMap((at) => known.columns[at]?.name ?? []);
  const type = keyColumns.length === 1 ? known.byName.get(keyColumns[0] ?? '')?.type?.name : undefined;
  const isText = type === 'VARCHAR' || type === 'CHAR' || type === 'VARBINARY';
  const key = keyColumns.length === 0 ? 'none' : (format.key ?? (isText ? 'text' : 'json'));
  return { ...written, value: format.value, key, keyColumns, rows: isAppended ? 'append' : 'upsert' };
}
