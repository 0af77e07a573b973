import type { NodeId } from '../../resolve/node-id.ts';
import type { NodeColumn, NodeColumns } from '../nodes/node-columns.ts';
import { type Relation, type RelationColumn, relationOf } from './relation.ts';

/** What is known of a node besides its columns. */
export interface NodeFacts {
  /** Columns of which it is not known whether they are times. Default: none. */
  readonly uncertain?: ReadonlySet<string> | undefined;
  /** The column that a model names as its key. */
  readonly key?: string | undefined;
}

/** A node as the queries see it that read it: each column comes from itself. */
export function nodeRelation(
  node: NodeId,
  { columns, incomplete }: NodeColumns,
  { uncertain = new Set(), key }: NodeFacts = {},
): Relation {
  const listed = columns.map(
    ({ name, written, type, time, lost }): RelationColumn => ({
      name,
      ...(written === undefined ? {} : { written }),
      type,
      // One that is declared wrongly is no more sure than the others
      time: uncertain.has(name) && time !== 'processing' ? 'uncertain' : time,
      ...(lost === undefined ? {} : { lost }),
      origins: [{ node, column: name, through: 'identity' }],
    }),
  );
  const open =
    incomplete === undefined
      ? undefined
      : { reason: incomplete.reason, range: () => incomplete.range, nodes: [node] };
  return relationOf({
    columns: listed,
    open,
    key,
    undeclared: node.startsWith('model:') && !columns.some(isDeclared),
  });
}

/** Whether the type of a column is known because something declares it. */
function isDeclared({ type, origins }: NodeColumn): boolean {
  return type !== undefined && origins.length > 0 && origins.every(({ through }) => through === 'identity');
}
