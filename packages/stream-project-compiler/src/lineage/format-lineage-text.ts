import type { ColumnOrigin } from '../columns/nodes/node-columns.ts';
import { printable } from '../diagnostics/quote.ts';
import type { NodeId } from '../resolve/node-id.ts';
import { influenceEdgesInto } from './column-edges.ts';
import type { ColumnGraph } from './column-graph.ts';
import type { LineageOptions } from './lineage-options.ts';
import type { GraphNode, ProjectGraph } from './project-graph.ts';

/**
 * A graph for people: one line for each node, behind those of what it reads, with what it is and its inputs; so every edge can
 * be read off, and a large graph has no more lines than nodes. With columns each node is followed by what its columns are
 * made of; exposures have all columns of what they consume and list none. Empty for an empty graph.
 */
export function formatLineageText(graph: ProjectGraph, { columns }: LineageOptions = {}): string {
  const nameWidth = Math.min(MAX_WIDTH, widest(graph.nodes.map(({ id }) => printable(id))));
  const kindWidth = widest(graph.nodes.map(nodeTitle));
  const lines = graph.nodes.flatMap((node) => {
    const inputs = (graph.upstream.get(node.id) ?? []).map((input) => printable(input));
    const head = `${printable(node.id).padEnd(nameWidth)}  ${nodeTitle(node).padEnd(kindWidth)}`;
    const line = `${head}${inputs.length === 0 ? '' : `  <- ${inputs.join(', ')}`}`.trimEnd();
    return columns === undefined ? [line] : [line, ...columnLines(node, columns)];
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

function columnLines({ id, kind }: GraphNode, { nodes }: ColumnGraph): readonly string[] {
  const given = nodes.get(id);
  if (given === undefined || kind === 'exposure') return [];
  const columns = [...given.byName.values()];
  const width = Math.min(MAX_WIDTH, widest(columns.map(({ name }) => printable(name))));
  const rows = influenceEdgesInto(nodes, id).map(
    ({ from, by }) => `${columnText(from.node, from.column)} (${by})`,
  );
  return [
    ...columns.map(({ name, origins }) => {
      const from = origins.map(originText).join(', ');
      return `    ${from === '' ? printable(name) : `${printable(name).padEnd(width)}  <- ${from}`}`;
    }),
    ...(rows.length === 0 ? [] : [`    which rows: ${rows.join(', ')}`]),
    ...(given.incomplete === undefined ? [] : [`    perhaps more: ${printable(given.incomplete.reason)}`]),
  ];
}

function originText({ node, column, through }: ColumnOrigin): string {
  return `${columnText(node, column)}${through === 'identity' ? '' : ` (${through})`}`;
}

/** A column in words: `source:orders_raw.email`. */
export function columnText(node: NodeId, column: string): string {
  return `${printable(node)}.${printable(column)}`;
}
