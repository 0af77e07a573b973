import type { InferredProject } from '../infer/infer-project.ts';
import type { NodeId } from '../resolve/node-id.ts';
import { createObjectMemory, type ObjectMemory } from '../resolve/object-memory.ts';
import { newestDialect } from '../types/functions/engine-dialect.ts';
import type { SqlType } from '../types/sql-type.ts';
import { type ReadResult, readColumns } from './read-columns.ts';
import type { TopicTable } from './topic-table.ts';

/** Types by node and column, of columns whose type nothing declares. */
export type AssumedTypes = ReadonlyMap<NodeId, ReadonlyMap<string, SqlType>>;

/**
 * The types with which queries can use columns that nothing declares, each as the first model in the graph that needs one that is
 * not text. A column that a model hands on has the type that its readers need, so that all jobs agree.
 */
export function assumedTypes(
  project: InferredProject,
  topicOf: (id: NodeId) => TopicTable | undefined,
  memory: ObjectMemory = createObjectMemory(),
): AssumedTypes {
  const { resolved, nodes } = project;
  const types = new Map<NodeId, Map<string, SqlType>>();
  for (const name of resolved.order) {
    const model = resolved.models.get(name);
    if (model?.sql?.parsed.query === undefined) continue;
    const topics = new Map<NodeId, TopicTable>();
    for (const { use, target } of model.inputs) {
      const topic = use === 'sql' && target !== undefined ? topicOf(target) : undefined;
      if (topic !== undefined) topics.set(topic.node, topic);
    }
    if ([...topics.values()].every(({ complete }) => complete)) continue;
    const { sql } = model;
    const dialect = nodes.get(model.id)?.dialect ?? newestDialect;
    const known = [...topics.keys()].map((id) => JSON.stringify([...(types.get(id) ?? [])]));
    const found = memory.remember(
      'assumed',
      { object: model, needs: [dialect, ...topics.values(), ...known] },
      () => typesOf(readColumns(model, sql, { dialect, topics, assumed: types })),
    );
    for (const { type, ...column } of found) {
      for (const origin of withOrigins(project, column)) {
        const all = types.get(origin.node) ?? new Map<string, SqlType>();
        if (!all.has(origin.column)) all.set(origin.column, type);
        types.set(origin.node, all);
      }
    }
  }
  return withEarlier(types, project, memory);
}

/** Columns of which nothing declares the type, where a query needs another than text. */
function typesOf({ columns }: ReadResult): readonly (ColumnOf & { readonly type: SqlType })[] {
  return [...columns].flatMap(([node, list]) =>
    list.flatMap(({ name: column, type, assumed }) =>
      assumed && type.name !== 'VARCHAR' ? [{ node, column, type }] : [],
    ),
  );
}

/** The same objects as before for nodes whose types are as before. */
function withEarlier(
  types: AssumedTypes,
  { resolved: { sources, models } }: InferredProject,
  memory: ObjectMemory,
): AssumedTypes {
  return new Map(
    [...types].map(([id, found]) => {
      const name = id.slice(id.indexOf(':') + 1);
      const object = id.startsWith('source:') ? sources.get(name) : models.get(name);
      if (object === undefined) return [id, found];
      const needs = [JSON.stringify([...found])];
      return [id, memory.remember('assumed by readers', { object, needs }, () => found)];
    }),
  );
}

interface ColumnOf {
  readonly node: NodeId;
  readonly column: string;
}

/** A column, and those that it is handed on from unchanged. */
function withOrigins(project: InferredProject, start: ColumnOf): readonly ColumnOf[] {
  const found: ColumnOf[] = [];
  const seen = new Set<string>();
  const waiting: ColumnOf[] = [start];
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    const id = `${one.node} ${one.column}`;
    if (seen.has(id)) continue;
    seen.add(id);
    found.push(one);
    const known = project.columns.get(one.node)?.byName.get(one.column);
    for (const { node, column, through } of known?.origins ?? []) {
      if (through === 'identity') waiting.push({ node, column });
    }
  }
  return found;
}
