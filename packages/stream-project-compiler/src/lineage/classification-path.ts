import type { ColumnRef } from '../columns/nodes/node-columns.ts';
import type { ClassificationFlow } from './classification-flow.ts';

/** Longer paths lose their middle. */
const MAX_STEPS = 12;

/** The way of a level as far as it is kept for every column: walking all of it back for each would take quadratic time. */
export interface ClassificationRoute {
  /** Number of columns, with the one that it leads to. */
  readonly length: number;
  /** The first of them, at most half of what is shown. */
  readonly first: readonly ColumnRef[];
  /** The one before the last; undefined where the level is declared. */
  readonly from: ColumnRef | undefined;
}

/** The columns that a level comes along, from where it is declared to the column asked for. */
export interface ClassificationPath {
  /** All of them, or the first and the last ones. */
  readonly first: readonly ColumnRef[];
  /** How many are left out between. */
  readonly left: number;
  readonly last: readonly ColumnRef[];
}

/** The route to a column that has its level from another one, or declares it. */
export function routeTo(
  column: ColumnRef,
  from: ColumnRef | undefined,
  before: ClassificationRoute | undefined,
): ClassificationRoute {
  if (from === undefined || before === undefined) return { length: 1, first: [column], from: undefined };
  const { length, first } = before;
  const room = first.length < MAX_STEPS / 2;
  return { length: length + 1, first: room ? [...first, column] : first, from };
}

/** The path of a level to a column. */
export function classificationPath(flow: ClassificationFlow, end: ColumnRef): ClassificationPath {
  const last: ColumnRef[] = [];
  const { length, first } = routeOf(flow, end) ?? { length: 1, first: [end] };
  const wanted = Math.min(length, MAX_STEPS) - first.length;
  for (let at: ColumnRef | undefined = end; at !== undefined && last.length < wanted; ) {
    last.push(at);
    at = routeOf(flow, at)?.from;
  }
  return { first, left: length - first.length - last.length, last: last.reverse() };
}

function routeOf(flow: ClassificationFlow, { node, column }: ColumnRef): ClassificationRoute | undefined {
  return flow.get(node)?.get(column)?.route;
}
