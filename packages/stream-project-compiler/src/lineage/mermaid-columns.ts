import type { NodeId } from '../resolve/node-id.ts';
import { columnEdgesInto, influenceEdgesInto } from './column-edges.ts';
import { type ColumnGraph, columnKey } from './column-graph.ts';
import { mermaidLabel, mermaidNode, mermaidText } from './mermaid-node.ts';
import type { GraphNode, ProjectGraph } from './project-graph.ts';

/** Nodes of a flowchart with their columns. */
export interface MermaidColumns {
  readonly nodes: readonly string[];
  readonly edges: readonly string[];
  /** Pairs of nodes that have an edge between columns, and need none of their own. */
  readonly pairs: ReadonlySet<unknown>;
}

/** Each node that has columns as a frame around them. Exposures have all columns of what they consume and list none. */
export function mermaidColumns(
  graph: ProjectGraph,
  { nodes }: ColumnGraph,
  idOf: (id: NodeId) => string,
): MermaidColumns {
  const ids = new Map<string, string>();
  const lines = graph.nodes.flatMap((node, index) => {
    const columns = node.kind === 'exposure' ? [] : [...(nodes.get(node.id)?.byName.keys() ?? [])];
    if (columns.length === 0) return [mermaidNode(node, idOf(node.id))];
    const inner = columns.map((column, place) => {
      const id = `c${index}_${place}`;
      ids.set(columnKey({ node: node.id, column }), id);
      return `    ${id}["${mermaidText(column)}"]`;
    });
    return [`  subgraph ${idOf(node.id)}["${mermaidLabel(node)}"]`, ...inner, '  end'];
  });
  const pairs = new Set<string>();
  const edges = graph.nodes.flatMap((node) => edgesInto(node, { nodes, ids, pairs, idOf }));
  return { nodes: lines, edges, pairs };
}

interface Drawing {
  readonly nodes: ColumnGraph['nodes'];
  readonly ids: ReadonlyMap<string, string>;
  readonly pairs: Set<string>;
  readonly idOf: (id: NodeId) => string;
}

function edgesInto({ id: node }: GraphNode, { nodes, ids, pairs, idOf }: Drawing): readonly string[] {
  const values = columnEdgesInto(nodes, node).flatMap(({ from, to, through }) => {
    const [start, end] = [ids.get(columnKey(from)), ids.get(columnKey(to))];
    if (start === undefined || end === undefined) return [];
    pairs.add(`${from.node}\n${node}`);
    return [`  ${start} -->${through === 'identity' ? '' : `|${through}|`} ${end}`];
  });
  const rows = influenceEdgesInto(nodes, node).flatMap(({ from, by }) => {
    const start = ids.get(columnKey(from));
    return start === undefined ? [] : [`  ${start} -.->|${by}| ${idOf(node)}`];
  });
  return [...values, ...rows];
}
