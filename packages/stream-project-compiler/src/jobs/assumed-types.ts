import type { InferredProject } from '../infer/infer-project.ts';
import type { NodeId } from '../resolve/node-id.ts';
import { newestDialect } from '../types/functions/engine-dialect.ts';
import type { SqlType } from '../types/sql-type.ts';
import { readColumns } from './read-columns.ts';
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
    const dialect = nodes.get(model.id)?.dialect ?? newestDialect;
    const { columns } = readColumns(model, model.sql, { dialect, topics, assumed: types });
    for (const [node, list] of columns) {
      for (const { name: column, type, assumed } of list) {
        if (!assumed || type.name === 'VARCHAR') continue;
        for (const origin of withOrigins(project, { node, column })) {
          const known = types.get(origin.node) ?? new Map<string, SqlType>();
          if (!known.has(origin.column)) known.set(origin.column, type);
          types.set(origin.node, known);
        }
      }
    }
  }
  return types;
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
