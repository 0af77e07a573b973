import {
  type ColumnGraph,
  type ColumnLineageQuery,
  columnGraph,
  columnLineage,
  columnLineageJson,
  formatColumnLineage,
  type InferredProject,
  type NodeId,
} from '@levada/stream-project-compiler';
import { nearestName } from '@levada/stream-project-schema';
import { CommandError } from '../terminal/command-error.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { type LineageForm, outputShapes } from './forms.ts';

/** How the lineage of a column is printed. */
export interface PrintColumnOptions {
  readonly format: LineageForm;
  readonly upstream?: true;
  readonly downstream?: true;
}

/** Prints where a column comes from, and what is made of it. */
export function printColumn(
  project: InferredProject,
  name: string,
  { format, upstream, downstream }: PrintColumnOptions,
  terminal: Terminal,
): void {
  if (format !== 'text' && format !== 'json') {
    throw new CommandError(exitCodes.usage, `--column is printed as text or json, not as ${format}`);
  }
  const graph = columnGraph(project);
  const column = findColumn(name, graph);
  const both = upstream === undefined && downstream === undefined;
  const directions = (['upstream', 'downstream'] as const).filter(
    (direction) => both || (direction === 'upstream' ? upstream : downstream) === true,
  );
  const found = directions.map((direction) => columnLineage(graph, { ...column, direction }));
  if (format === 'text') {
    for (const lineage of found) terminal.out(formatColumnLineage(lineage));
    return;
  }
  const parts = Object.fromEntries(found.map((lineage) => [lineage.direction, columnLineageJson(lineage)]));
  terminal.out(`${JSON.stringify({ schema: outputShapes.column, ...parts }, undefined, 2)}\n`);
}

/** `orders.amount` or `model:orders.amount`; without a kind, a model before a source before an exposure. */
function findColumn(name: string, { nodes }: ColumnGraph): Omit<ColumnLineageQuery, 'direction'> {
  const dot = name.indexOf('.');
  const [node, column] = dot === -1 ? [name, ''] : [name.slice(0, dot), name.slice(dot + 1)];
  const ids = node.includes(':') ? [node] : ['model', 'source', 'exposure'].map((kind) => `${kind}:${node}`);
  const id = ids.flatMap((wanted) => [...nodes.keys()].filter((known) => known === wanted))[0];
  const columns = id === undefined ? undefined : nodes.get(id);
  if (id === undefined || columns === undefined) {
    const known = [...nodes.keys()].map((one: NodeId) => one.slice(one.indexOf(':') + 1));
    throw unknown(`there is no node "${node}"`, nearestName(node, known));
  }
  if (!columns.byName.has(column)) {
    throw unknown(`"${id}" has no column "${column}"`, nearestName(column, [...columns.byName.keys()]));
  }
  return { node: id, column };
}

function unknown(message: string, near: string | undefined): CommandError {
  const hint =
    near === undefined ? 'expected a node and its column, such as orders.amount' : `did you mean "${near}"?`;
  return new CommandError(exitCodes.usage, message, hint);
}
