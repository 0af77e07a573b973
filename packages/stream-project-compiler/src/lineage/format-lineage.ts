import type { ColumnOrigin } from '../columns/nodes/node-columns.ts';
import { printable } from '../diagnostics/quote.ts';
import type { NodeId } from '../resolve/node-id.ts';
import {
  type ColumnEdge,
  type ColumnGraph,
  influenceEdgesInto,
  type LineageOptions,
} from './column-graph.ts';
import type { ColumnLineage } from './column-lineage.ts';
import type { GraphNode, ProjectGraph } from './project-graph.ts';

/**
 * A graph as text: one line for each node, after those of the nodes that it reads, with its kind and its inputs; so every edge
 * is visible, and a large graph has no more lines than nodes. With columns each node is followed by what its columns are
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

/** Longer names exceed their column. */
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
function columnText(node: NodeId, column: string): string {
  return `${printable(node)}.${printable(column)}`;
}

/**
 * The lineage of one column as text: a line for each step, nearest first, then what decides about rows, which exposures see
 * it, and where it may continue without being shown.
 */
export function formatColumnLineage(lineage: ColumnLineage): string {
  const { node, column, direction, steps, influences, gaps, exposures } = lineage;
  const none = direction === 'upstream' ? 'is made of no other column' : 'is in no other column';
  const head = columnText(node, column);
  return [
    steps.length === 0 ? `${head} ${none}` : `${head}, ${direction}:`,
    ...steps.map((step) => `  ${stepText(step, direction)}`),
    ...section(
      'which rows',
      influences.map(
        ({ from, to, by }) => `${columnText(from.node, from.column)} (${by} of ${printable(to)})`,
      ),
    ),
    ...section('seen by', exposures.map(printable)),
    ...section(
      'perhaps more',
      gaps.map((gap) => `${printable(gap.node)}: ${printable(gap.reason)}`),
    ),
    '',
  ].join('\n');
}

/** From the nearer column to the one that is further away. */
function stepText({ from, to, through }: ColumnEdge, direction: ColumnLineage['direction']): string {
  const how = through === 'identity' ? '' : ` (${through})`;
  const [origin, result] = [columnText(from.node, from.column), columnText(to.node, to.column)];
  return direction === 'upstream' ? `${result} <- ${origin}${how}` : `${origin} -> ${result}${how}`;
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`${title}:`, ...lines.map((line) => `  ${line}`)];
}

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
