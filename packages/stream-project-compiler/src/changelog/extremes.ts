import {
  type Call,
  type Column,
  type Expression,
  type FromItem,
  type Macro,
  type Select,
  type SqlNode,
  walkSql,
} from '@levada/stream-sql';
import type { ResolvedColumn } from '../columns/query-context.ts';
import type { Rewrite } from '../errata/found-errata.ts';
import { appended, type Changes, isAppend } from './changes.ts';
import { reportUnseen } from './first-rows.ts';
import type { FromRows } from './from-rows.ts';
import type { SelectPlace } from './output-columns.ts';

/** What a SELECT reads, and where it is. */
export interface Reading {
  readonly read: FromRows;
  readonly place: SelectPlace;
}

/**
 * MIN and MAX whose groups and arguments are of columns that changes leave as they are. The planner takes such rows for appended,
 * also where they are withdrawn, and the value of a withdrawn row stays the result. A column that changes, read beside the
 * argument, shows the planner the changes.
 */
export function checkExtremes(read: FromRows, place: SelectPlace): void {
  const { select, context } = place;
  if (context.erratum === undefined || isAppend(read.changes)) return;
  const calls = extremeCalls(select);
  if (calls.length === 0) return;
  reportUnseen(read.changes, 'MIN or MAX', context);
  const reading = { read, place };
  const used = columnsIn(aggregated(select)).flatMap((column) => resolved(column, reading));
  if (!used.every((column) => isFixed(column, reading))) return;
  const other = changingColumn(reading);
  // Conditions of models that are read are not looked at: the rewrite changes nothing where there are none
  const isSafe = other === undefined || !readsModel(reading);
  if (isSafe && !mayVanish(calls, used, reading)) return;
  for (const { call } of calls) {
    if (other === undefined) {
      const name = call.name.at(-1)?.name.toUpperCase() ?? '';
      context.erratum({
        kind: 'finding',
        name: 'engine-keeps-extreme',
        message: `${name} keeps the value of a row after that is withdrawn: the engine takes these rows for appended, because no column is read that changes`,
        hint: 'add a column that changes to a model that is read, such as COUNT(*)',
        start: call.start,
        end: call.end,
      });
      continue;
    }
    context.erratum({ kind: 'rewrite', rewrites: readBeside(call, other) });
  }
}

/** The planner cannot see that such a condition holds for every row. */
function readBeside({ filter, end }: Call, column: string): readonly Rewrite[] {
  const condition = `IF(${column} IS NULL, TRUE, TRUE)`;
  if (filter === undefined) return [{ start: end, end, text: ` FILTER (WHERE ${condition})` }];
  return [
    { start: filter.start, end: filter.start, text: '(' },
    { start: filter.end, end: filter.end, text: `) AND ${condition}` },
  ];
}

interface ExtremeCall {
  readonly call: Call;
  readonly argument: Expression;
}

function aggregated({ items, having, groupBy }: Select): readonly SqlNode[] {
  return [
    ...items.map(({ expression }) => expression),
    ...(having === undefined ? [] : [having]),
    ...(groupBy?.items ?? []),
  ];
}

function extremeCalls(select: Select): readonly ExtremeCall[] {
  const calls: ExtremeCall[] = [];
  for (const node of aggregated(select)) {
    walkSql(node, (one) => {
      if (one.kind === 'query') return 'skip';
      if (one.kind !== 'call' || one.over !== undefined) return undefined;
      const value = one.arguments[0]?.value;
      if (!/^(?:MIN|MAX)$/i.test(one.name.at(-1)?.name ?? '') || value === undefined) return undefined;
      if (columnsIn([value]).length > 0) calls.push({ call: one, argument: value as Expression });
      return 'skip';
    });
  }
  return calls;
}

function columnsIn(nodes: readonly SqlNode[]): readonly Column[] {
  const found: Column[] = [];
  for (const node of nodes) {
    walkSql(node, (one) => {
      if (one.kind === 'query') return 'skip';
      if (one.kind === 'column') found.push(one);
      return undefined;
    });
  }
  return found;
}

/** The column that a name means, unless it is one of a query around it. */
export function resolved(column: Column, { place }: Reading): readonly ResolvedColumn[] {
  const found = place.context.columns.columns.get(column);
  return found === undefined || found.scope !== place.at.scope ? [] : [found];
}

/** Whether changes of a row leave the column as it is, as far as the planner knows. */
export function isFixed({ place: at, column }: ResolvedColumn, { read, place }: Reading): boolean {
  const changes = at === undefined ? undefined : read.tables.get(at);
  if (at === undefined || changes === undefined || isAppend(changes)) return true;
  if (changes.keys.length > 0) {
    const { columns } = place.at.scope.tables[at]?.relation ?? { columns: [] };
    const position = columns.findIndex(({ name }) => name === column.name);
    return changes.keys.some((key) => key.includes(position));
  }
  if (isNumbered(read.tables, at)) return false;
  return column.origins.length > 0 && column.origins.every((origin) => isFixedInNode(origin, place));
}

/** First rows of parts that are not selected. */
function isNumbered(tables: ReadonlyMap<number, Changes>, at: number): boolean {
  return tables.get(at)?.cause?.what.startsWith('the first row') === true;
}

function isFixedInNode(
  { node, column }: { readonly node: string; readonly column: string },
  { context }: SelectPlace,
): boolean {
  const at = node.indexOf(':');
  const table = {
    kind: 'macro',
    macro: node.slice(0, at) === 'model' ? 'ref' : 'source',
    name: node.slice(at + 1),
  } as Macro;
  const changes = context.tableOf(table);
  if (isAppend(changes)) return true;
  const position = context.columns.tableOf(table).columns.findIndex(({ name }) => name === column);
  return changes.keys.some((key) => key.includes(position));
}

/** Whether a row that gives a group its value may leave it. */
function mayVanish(
  calls: readonly ExtremeCall[],
  used: readonly ResolvedColumn[],
  { read, place }: Reading,
): boolean {
  const { select, at } = place;
  if (select.where !== undefined) return true;
  const isOfAppended = [...read.tables.values()].every(isAppend);
  if (!isOfAppended) return read.changes.deletes || filters(select.from);
  // An outer join replaces a row without a match by the same row with one: only what it makes of nulls goes
  const isPlain = calls.every(({ argument }) => argument.kind === 'column');
  const grouped = columnsIn(select.groupBy?.items ?? []).flatMap((column) =>
    resolved(column, { read, place }),
  );
  return (!isPlain && used.length > 0) || grouped.some(({ place: of }) => at.scope.isNullable(of));
}

/** Whether a model is read whose rows change. */
function readsModel({ read, place }: Reading): boolean {
  const sources = sourcesOf(place.select.from);
  return sources.some((source, at) => source.kind === 'macro' && !isAppend(read.tables.get(at) ?? appended));
}

/** Whether queries in FROM have conditions. */
function filters(from: FromItem | undefined): boolean {
  let found = false;
  if (from !== undefined) {
    walkSql(from, (one) => {
      found ||= one.kind === 'select' && (one.where !== undefined || one.having !== undefined);
      return found ? 'skip' : undefined;
    });
  }
  return found;
}

/** Other names are not looked at, because parts of them may be variables. */
const isWord = /^\w+$/;

/** A column of a table that is read of which the planner knows that it changes. */
export function changingColumn({ read, place }: Reading): string | undefined {
  const { scope } = place.at;
  for (const [at, changes] of read.tables) {
    const table = scope.tables[at];
    if (
      table === undefined ||
      !isWord.test(table.alias ?? '_') ||
      isAppend(changes) ||
      changes.keys.length === 0
    )
      continue;
    if (!isPlanned(place.select.from, at)) continue;
    const found = scope
      .columnsOf(at)
      .find(
        ({ time }, position) => time === undefined && !changes.keys.some((key) => key.includes(position)),
      );
    if (found === undefined) continue;
    return [...(table.alias === undefined ? [] : [table.alias]), found.name]
      .map((name) => `\`${name}\``)
      .join('.');
  }
  return undefined;
}

/** Whether all columns of a table but its keys change for the planner, too: it is the topic of a model, or it is grouped. */
function isPlanned(from: FromItem | undefined, place: number): boolean {
  const sources = sourcesOf(from);
  const source = sources[place];
  if (source?.kind === 'macro') return true;
  return (
    source?.kind === 'derived-table' &&
    source.query.body.kind === 'select' &&
    source.query.body.groupBy !== undefined
  );
}

function sourcesOf(
  from: FromItem | undefined,
): readonly Extract<FromItem, { readonly kind: 'table' }>['source'][] {
  if (from === undefined) return [];
  return from.kind === 'join' ? [...sourcesOf(from.left), ...sourcesOf(from.right)] : [from.source];
}
