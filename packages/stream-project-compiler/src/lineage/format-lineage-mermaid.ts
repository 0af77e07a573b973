import { printable } from '../diagnostics/quote.ts';
import type { NodeId } from '../resolve/node-id.ts';
import {
  type ColumnGraph,
  columnEdgesInto,
  columnKey,
  influenceEdgesInto,
  type LineageOptions,
} from './column-graph.ts';
import { nodeTitle } from './format-lineage.ts';
import type { GraphNode, ProjectGraph } from './project-graph.ts';

/**
 * A graph as a Mermaid flowchart, for Markdown. Names of users are escaped, whatever they hold. With columns each node is a
 * frame around them; dotted arrows lead from columns that decide about rows.
 */
export function formatLineageMermaid(graph: ProjectGraph, { columns }: LineageOptions = {}): string {
  const ids = mermaidIds(graph.nodes);
  const idOf = (id: NodeId) => ids.get(id) ?? '';
  const drawn =
    columns === undefined
      ? { nodes: graph.nodes.map((node) => mermaidNode(node, idOf(node.id))), edges: [], pairs: new Set() }
      : mermaidColumns(graph, columns, idOf);
  const edges = graph.edges
    .filter(({ from, to }) => !drawn.pairs.has(`${from}\n${to}`))
    .map(({ from, to }) => `  ${idOf(from)} --> ${idOf(to)}`);
  return `${['flowchart LR', ...drawn.nodes, ...edges, ...drawn.edges].join('\n')}\n`;
}

/**
 * Ids that Mermaid takes, readable and each once: `model_orders_clean`. The kind before the name keeps words such as `end`
 * apart from Mermaid's own.
 */
function mermaidIds(nodes: readonly GraphNode[]): ReadonlyMap<NodeId, string> {
  const taken = new Set<string>();
  return new Map(
    nodes.map(({ id, kind, name }, index) => {
      const plain = `${kind}_${printable(name).replaceAll(/[^A-Za-z0-9_]/g, '_')}`;
      const free = taken.has(plain) ? `${plain}_n${index}` : plain;
      taken.add(free);
      return [id, free];
    }),
  );
}

/** Nodes of a flowchart with their columns. */
interface MermaidColumns {
  readonly nodes: readonly string[];
  readonly edges: readonly string[];
  /** Pairs of nodes that have an edge between columns, and need none of their own. */
  readonly pairs: ReadonlySet<unknown>;
}

/** Each node that has columns as a frame around them. Exposures have all columns of what they consume and list none. */
function mermaidColumns(
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

/** A node as one line of a Mermaid flowchart. */
function mermaidNode(node: GraphNode, id: string): string {
  const [open, close] = shapeOf(node);
  return `  ${id}${open}"${mermaidLabel(node)}"${close}`;
}

/** The name of a node and what it is. */
function mermaidLabel(node: GraphNode): string {
  return `${mermaidText(node.name)}<br/>${nodeTitle(node)}`;
}

/** Text for a quoted label: what Mermaid or HTML would read as something else becomes a code. */
export function mermaidText(text: string): string {
  return printable(text).replaceAll(/[^\p{L}\p{N}\p{M} _.,:()/|=+*'-]/gu, (character) => {
    return `#${character.codePointAt(0) ?? 0};`;
  });
}

/** Sources are cylinders, exposures have round ends, sinks are framed. */
function shapeOf({ kind, materialized }: GraphNode): readonly [string, string] {
  if (kind === 'source') return ['[(', ')]'];
  if (kind === 'exposure') return ['([', '])'];
  return materialized === 'sink' ? ['[[', ']]'] : ['[', ']'];
}
