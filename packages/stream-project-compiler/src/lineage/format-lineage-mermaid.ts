import { printable } from '../diagnostics/quote.ts';
import type { NodeId } from '../resolve/node-id.ts';
import type { LineageOptions } from './lineage-options.ts';
import { mermaidColumns } from './mermaid-columns.ts';
import { mermaidNode } from './mermaid-node.ts';
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
