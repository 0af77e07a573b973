import { printable } from '../diagnostics/quote.ts';
import type { NodeId } from '../resolve/node-id.ts';
import { nodeTitle } from './format-lineage-text.ts';
import type { GraphNode, ProjectGraph } from './project-graph.ts';

/** A graph as a Mermaid flowchart, for Markdown. Names of users are escaped, whatever they hold. */
export function formatLineageMermaid(graph: ProjectGraph): string {
  const ids = mermaidIds(graph.nodes);
  const idOf = (id: NodeId) => ids.get(id) ?? '';
  const nodes = graph.nodes.map((node) => {
    const [open, close] = shapeOf(node);
    return `  ${idOf(node.id)}${open}"${mermaidText(node.name)}<br/>${nodeTitle(node)}"${close}`;
  });
  const edges = graph.edges.map(({ from, to }) => `  ${idOf(from)} --> ${idOf(to)}`);
  return `${['flowchart LR', ...nodes, ...edges].join('\n')}\n`;
}

/** Text for a quoted label: what Mermaid or HTML would read as something else becomes a code. */
export function mermaidText(text: string): string {
  return printable(text).replaceAll(/[^\p{L}\p{N}\p{M} _.,:()/|=+*'-]/gu, (character) => {
    return `#${character.codePointAt(0) ?? 0};`;
  });
}

/**
 * Ids that Mermaid takes, readable and each once: `model_orders_clean`. The kind before the name keeps words such as `end`
 * apart from Mermaid's own.
 */
function mermaidIds(nodes: readonly GraphNode[]): ReadonlyMap<NodeId, string> {
  const taken = new Set<string>();
  return new Map(
    nodes.map(({ id, kind, name }, index) => {
      const plain = `${kind}_${name.replaceAll(/[^A-Za-z0-9_]/g, '_')}`;
      const free = taken.has(plain) ? `${plain}_n${index}` : plain;
      taken.add(free);
      return [id, free];
    }),
  );
}

/** Sources are cylinders, exposures have round ends, sinks stand in a frame. */
function shapeOf({ kind, materialized }: GraphNode): readonly [string, string] {
  if (kind === 'source') return ['[(', ')]'];
  if (kind === 'exposure') return ['([', '])'];
  return materialized === 'sink' ? ['[[', ']]'] : ['[', ']'];
}
