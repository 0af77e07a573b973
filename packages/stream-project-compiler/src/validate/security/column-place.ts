import type { ColumnRef } from '../../columns/nodes/node-columns.ts';
import { printable } from '../../diagnostics/quote.ts';
import { nameRange } from '../../resolve/project-symbols.ts';
import type { TextRange } from '../../text/range.ts';
import type { FlowContext } from './flow-rule.ts';

/** Where a column is declared or selected. */
export function columnRange(
  { project, flow }: FlowContext,
  { node, column }: ColumnRef,
): TextRange | undefined {
  const listed = project.columns.get(node)?.byName.get(column);
  return listed?.range() ?? flow.get(node)?.get(column)?.declared?.range() ?? definitionRange(project, node);
}

function definitionRange(
  { resolved }: FlowContext['project'],
  node: ColumnRef['node'],
): TextRange | undefined {
  const name = nodeName(node);
  const definition = node.startsWith('source:')
    ? resolved.sources.get(name)
    : resolved.models.get(name)?.definition;
  return definition === undefined ? undefined : nameRange(definition);
}

const MAX_NAME = 80;

/** A column for messages: `orders_raw.card_number`. */
export function shownColumn(context: FlowContext, ref: ColumnRef): string {
  return `${nodeName(ref.node)}.${printable(shownName(context, ref).slice(0, MAX_NAME))}`;
}

/** The name of a column as it may be shown: what a variable was replaced by is not. */
export function shownName({ project, flow }: FlowContext, { node, column }: ColumnRef): string {
  const listed = project.columns.get(node)?.byName.get(column);
  if (listed !== undefined) return listed.written ?? column;
  return flow.get(node)?.get(column)?.declared?.shown ?? column;
}

/** The name within an id. */
export function nodeName(node: ColumnRef['node']): string {
  return node.slice(node.indexOf(':') + 1);
}
