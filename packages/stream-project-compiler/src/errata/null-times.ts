import {
  type Call,
  type Column,
  type Expression,
  type Select,
  type Span,
  type TableFunction,
  walkSql,
} from '@levada/stream-sql';
import type { QueryContext } from '../columns/query-context.ts';
import { descriptorColumns } from '../columns/relations/window-call.ts';
import type { FoundErratum } from './found-errata.ts';

/** Whether a column is an event time of which nothing says that it has no nulls. */
function mayLackTime(column: Column, { columns }: QueryContext): boolean {
  const found = columns.get(column)?.column;
  const isPlain = column.path.every(({ name }) => /^\w+$/.test(name));
  return isPlain && found?.time === 'event' && found.type?.nullable !== false && found.nulls?.kind !== 'none';
}

/** An aggregate of windows ends its job at a row whose time is null. A window top N and a window join leave such a row out. */
export function nullsOfWindow({ call }: TableFunction, context: QueryContext): readonly FoundErratum[] {
  const [descriptor] = descriptorColumns(call);
  const name = descriptor?.path.at(-1);
  if (name === undefined || descriptor === undefined || !mayLackTime(descriptor, context)) return [];
  const table = tableOf(call);
  // `*` over two columns of one name is refused as ambiguous
  if (table === undefined || hasNameTwice(descriptor, context)) return [];
  const rewrites = [
    { start: table.from, end: table.start, text: '(SELECT * FROM ' },
    { start: table.end, end: table.end, text: ` WHERE ${columnText(descriptor)} IS NOT NULL)` },
  ];
  return [{ kind: 'rewrite', rewrites }, ...nullTimes(descriptor, context)];
}

function hasNameTwice(column: Column, { columns }: QueryContext): boolean {
  const { scope, place } = columns.get(column) ?? {};
  const names = scope?.tables[place ?? 0]?.relation.columns.map(({ name }) => name) ?? [];
  return new Set(names).size < names.length;
}

/** Elsewhere the engine reads a time that is null as 1970, so that watermarks decide whether such a row counts. */
export function nullsOfTimes(select: Select, context: QueryContext): readonly FoundErratum[] {
  const times = new Map(
    timesOf(select)
      .filter((column) => mayLackTime(column, context))
      .map((column) => [columnText(column), column]),
  );
  const { from, where } = select;
  if (from === undefined || times.size === 0) return [];
  const condition = [...times.keys()].map((text) => `${text} IS NOT NULL`).join(' AND ');
  const rewrites =
    where === undefined
      ? [{ start: from.end, end: from.end, text: ` WHERE ${condition}` }]
      : [
          { start: where.start, end: where.start, text: '(' },
          { start: where.end, end: where.end, text: `) AND ${condition}` },
        ];
  return [
    { kind: 'rewrite', rewrites },
    ...[...times.values()].flatMap((column) => nullTimes(column, context)),
  ];
}

/** The columns by whose time a SELECT makes windows in GROUP BY, or frames of OVER. Ranks are of all rows. */
function timesOf({ items, groupBy, windows }: Select): readonly Column[] {
  const found: (Expression | undefined)[] = [];
  for (const item of groupBy?.items ?? [])
    if (item.kind === 'call' && /^(?:TUMBLE|HOP|SESSION)$/i.test(nameOf(item)))
      found.push(item.arguments[0]?.value as Expression);
  for (const { expression } of items) {
    walkSql(expression, (node) => {
      if (node.kind === 'query') return 'skip';
      if (node.kind !== 'call' || node.over === undefined) return undefined;
      const { over } = node;
      const named = over.kind === 'identifier' ? over : over.base;
      const base = windows.find(({ name }) => name.name === named?.name)?.window;
      const own = over.kind === 'identifier' ? undefined : over.orderBy[0];
      if (!/^(?:ROW_NUMBER|RANK|DENSE_RANK)$/i.test(nameOf(node)))
        found.push((own ?? base?.orderBy[0])?.expression);
      return undefined;
    });
  }
  return found.flatMap((one) => (one?.kind === 'column' ? one : []));
}

/** The finding about times that are made null, or declared so. */
function nullTimes(column: Column, { columns, shown }: QueryContext): readonly FoundErratum[] {
  const nulls = columns.get(column)?.column.nulls;
  const written = column.path.at(-1);
  if (nulls?.kind !== 'made' || written === undefined) return [];
  const name = shown(written);
  const isJoined = nulls.by.kind === 'join';
  const condition = `leave such rows out with WHERE ${name} IS NOT NULL`;
  const why = isJoined ? `${nulls.by.what} makes one where it finds no row` : 'it is declared with NULL';
  return [
    {
      kind: 'finding',
      name: 'null-in-time',
      message: `rows with a null in "${name}" are in no window: ${why}`,
      hint: isJoined ? condition : `declare it without NULL where each row has a time, or ${condition}`,
      start: column.start,
      end: column.end,
    },
  ];
}

function columnText({ path }: Column): string {
  return path.map(({ name }) => `\`${name}\``).join('.');
}

function nameOf({ name }: Call): string {
  return name.at(-1)?.name ?? '';
}

/** The table that a function is called with, and where the words before it begin. */
function tableOf({ arguments: all }: Call): (Span & { readonly from: number }) | undefined {
  for (const { value } of all) {
    if (value.kind === 'table-argument' && value.table.kind !== 'query')
      return { ...value.table, from: value.start };
    if (value.kind === 'subquery') return { ...value, from: value.start };
  }
  return undefined;
}
