import { nearestName } from '@levada/stream-project-schema';
import type { ColumnRef } from '../columns/nodes/node-columns.ts';
import { quote } from '../diagnostics/quote.ts';
import type { ColumnGraph } from '../lineage/column-graph.ts';
import { type NodeId, type NodeKind, nodeId } from '../resolve/node-id.ts';
import type { SelectorProblem } from './select-nodes.ts';

/** A column that a user named, or what is wrong with the name. */
export type FoundColumn =
  | { readonly found: true; readonly column: ColumnRef }
  | { readonly found: false; readonly problem: SelectorProblem };

/**
 * The column that `orders_clean.email` names, or `source:orders.email`. Without a kind it is of a model, else of a source, else
 * of an exposure. Both names may have dots.
 */
export function findColumn(graph: ColumnGraph, text: string): FoundColumn {
  const node = longestNode(graph, text);
  if (node === undefined) return notFound(text, unknownNode(graph, text));
  const column = text.slice(node.written.length + 1);
  const named = { node: node.id, column };
  const names = [...(graph.nodes.get(node.id)?.byName.keys() ?? [])];
  // A source that does not list all of its columns has those that are read.
  if (names.includes(column) || graph.reversed().edges(named).length > 0)
    return { found: true, column: named };
  const near = nearestName(column, names);
  const message = `${node.id} has no column ${quote(column)}`;
  return notFound(text, { message, hint: near === undefined ? undefined : `did you mean "${near}"?` });
}

interface WrittenNode {
  readonly written: string;
  readonly id: NodeId;
}

function longestNode({ nodes }: ColumnGraph, text: string): WrittenNode | undefined {
  for (let dot = text.lastIndexOf('.'); dot > 0; dot = text.lastIndexOf('.', dot - 1)) {
    const written = text.slice(0, dot);
    const id = idsOf(written).find((candidate) => nodes.has(candidate));
    if (id !== undefined) return { written, id };
  }
  return undefined;
}

const kinds: readonly NodeKind[] = ['model', 'source', 'exposure'];

function idsOf(written: string): readonly NodeId[] {
  const kind = kinds.find((one) => written.startsWith(`${one}:`));
  if (kind !== undefined) return [nodeId(kind, written.slice(kind.length + 1))];
  return kinds.map((one) => nodeId(one, written));
}

function unknownNode({ nodes }: ColumnGraph, text: string): ProblemText {
  const dot = text.lastIndexOf('.');
  if (dot <= 0) return { message: `${quote(text)} names no column, expected "node.column"` };
  const written = text.slice(0, dot);
  const names = [...nodes.keys()];
  const plain = names.map((id) => id.slice(id.indexOf(':') + 1));
  const near = nearestName(written, written.includes(':') ? names : plain);
  return {
    message: `there is no source, model or exposure ${quote(written)}`,
    hint: near === undefined ? undefined : `did you mean "${near}"?`,
  };
}

interface ProblemText {
  readonly message: string;
  readonly hint?: string | undefined;
}

function notFound(selector: string, { message, hint }: ProblemText): FoundColumn {
  const problem = { selector, severity: 'error', message } as const;
  return { found: false, problem: hint === undefined ? problem : { ...problem, hint } };
}
