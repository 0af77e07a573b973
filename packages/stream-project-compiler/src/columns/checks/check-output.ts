import {
  type IntervalExpression,
  type OrderItem,
  type Query,
  type Select,
  type Span,
  walkSql,
} from '@levada/stream-sql';
import { quote } from '../../diagnostics/quote.ts';
import type { QueryContext } from '../query-context.ts';
import type { Relation, RelationColumn } from '../relations/relation.ts';
import { isUntypedNull } from '../relations/select-relation.ts';
import type { ExpressionPlace } from '../scope/expression-use.ts';
import { checkOrderable } from './check-over.ts';

/** Reports columns of a model that have no type or no name of their own. */
export function checkOutput({ columns }: Relation, context: QueryContext): void {
  const names = new Set<string>();
  let reported: number | undefined;
  for (const column of columns) {
    if (column.type?.name === 'NULL' && column.span !== undefined) reportNull(column.span, context);
    if (column.repeats !== undefined || names.has(column.name)) {
      if (column.span?.start !== reported) reportDuplicate(column, context);
      reported = column.span?.start;
    }
    if (!names.has(column.name) && /^EXPR\$\d+$/.test(column.name)) reportUnnamed(column, context);
    names.add(column.name);
  }
}

/** Reports columns of a SELECT that are the word NULL. */
export function checkNulls({ items }: Select, place: ExpressionPlace): void {
  for (const { expression } of items)
    if (isUntypedNull(expression, place)) reportNull(expression, place.context);
}

function reportNull({ start, end }: Span, context: QueryContext): void {
  context.report({
    name: 'null-column',
    message: 'the column is NULL without a type, expected one that the engine can write',
    hint: 'write CAST(NULL AS STRING), or the type that is meant',
    start,
    end,
  });
}

function reportDuplicate({ name, repeats = name, span }: RelationColumn, context: QueryContext): void {
  if (span === undefined) return;
  const shown = context.mayHint ? ` ${quote(repeats)}` : '';
  context.report({
    name: 'repeated-column-name',
    message: `duplicate column name${shown} in the result, so the engine renames the later one`,
    hint: 'add AS with another name, or list the columns instead of *',
    ...span,
  });
}

function reportUnnamed({ name, span }: RelationColumn, context: QueryContext): void {
  if (span === undefined) return;
  context.report({
    name: 'unnamed-column',
    message: `the column has no name, so the engine names it ${quote(name)}`,
    hint: 'add AS and a name',
    ...span,
  });
}

/** Reports an ORDER BY of a whole stream by something other than time, which needs a LIMIT. */
export function checkOrder({ orderBy, limit }: Query, relation: Relation, context: QueryContext): void {
  const [first] = orderBy;
  checkOrderable(orderBy, context);
  if (first === undefined || limit !== undefined || isMaybeTime(first, relation, context)) return;
  context.report({
    name: 'order-without-time',
    message: 'the rows are not ordered by an ascending time attribute first, any other order requires LIMIT',
    hint: 'remove ORDER BY, which has no meaning in a stream, or add LIMIT',
    start: first.start,
    end: first.end,
  });
}

function isMaybeTime(
  { expression, direction }: OrderItem,
  relation: Relation,
  { columns }: QueryContext,
): boolean {
  if (direction === 'DESC') return false;
  if (expression.kind === 'literal')
    return relation.open !== undefined || isTime(relation.columns[Number(expression.value) - 1]);
  if (expression.kind !== 'column') return false;
  const [name, another] = expression.path;
  const selected = name === undefined || another !== undefined ? undefined : relation.find(name.name);
  if (selected === 'ambiguous') return true;
  return isTime(selected ?? columns.get(expression)?.column);
}

function isTime(column: RelationColumn | undefined): boolean {
  return column === undefined || column.time !== undefined;
}

/** Digits of an interval's unit when no precision is written after it. */
const DEFAULT_DIGITS = 2;
/** Seconds take no more. */
const MAX_SECOND_DIGITS = 3;

/** Reports intervals with more digits than their unit takes, such as `INTERVAL '120' MINUTE`. */
export function checkIntervals(query: Query, context: QueryContext): void {
  walkSql(query, (node) => {
    if (node.kind === 'interval') checkInterval(node, context);
    return undefined;
  });
}

function checkInterval({ value, qualifier, start, end }: IntervalExpression, context: QueryContext): void {
  const { from, to, precision = DEFAULT_DIGITS } = qualifier;
  if (to !== undefined || value.kind !== 'literal' || from === '') return;
  const digits = digitsOf(value.value);
  const taken = from === 'SECOND' ? Math.min(precision, MAX_SECOND_DIGITS) : precision;
  if (digits === undefined || digits <= taken) return;
  const shown = context.mayHint ? `INTERVAL '${value.value}' ${from}` : `this interval of type ${from}`;
  context.report({
    name: 'interval-precision',
    message: `${shown} has ${digits} digits, expected at most ${taken}`,
    hint: hintFor(value.value, from, digits),
    start,
    end,
  });
}

/** Digits of the whole number, without leading zeros. Undefined for a text that is not a number. */
function digitsOf(text: string): number | undefined {
  const [, whole] = /^\s*[+-]?0*(\d*)(?:\.\d*)?\s*$/.exec(text) ?? [];
  return whole?.length;
}

function hintFor(value: string, unit: string, digits: number): string {
  if (unit !== 'SECOND' || digits <= MAX_SECOND_DIGITS) return `write ${unit}(${digits})`;
  return /^\d+$/.test(value)
    ? `write it as INTERVAL '${clock(Number(value))}' DAY TO SECOND`
    : 'write DAY TO SECOND';
}

function clock(seconds: number): string {
  const two = (number: number) => String(number).padStart(2, '0');
  const [days, hours, minutes] = [86_400, 3600, 60].map((unit) => Math.floor(seconds / unit));
  return `${days} ${two((hours ?? 0) % 24)}:${two((minutes ?? 0) % 60)}:${two(seconds % 60)}`;
}
