import type { ColumnRef } from '../columns/nodes/node-columns.ts';
import type { NodeId } from '../resolve/node-id.ts';
import type { TextRange } from '../text/range.ts';
import {
  type ColumnEdge,
  type ColumnGraph,
  columnKey,
  type InfluenceEdge,
  influenceEdgesInto,
} from './column-graph.ts';

/** Which column, and which way. */
export interface ColumnLineageQuery extends ColumnRef {
  /** `upstream`: what it is made of. `downstream`: what is made of it. */
  readonly direction: 'upstream' | 'downstream';
}

/** A node whose columns cannot all be determined, so that the lineage may continue there without being shown. */
export interface LineageGap {
  readonly node: NodeId;
  readonly reason: string;
  readonly range: TextRange;
}

/** Where a column comes from, or where it goes. */
export interface ColumnLineage extends ColumnLineageQuery {
  /** Every step, each once, nearest first. */
  readonly steps: readonly ColumnEdge[];
  /**
   * Upstream: columns that decide which rows the nodes on the way have. Downstream: nodes whose rows a column on the way
   * decides about. They are no part of any value, and are not followed further.
   */
  readonly influences: readonly InfluenceEdge[];
  /** Upstream: nodes that do not list a column on the way. Downstream: readers of a node on the way. */
  readonly gaps: readonly LineageGap[];
  /** Exposures that see the column; downstream only. */
  readonly exposures: readonly NodeId[];
}

/** The transitive lineage of a column; one that its node does not have leads nowhere. Takes time linear in the answer. */
export function columnLineage(graph: ColumnGraph, query: ColumnLineageQuery): ColumnLineage {
  const { node, column, direction } = query;
  const facts = direction === 'upstream' ? upstreamOf(graph, query) : downstreamOf(graph, query);
  return { node, column, direction, ...facts };
}

type LineageFacts = Omit<ColumnLineage, keyof ColumnLineageQuery>;

function upstreamOf(graph: ColumnGraph, start: ColumnRef): LineageFacts {
  const columnAt = ({ node, column }: ColumnRef) => graph.nodes.get(node)?.byName.get(column);
  const { steps, columns } = follow(start, (to) =>
    (columnAt(to)?.origins ?? []).map(({ node, column, through }) => {
      const from = { node, column };
      return { next: from, edge: { from, to, through } };
    }),
  );
  const unlisted = columns.filter((column) => columnAt(column) === undefined);
  return {
    steps,
    influences: nodesOf(columns).flatMap((node) => influenceEdgesInto(graph.nodes, node)),
    gaps: gapsOf(graph, nodesOf(unlisted)),
    exposures: [],
  };
}

function downstreamOf(graph: ColumnGraph, start: ColumnRef): LineageFacts {
  const { edges, influences, readers } = graph.reversed();
  const { steps, columns } = follow(start, (column) =>
    edges(column).map((edge) => ({ next: edge.to, edge })),
  );
  const nodes = nodesOf(columns);
  return {
    steps,
    influences: columns.flatMap((column) => influences(column)),
    gaps: gapsOf(graph, [...new Set(nodes.flatMap((node) => readers(node)))]),
    exposures: nodes.filter((node) => node.startsWith('exposure:')),
  };
}

interface Step {
  readonly next: ColumnRef;
  readonly edge: ColumnEdge;
}

/** Breadth first over the columns that steps lead to, each looked at once. */
function follow(
  { node, column }: ColumnRef,
  stepsFrom: (column: ColumnRef) => readonly Step[],
): { readonly steps: readonly ColumnEdge[]; readonly columns: readonly ColumnRef[] } {
  const columns: ColumnRef[] = [{ node, column }];
  const seen = new Set(columns.map(columnKey));
  const steps: ColumnEdge[] = [];
  for (const at of columns) {
    for (const { next, edge } of stepsFrom(at)) {
      steps.push(edge);
      if (seen.has(columnKey(next))) continue;
      seen.add(columnKey(next));
      columns.push(next);
    }
  }
  return { steps, columns };
}

function nodesOf(columns: readonly ColumnRef[]): readonly NodeId[] {
  return [...new Set(columns.map(({ node }) => node))];
}

function gapsOf({ nodes }: ColumnGraph, ids: readonly NodeId[]): readonly LineageGap[] {
  return ids.flatMap((node) => {
    const incomplete = nodes.get(node)?.incomplete;
    return incomplete === undefined ? [] : [{ node, ...incomplete }];
  });
}
