import type { ColumnRef } from '../../columns/node-columns.ts';
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
export function shownColumn({ node, column }: ColumnRef): string {
  return `${nodeName(node)}.${printable(column.slice(0, MAX_NAME))}`;
}

/** The name within an id. */
export function nodeName(node: ColumnRef['node']): string {
  return node.slice(node.indexOf(':') + 1);
}
