import type { ColumnRef } from '../columns/node-columns.ts';
import type { ClassificationFlow } from './classification-flow.ts';
import { rankOf } from './declared-classifications.ts';

/** The columns that a level comes along, from where it is declared to the column asked for. Steps lead to nodes that were classified before, so it ends also in cycles. */
export function classificationPath(flow: ClassificationFlow, end: ColumnRef): readonly ColumnRef[] {
  const path = [end];
  for (let at = sourceOf(flow, end); at !== undefined; at = sourceOf(flow, at)) path.push(at);
  return path.reverse();
}

/** Undefined where the level is declared. */
function sourceOf(flow: ClassificationFlow, { node, column }: ColumnRef): ColumnRef | undefined {
  const found = flow.get(node)?.get(column);
  if (found === undefined) return undefined;
  const { inflow, identical, declared } = found;
  if (declared === undefined) return inflow?.from;
  return identical !== undefined && rankOf(identical.level) > rankOf(declared.level)
    ? identical.from
    : undefined;
}
