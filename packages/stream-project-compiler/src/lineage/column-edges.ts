import type { ColumnInfluence, ColumnOrigin, ColumnRef, NodeColumns } from '../columns/nodes/node-columns.ts';
import type { NodeId } from '../resolve/node-id.ts';

/** A column that is made of another one, and the most that happens to it on the way. */
export interface ColumnEdge {
  readonly from: ColumnRef;
  readonly to: ColumnRef;
  readonly through: ColumnOrigin['through'];
}

/** A column that decides which rows a node has. */
export interface InfluenceEdge {
  readonly from: ColumnRef;
  readonly to: NodeId;
  readonly by: ColumnInfluence['by'];
}

/** What a node's columns are made of, in order of the columns. Of two columns with one name the first counts. */
export function columnEdgesInto(
  nodes: ReadonlyMap<NodeId, NodeColumns>,
  node: NodeId,
): readonly ColumnEdge[] {
  const given = nodes.get(node);
  if (given === undefined) return [];
  return [...given.byName.values()].flatMap(({ name, origins }) =>
    origins.map((origin) => ({
      from: { node: origin.node, column: origin.column },
      to: { node, column: name },
      through: origin.through,
    })),
  );
}

/** What decides about the rows of a node. */
export function influenceEdgesInto(
  nodes: ReadonlyMap<NodeId, NodeColumns>,
  node: NodeId,
): readonly InfluenceEdge[] {
  return (nodes.get(node)?.influences ?? []).map(({ by, ...from }) => ({
    from: { node: from.node, column: from.column },
    to: node,
    by,
  }));
}
