import type { ColumnRef } from '../../columns/node-columns.ts';
import type { RelatedPlace } from '../../diagnostics/diagnostic.ts';
import { columnRange, shownColumn } from './column-place.ts';
import type { FlowContext } from './flow-rule.ts';

/** Longer paths are shown without their middle. */
const MAX_SHOWN = 12;

/** A path in words: `orders_raw.email -> orders_clean.email -> orders_warehouse`. */
export function shownPath(path: readonly ColumnRef[], end?: string): string {
  const steps = [...path.map(shownColumn), ...(end === undefined ? [] : [end])];
  if (steps.length <= MAX_SHOWN) return steps.join(' -> ');
  const half = MAX_SHOWN / 2;
  const middle = `(${steps.length - MAX_SHOWN} more)`;
  return [...steps.slice(0, half), middle, ...steps.slice(-half)].join(' -> ');
}

/** The places of a path's columns: first where the classification is declared. */
export function pathPlaces(context: FlowContext, path: readonly ColumnRef[]): readonly RelatedPlace[] {
  const shown = path.length <= MAX_SHOWN ? path : [...path.slice(0, 1), ...path.slice(1 - MAX_SHOWN)];
  return shown.flatMap((step, index) => {
    const declared = context.flow.get(step.node)?.get(step.column)?.declared;
    const first = index === 0 && declared !== undefined;
    const range = first ? declared.range() : columnRange(context, step);
    if (range === undefined) return [];
    const name = shownColumn(step);
    const message = first ? `${name} is declared ${declared.level ?? ''} here` : `${name} has it from there`;
    return [{ message, range }];
  });
}
