import type { ColumnRef } from '../../columns/nodes/node-columns.ts';
import type { Diagnostic, RelatedPlace } from '../../diagnostics/diagnostic.ts';
import { printable } from '../../diagnostics/quote.ts';
import type { ClassificationPath } from '../../lineage/classification-path.ts';
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
function shownColumn(context: FlowContext, ref: ColumnRef): string {
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

/** A path in words: `orders_raw.email -> orders_clean.email -> orders_warehouse`. */
export function shownPath(
  context: FlowContext,
  { first, left, last }: ClassificationPath,
  end?: string,
): string {
  const shown = (step: ColumnRef) => shownColumn(context, step);
  return [
    ...first.map(shown),
    ...(left > 0 ? [`(${left} more)`] : []),
    ...last.map(shown),
    ...(end === undefined ? [] : [end]),
  ].join(' -> ');
}

/** The places of a path's columns: first where the classification is declared. */
export function pathPlaces(
  context: FlowContext,
  { first, last }: ClassificationPath,
): readonly RelatedPlace[] {
  return [...first, ...last].flatMap((step, index) => {
    const declared = context.flow.get(step.node)?.get(step.column)?.declared;
    const isStart = index === 0 && declared !== undefined;
    const range = isStart ? declared.range() : columnRange(context, step);
    if (range === undefined) return [];
    const name = shownColumn(context, step);
    const message = isStart
      ? `${name} is declared ${declared.level ?? ''} here`
      : `${name} is derived from it`;
    return [{ message, range }];
  });
}

/** A mask as it is written in the file, with quotes around names that need them. */
export function maskToAdd(column: string, method: 'hash' | 'redact'): string {
  const written = /^[A-Za-z_]\w*$/.test(column) ? column : `'${column.replaceAll("'", "''")}'`;
  return `"mask: {column: ${written}, method: ${method}}"`;
}

/** More columns of one model, sink or exposure are counted and not listed: each has a path of its own. */
const MAX_COLUMNS = 20;

/** A finding for each of the first columns, and one for how many more there are. */
export function boundedFindings<T>(
  found: readonly T[],
  one: (item: T) => Diagnostic,
  rest: (item: T, count: number) => Diagnostic,
): readonly Diagnostic[] {
  const listed = found.slice(0, MAX_COLUMNS).map(one);
  const next = found[MAX_COLUMNS];
  return next === undefined ? listed : [...listed, rest(next, found.length - MAX_COLUMNS)];
}
