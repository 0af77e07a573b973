import type { NodeColumns } from '../columns/nodes/node-columns.ts';
import type { NodeId } from '../resolve/node-id.ts';
import type { TextRange } from '../text/range.ts';
import { printType } from '../types/print-type.ts';
import { type ColumnEdge, columnEdgesInto, type InfluenceEdge, influenceEdgesInto } from './column-edges.ts';
import type { ColumnGraph } from './column-graph.ts';
import type { ProjectGraph } from './project-graph.ts';

/** Columns of a graph for tools. */
export interface ColumnsJson {
  /** In order of the graph. */
  readonly nodes: readonly NodeColumnsJson[];
  /** Between columns of the nodes shown. */
  readonly edges: readonly ColumnEdge[];
  /** Columns that decide which rows a node has. */
  readonly influences: readonly InfluenceEdge[];
}

interface NodeColumnsJson {
  readonly node: NodeId;
  /** Types as the engine writes them; absent where they cannot be told. */
  readonly columns: readonly { readonly name: string; readonly type?: string }[];
  /** Present when there may be more. */
  readonly incomplete?: { readonly reason: string; readonly range: TextRange };
}

/** Columns of the nodes of a graph. */
export function columnsJson(graph: ProjectGraph, { nodes }: ColumnGraph): ColumnsJson {
  const shown = graph.nodes.flatMap(({ id }) => (nodes.has(id) ? [id] : []));
  const isShown = ({ from }: { readonly from: { readonly node: NodeId } }) => graph.byId.has(from.node);
  return {
    nodes: shown.flatMap((id) => nodeColumnsJson(id, nodes.get(id))),
    edges: shown.flatMap((id) => columnEdgesInto(nodes, id).filter(isShown)),
    influences: shown.flatMap((id) => influenceEdgesInto(nodes, id).filter(isShown)),
  };
}

function nodeColumnsJson(node: NodeId, given: NodeColumns | undefined): readonly NodeColumnsJson[] {
  if (given === undefined) return [];
  const columns = [...given.byName.values()].map(({ name, type }) => {
    return type === undefined ? { name } : { name, type: printType(type, { notNull: false }) };
  });
  return [{ node, columns, ...(given.incomplete === undefined ? {} : { incomplete: given.incomplete }) }];
}
