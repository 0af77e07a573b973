import {
  type Column,
  type Expression,
  functionKind,
  type OrderItem,
  type Select,
  type SqlNode,
  walkSql,
} from '@levada/stream-sql';
import type { FoundErratum } from '../errata/found-errata.ts';
import type { Changes } from './changes.ts';
import { changingColumn, isFixed, type Reading, resolved } from './extremes.ts';

/**
 * What makes the first rows wrong in an order of columns that changes leave as they are, or of counts. The planner takes such a column
 * for one that only moves a row forward, also where rows are withdrawn, and keeps the first rows alone: a withdrawn row keeps its place,
 * and the row after it is not known. An expression that the planner does not look into shows it that rows leave their place.
 */
export function orderErrata(
  orderBy: readonly OrderItem[],
  input: Changes,
  reading: Reading,
  of: 'OVER' | 'LIMIT',
): readonly FoundErratum[] {
  const [first] = orderBy;
  if (first === undefined || !input.deletes) return [];
  const items = orderBy.map((item) => ({ item, ...meantBy(item.expression, reading.place.select, of) }));
  if (!items.every(({ means }) => staysInPlace(means, reading))) return [];
  const { select } = reading.place;
  const isGrouped = select.groupBy !== undefined || hasAggregate(select);
  for (const { item, means, text } of items) {
    // Every column of these rows would be fixed
    const isHidden = select.quantifier === 'DISTINCT' || (isGrouped && !hasAggregate(select));
    const other = isHidden ? undefined : isGrouped ? text : changingColumn(reading);
    const { start, end } = item.expression;
    if (text !== undefined && other !== undefined)
      return [
        { kind: 'rewrite', rewrites: [{ start, end, text: `IF(${other} IS NULL, ${text}, ${text})` }] },
      ];
    if (isGrouped && !isHidden && means === item.expression)
      return [
        {
          kind: 'rewrite',
          rewrites: [
            { start, end: start, text: 'ARRAY[' },
            { start: end, end, text: '][1]' },
          ],
        },
      ];
  }
  return [
    {
      kind: 'finding',
      name: 'engine-keeps-place',
      message:
        'a row keeps its place after it is withdrawn: the engine takes this order for one in which rows only move forward',
      hint: 'add a column that changes to the rows that are ordered, such as COUNT(*), or order by one',
      start: first.start,
      end: first.end,
    },
  ];
}

/** What an item of ORDER BY names: a column or an expression; beside LIMIT also an alias or the number of a column. */
function meantBy(
  written: Expression,
  { items }: Select,
  of: 'OVER' | 'LIMIT',
): { readonly means: Expression; readonly text: string | undefined } {
  if (of === 'OVER') return { means: written, text: textOf(written) };
  if (written.kind === 'literal' && written.type === 'integer') {
    const item = items[Number(written.value) - 1];
    const means = item?.expression ?? written;
    return { means, text: item?.alias === undefined ? textOf(means) : quoted([item.alias.name]) };
  }
  const [name, another] = written.kind === 'column' ? written.path : [];
  const named = another === undefined ? items.find(({ alias }) => alias?.name === name?.name) : undefined;
  return { means: (name && named?.expression) ?? written, text: textOf(written) };
}

function textOf(expression: Expression): string | undefined {
  return expression.kind === 'column' ? quoted(expression.path.map(({ name }) => name)) : undefined;
}

function quoted(path: readonly string[]): string | undefined {
  return path.every((name) => /^\w+$/.test(name)) ? path.map((name) => `\`${name}\``).join('.') : undefined;
}

/** Whether the planner thinks that changes leave a value as it is, or move its row forward only. It looks into casts and functions of one argument. */
function staysInPlace(value: Expression, reading: Reading): boolean {
  const { select } = reading.place;
  if (value.kind === 'column') {
    if (select.groupBy !== undefined) return true;
    const found = resolved(value as Column, reading);
    return found.every((one) => isFixed(one, reading) || mayBeCount(one.column.type));
  }
  if (value.kind === 'cast') return staysInPlace(value.operand, reading);
  if (value.kind !== 'call') return false;
  const name = value.name.at(-1)?.name.toUpperCase() ?? '';
  if (functionKind(name) === 'aggregate') return name === 'COUNT';
  const [argument, another] = value.arguments;
  return (
    argument !== undefined && another === undefined && staysInPlace(argument.value as Expression, reading)
  );
}

/** Counts are the only values of this type that are not of a source, as far as the planner takes them for rising. */
function mayBeCount(
  type: { readonly name: string; readonly nullable?: boolean | undefined } | undefined,
): boolean {
  return type === undefined || (type.name === 'BIGINT' && type.nullable === false);
}

function hasAggregate({ items, having }: Select): boolean {
  let found = false;
  const parts: readonly SqlNode[] = [
    ...items.map(({ expression }) => expression),
    ...(having === undefined ? [] : [having]),
  ];
  for (const part of parts)
    walkSql(part, (one) => {
      if (one.kind === 'query') return 'skip';
      found ||=
        one.kind === 'call' &&
        one.over === undefined &&
        functionKind(one.name.at(-1)?.name.toUpperCase() ?? '') === 'aggregate';
      return found ? 'skip' : undefined;
    });
  return found;
}
