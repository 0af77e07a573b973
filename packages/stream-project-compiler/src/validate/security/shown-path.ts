import type { ColumnRef } from '../../columns/nodes/node-columns.ts';
import type { RelatedPlace } from '../../diagnostics/diagnostic.ts';
import type { ClassificationPath } from '../../lineage/classification-path.ts';
import { columnRange, shownColumn } from './column-place.ts';
import type { FlowContext } from './flow-rule.ts';

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
      : `${name} has it from there`;
    return [{ message, range }];
  });
}
