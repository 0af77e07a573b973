import { printable } from '../diagnostics/quote.ts';
import { nodeTitle } from './format-lineage-text.ts';
import type { GraphNode, ProjectGraph } from './project-graph.ts';

/** A graph in the language of Graphviz. Names of users are escaped, whatever they hold. */
export function formatLineageDot(graph: ProjectGraph): string {
  const nodes = graph.nodes.map((node) => {
    const label = `${dotText(node.name)}\\n${nodeTitle(node)}`;
    return `  "${dotText(node.id)}" [label="${label}", shape=${shapeOf(node)}];`;
  });
  const edges = graph.edges.map(({ from, to }) => `  "${dotText(from)}" -> "${dotText(to)}";`);
  return `${['digraph lineage {', '  rankdir=LR;', ...nodes, ...edges, '}'].join('\n')}\n`;
}

/** Text within quotes. Backslashes are doubled, because labels give them meanings of their own. */
export function dotText(text: string): string {
  return printable(text).replaceAll('\\', '\\\\').replaceAll('"', '\\"');
}

function shapeOf({ kind, materialized }: GraphNode): string {
  if (kind === 'source') return 'cylinder';
  if (kind === 'exposure') return 'ellipse';
  return materialized === 'sink' ? 'box3d' : 'box';
}
