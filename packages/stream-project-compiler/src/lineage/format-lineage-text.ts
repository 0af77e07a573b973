import { printable } from '../diagnostics/quote.ts';
import type { GraphNode, ProjectGraph } from './project-graph.ts';

/**
 * A graph for people: one line for each node, behind those of what it reads, with what it is and its inputs; so every edge can
 * be read off, and a large graph has no more lines than nodes. Empty for an empty graph.
 */
export function formatLineageText(graph: ProjectGraph): string {
  const names = graph.nodes.map(({ id }) => printable(id));
  const kinds = graph.nodes.map((node) => nodeTitle(node));
  const nameWidth = Math.min(MAX_WIDTH, widest(names));
  const kindWidth = widest(kinds);
  const lines = graph.nodes.map(({ id }, index) => {
    const inputs = (graph.upstream.get(id) ?? []).map((input) => printable(input));
    const head = `${(names[index] ?? '').padEnd(nameWidth)}  ${(kinds[index] ?? '').padEnd(kindWidth)}`;
    return `${head}${inputs.length === 0 ? '' : `  <- ${inputs.join(', ')}`}`.trimEnd();
  });
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}

/** Longer names stand out of their column. */
const MAX_WIDTH = 60;

function widest(texts: readonly string[]): number {
  return texts.reduce((width, { length }) => Math.max(width, length), 0);
}

/** What a node is, in one word: what a model becomes, else its kind. */
export function nodeTitle({ kind, materialized }: GraphNode): string {
  return materialized ?? kind;
}
