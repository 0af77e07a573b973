import { printable } from '../diagnostics/quote.ts';
import { nodeTitle } from './format-lineage-text.ts';
import type { GraphNode } from './project-graph.ts';

/** A node as one line of a Mermaid flowchart. */
export function mermaidNode(node: GraphNode, id: string): string {
  const [open, close] = shapeOf(node);
  return `  ${id}${open}"${mermaidLabel(node)}"${close}`;
}

/** The name of a node and what it is. */
export function mermaidLabel(node: GraphNode): string {
  return `${mermaidText(node.name)}<br/>${nodeTitle(node)}`;
}

/** Text for a quoted label: what Mermaid or HTML would read as something else becomes a code. */
export function mermaidText(text: string): string {
  return printable(text).replaceAll(/[^\p{L}\p{N}\p{M} _.,:()/|=+*'-]/gu, (character) => {
    return `#${character.codePointAt(0) ?? 0};`;
  });
}

/** Sources are cylinders, exposures have round ends, sinks stand in a frame. */
function shapeOf({ kind, materialized }: GraphNode): readonly [string, string] {
  if (kind === 'source') return ['[(', ')]'];
  if (kind === 'exposure') return ['([', '])'];
  return materialized === 'sink' ? ['[[', ']]'] : ['[', ']'];
}
