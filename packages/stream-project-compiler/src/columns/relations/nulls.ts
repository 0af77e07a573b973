import { type Call, type Expression, functionKind, type Select } from '@levada/stream-sql';
import type { ExpressionPlace } from '../scope/expression-use.ts';
import type { RelationColumn } from './relation.ts';
import { conjuncts } from './relation-time.ts';

/** What is known of nulls in a column whose type has them. */
export type Nulls =
  /** Conditions leave no row that has one. */
  | { readonly kind: 'none' }
  /** This makes them: `LEFT JOIN`, `SUM`, `ROLLUP`. */
  | { readonly kind: 'made'; readonly by: NullCause };

/** What makes nulls of values that may have none. */
export interface NullCause {
  readonly kind: 'join' | 'aggregate' | 'grouping' | 'declaration' | 'mask';
  /** As it is written. */
  readonly what: string;
}

const none: Nulls = { kind: 'none' };

const comparisons: ReadonlySet<string> = new Set(['=', '<>', '<', '<=', '>', '>=']);

/** Values that are not null where a condition is true. */
function valuesOf(condition: Expression): readonly Expression[] {
  if (condition.kind === 'binary')
    return comparisons.has(condition.operator) ? [condition.left, condition.right] : [];
  if (condition.kind === 'is')
    return condition.test === 'NULL' && condition.negated ? [condition.operand] : [];
  if (condition.kind === 'between') return [condition.operand, condition.low, condition.high];
  if (condition.kind === 'like') return [condition.operand, condition.pattern];
  // Of no rows at all NOT IN is true
  const isIn = condition.kind === 'in' && !(condition.negated && 'kind' in condition.candidates);
  return isIn ? [condition.operand] : [];
}

/** Takes note of columns in which the rows that a condition leaves have no nulls. */
export function rejectNulls(condition: Expression | undefined, { scope, context }: ExpressionPlace): void {
  if (condition === undefined) return;
  for (const value of conjuncts(condition).flatMap(valuesOf)) {
    const resolved = value.kind === 'column' ? context.columns.get(value) : undefined;
    if (resolved?.scope !== scope || resolved.place === undefined) continue;
    // Of a row that has a field of it
    const { place, id } = resolved;
    scope.rejectNulls(place, id === `${place} ${resolved.column.name}` ? resolved.column.name : undefined);
  }
}

/** What is known of nulls in a value of the select list. */
export function nullsOf(
  expression: Expression,
  { type, select }: Pick<RelationColumn, 'type'> & { readonly select: Select },
  place: ExpressionPlace,
): { readonly nulls?: Nulls } {
  if (type?.nullable === false) return {};
  if (place.select?.leftOut?.(expression) === true)
    return { nulls: { kind: 'made', by: { kind: 'grouping', what: groupingOf(select) } } };
  if (expression.kind === 'cast' && !expression.attempt)
    return nullsOf(expression.operand, { type, select }, place);
  if (expression.kind === 'column') {
    const nulls = place.context.columns.get(expression)?.column.nulls;
    return nulls === undefined ? {} : { nulls };
  }
  if (expression.kind === 'call' && select.having === undefined) return nullsOfCall(expression, place);
  return {};
}

/** An aggregate is null where it has no values: of no rows, or of nulls alone. */
function nullsOfCall(call: Call, { context, select }: ExpressionPlace): { readonly nulls?: Nulls } {
  const name = call.name.at(-1)?.name.toUpperCase() ?? '';
  if (call.over !== undefined || functionKind(name) !== 'aggregate') return {};
  const [first] = call.arguments;
  const column = first?.value.kind === 'column' ? context.columns.get(first.value)?.column : undefined;
  if (select?.grouped === true && call.filter === undefined && column?.nulls?.kind === 'none')
    return { nulls: none };
  return { nulls: { kind: 'made', by: { kind: 'aggregate', what: name } } };
}

function groupingOf({ groupBy }: Select): string {
  const sets = groupBy?.items.find((item) => item.kind === 'grouping-sets');
  return sets?.kind === 'grouping-sets' ? sets.type : 'GROUPING SETS';
}

/** What is known of nulls in the column that several make together, as UNION does. */
export function mergedNulls(columns: readonly RelationColumn[]): { readonly nulls?: Nulls } {
  const made = columns.find(({ nulls }) => nulls?.kind === 'made')?.nulls;
  if (made !== undefined) return { nulls: made };
  const isWhole = columns.every(({ type, nulls }) => type?.nullable === false || nulls?.kind === 'none');
  return isWhole ? { nulls: none } : {};
}
