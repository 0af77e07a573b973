import type {
  ColumnInfluence,
  ColumnOrigin,
  ColumnRef,
  NodeColumn,
  NodeColumns,
} from '../columns/nodes/node-columns.ts';
import type { InferredProject } from '../infer/infer-project.ts';
import { type NodeId, nodeId } from '../resolve/node-id.ts';
import type { Reference } from '../resolve/reference.ts';
import type { Edge } from '../resolve/resolved-project.ts';

/** Columns of every source, model and exposure, with the columns that each is made of. */
export interface ColumnGraph {
  /** Sources, then models, each after the models that it reads, then exposures. */
  readonly nodes: ReadonlyMap<NodeId, NodeColumns>;
  /** The edges in the other direction, from a column to what is made of it. Computed at the first call. */
  readonly reversed: () => ReversedColumns;
}

/** The uses of columns. */
interface ReversedColumns {
  /** Edges to the columns that are made of a column. */
  readonly edges: (column: ColumnRef) => readonly ColumnEdge[];
  /** Nodes whose rows a column decides about. */
  readonly influences: (column: ColumnRef) => readonly InfluenceEdge[];
  /** Nodes that read a node. */
  readonly readers: (node: NodeId) => readonly NodeId[];
}

/** The columns of a project. An exposure has all columns of what it consumes: nothing says which of them it looks at. */
export function columnGraph(project: InferredProject): ColumnGraph {
  const nodes = columnsByNode(project);
  let reversed: ReversedColumns | undefined;
  return {
    nodes,
    reversed: () => {
      reversed ??= reverse(nodes, project.resolved.edges);
      return reversed;
    },
  };
}

/** A column as one text. Names of nodes have no line break. */
export function columnKey({ node, column }: ColumnRef): string {
  return `${node}\n${column}`;
}

function columnsByNode({ resolved, columns }: InferredProject): ReadonlyMap<NodeId, NodeColumns> {
  const found = new Map<NodeId, NodeColumns>();
  const ids = [
    ...[...resolved.sources.keys()].map((name) => nodeId('source', name)),
    ...resolved.order.map((name) => nodeId('model', name)),
  ];
  for (const id of ids) {
    const known = columns.get(id);
    if (known !== undefined) found.set(id, known);
  }
  for (const { id, sql, inputs } of resolved.models.values()) {
    if (sql === undefined && !found.has(id)) found.set(id, handedOn(inputs, columns));
  }
  for (const { id, consumes } of resolved.exposures.values()) found.set(id, handedOn(consumes, columns));
  return found;
}

/** All columns of several nodes. Those of one name are one column with several origins. */
function handedOn(references: readonly Reference[], columns: ReadonlyMap<NodeId, NodeColumns>): NodeColumns {
  const byName = new Map<string, NodeColumn & { readonly origins: ColumnOrigin[] }>();
  const seen = new Set<NodeId>();
  let incomplete: NodeColumns['incomplete'];
  for (const { target, range } of references) {
    const given = target === undefined ? undefined : columns.get(target);
    if (target === undefined || given === undefined || seen.has(target)) continue;
    seen.add(target);
    for (const { name, type } of given.byName.values()) {
      const origin: ColumnOrigin = { node: target, column: name, through: 'identity' };
      const known = byName.get(name);
      if (known === undefined) byName.set(name, { name, type, time: undefined, origins: [origin], range });
      else known.origins.push(origin);
    }
    if (given.incomplete !== undefined) incomplete ??= { reason: given.incomplete.reason, range: range() };
  }
  const facts = { columns: [...byName.values()], byName, influences: [] };
  return incomplete === undefined ? facts : { ...facts, incomplete };
}

function reverse(nodes: ReadonlyMap<NodeId, NodeColumns>, all: readonly Edge[]): ReversedColumns {
  const ids = [...nodes.keys()];
  const edges = Map.groupBy(
    ids.flatMap((node) => columnEdgesInto(nodes, node)),
    ({ from }) => columnKey(from),
  );
  const influences = Map.groupBy(
    ids.flatMap((node) => influenceEdgesInto(nodes, node)),
    ({ from }) => columnKey(from),
  );
  const readers = Map.groupBy(all, ({ from }) => from);
  return {
    edges: (column) => edges.get(columnKey(column)) ?? [],
    influences: (column) => influences.get(columnKey(column)) ?? [],
    readers: (node) => (readers.get(node) ?? []).map(({ to }) => to),
  };
}

/** Parts of a graph to show in addition to its nodes and edges. */
export interface LineageOptions {
  /** Columns, and what they are made of. Default: none. */
  readonly columns?: ColumnGraph;
}

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

/** Edges to a node's columns, in order of the columns. Of two columns with one name the first counts. */
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

/** Edges from the columns that decide about the rows of a node. */
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
