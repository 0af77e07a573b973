import type { Expression, FromItem, Join, Query, Table } from '@levada/stream-sql';
import type { ResolvedColumn } from '../columns/query-context.ts';
import type { TimeState, WindowEdge } from '../columns/relations/relation.ts';
import { conjuncts, resolvedIn } from '../columns/relations/relation-time.ts';
import type { ExpressionPlace } from '../columns/scope/expression-use.ts';
import { appended, type Changes, changing, type Key, together, uniqueSets } from './changes.ts';
import {
  type ChangesContext,
  type ChangesPlace,
  namedRows,
  type QueryRows,
  requireAppend,
} from './changes-context.ts';
import { reportUnseen } from './first-rows.ts';
import { isHalfFed, isInner } from './half-fed-joins.ts';
import { allRows, type Numbered } from './numbered-rows.ts';
import { type ColumnId, columnId } from './output-columns.ts';

/** More sets of columns of joined rows are not followed. */
const MAX_SETS = 8;

/** The rows of a FROM. Their keys are of columns of its tables. */
export interface FromRows {
  readonly changes: Changes;
  readonly keys: readonly (readonly ColumnId[])[];
  /** All sets of columns that no two rows share: these keys, and those that the engine does not derive. */
  readonly unique: readonly (readonly ColumnId[])[];
  /** Of a FROM of one table, while its rows are numbered. */
  readonly numbered?: Numbered;
  /** How the rows of each of its tables change, by their places. */
  readonly tables: ReadonlyMap<number, Changes>;
}

/** A FROM, its conditions, and where it is. */
interface FromPlace extends ChangesPlace {
  readonly at: ExpressionPlace;
  /** Conditions of WHERE, which bind joined tables as those of ON do. */
  readonly where: readonly Expression[];
  /** Filled with the changes of each table. */
  readonly tables: Map<number, Changes>;
}

/** Rows of the tables from one place to the one before another. */
interface SomeRows extends Omit<FromRows, 'tables'> {
  readonly from: number;
  readonly before: number;
}

/** The rows that a SELECT reads. */
export function fromRows(
  from: FromItem | undefined,
  where: Expression | undefined,
  place: ChangesPlace & { readonly at: ExpressionPlace },
): FromRows {
  const tables = new Map<number, Changes>();
  if (from === undefined) return { changes: appended, keys: [[]], unique: [[]], tables };
  const conditions = where === undefined ? [] : conjuncts(where);
  return { ...itemRows(from, 0, { ...place, where: conditions, tables }), tables };
}

/** Joins may be many, so those to the left are not gone through by recursion. */
function itemRows(item: FromItem, first: number, place: FromPlace): SomeRows {
  const joins: Join[] = [];
  let left = item;
  while (left.kind === 'join') {
    joins.push(left);
    left = left.left;
  }
  let rows = tableRows(left, first, place);
  for (const join of joins.reverse()) rows = joinedRows(join, rows, place);
  return rows;
}

function tableRows(table: Table, at: number, place: FromPlace): SomeRows {
  const { changes, numbered } = readRows(table, place);
  place.tables.set(at, changes);
  const { columns } = place.at.scope.tables[at]?.relation ?? { columns: [] };
  const idAt = (position: number): ColumnId => columnId(at, columns[position]?.name ?? '');
  const ids = (sets: readonly Key[]) =>
    sets
      .filter((key) => key.every((position) => columns[position] !== undefined))
      .map((key) => key.map(idAt));
  const [keys, unique] = [ids(changes.keys), ids(uniqueSets(changes))];
  return { from: at, before: at + 1, changes, keys, unique, ...(numbered === undefined ? {} : { numbered }) };
}

function readRows(table: Table, place: FromPlace): QueryRows {
  const rows = sourceRows(table, place);
  const { matchRecognize } = table;
  if (matchRecognize === undefined) return rows;
  const { start } = matchRecognize;
  requireAppend(
    allRows(rows, place.context),
    { operator: 'MATCH_RECOGNIZE', start, end: start + 'MATCH_RECOGNIZE'.length },
    place.context,
  );
  return { changes: appended };
}

function sourceRows({ source }: Table, place: FromPlace): QueryRows {
  switch (source.kind) {
    case 'macro':
    case 'table-name':
      return namedRows(source, place);
    case 'derived-table':
      return place.rowsOf(source.query, place);
    case 'unnest':
      return { changes: appended };
    case 'table-function': {
      // Windows add columns after those of their table
      for (const { value } of source.call.arguments) {
        if (value.kind === 'table-argument') {
          const { table } = value;
          const rows = table.kind === 'query' ? place.rowsOf(table, place) : namedRows(table, place);
          return { changes: allRows(rows, place.context) };
        }
        const query = value.kind === 'subquery' ? value.query : value.kind === 'query' ? value : undefined;
        if (query !== undefined) return { changes: allRows(place.rowsOf(query, place), place.context) };
      }
      return { changes: appended };
    }
  }
}

function joinedRows(join: Join, left: SomeRows, place: FromPlace): SomeRows {
  const { right } = join;
  const others =
    right.kind === 'join' ? itemRows(right, left.before, place) : tableRows(right, left.before, place);
  const range = { from: left.from, before: others.before };
  const one = allRows(left, place.context);
  if (right.kind === 'table') {
    // A row of the left side is as it was, with the version of its time, or once for each element
    if (right.asOf !== undefined) {
      reportDeletedVersions(right, others.changes, place);
      return { ...range, changes: one, keys: left.keys, unique: left.unique };
    }
    if (right.source.kind === 'unnest')
      return { ...range, changes: outer(join, one, place), keys: [], unique: [] };
    if (right.source.kind === 'table-function' && !isWindow(right))
      return { ...range, changes: one, keys: [], unique: [] };
  }
  const other = allRows(others, place.context);
  const conditions = [
    ...(join.condition === undefined ? [] : conjuncts(join.condition)),
    ...(isInner(join) ? place.where : []),
  ];
  const sides = { left, right: others, conditions };
  const unique = joinUnique(join, sides, place);
  const link = linkOf(conditions, left.before, place);
  const { operatorStart: start, operatorEnd: end } = join;
  if (link.what !== 'equal values') {
    requireAppend(together([one, other]), { operator: link.what, start, end }, place.context);
    requireTimes(link, join, place);
    return { ...range, changes: appended, keys: [], unique };
  }
  const input = together([one, other]);
  reportUnseen(input, 'a join', place.context);
  const cause = { what: join.type === 'COMMA' ? 'a join' : `${join.type} JOIN`, start, end };
  const changes = {
    ...(isInner(join) ? input : changing(input, cause)),
    ...(isHalfFed(join, { one, other, conditions }, place) ? { isHalfFed: true as const } : {}),
  };
  return { ...range, changes, keys: joinKeys(join, sides, place), unique };
}

/** Reports versions of a table whose rows are deleted: the engine deletes a row as of the time that the row has itself. */
function reportDeletedVersions(
  { source }: Table,
  { deletes, isKept }: Changes,
  { context }: FromPlace,
): void {
  if (source.kind !== 'macro' || !deletes || isKept === true) return;
  const { start, end } = source;
  const isModel = source.macro === 'ref';
  context.refuse({
    name: 'deleted-version',
    message: `a deletion in this ${isModel ? 'model' : 'source'} has the time of the row that it deletes, so that the last version of the row is found at no time`,
    hint: isModel
      ? 'keep deleted rows in the model, with a time of their own and a column such as "__deleted", and test it after the join, or disable this code if no row is withdrawn'
      : 'read a topic whose deletions are rows with a time of their own and a column such as "__deleted", or disable this code if no row is deleted',
    start,
    end,
  });
}

/**
 * RIGHT and FULL joins have rows of the right side alone, which are withdrawn when they meet one of the left side. Elements that are
 * of no row are a table of their own, so that LEFT JOIN is an ordinary one.
 */
function outer(
  { type, right, operatorStart: start, operatorEnd: end }: Join,
  rows: Changes,
  place: FromPlace,
): Changes {
  const collections =
    right.kind === 'table' && right.source.kind === 'unnest' ? right.source.collections : [];
  const isOfRows = collections.some((one) => resolvedIn(one, place.context.columns).length > 0);
  const changes = type === 'RIGHT' || type === 'FULL' || (type === 'LEFT' && !isOfRows);
  return changes ? changing(rows, { what: `${type} JOIN`, start, end }) : rows;
}

/** Reports joins by time whose times the engine does not join by. */
function requireTimes(
  { what, time, types }: Exclude<Link, { readonly what: 'equal values' }>,
  { operatorStart: start, operatorEnd: end }: Join,
  { context }: FromPlace,
): void {
  const [one, other] = types;
  if (what === 'a window join' && time === 'processing') {
    const message = 'a join of windows of processing time, which the engine does not support';
    context.refuse({ name: 'join-condition', message, hint: 'use windows of event time', start, end });
  } else if (what === 'an interval join' && one !== undefined && other !== undefined && one !== other) {
    const message = `an interval join of times of the types ${one} and ${other}, expected one type`;
    context.refuse({ name: 'join-condition', message, hint: 'declare both with the same type', start, end });
  }
}

/** Whether a table is one of windows. */
export function isWindow({ source }: Pick<Table, 'source'>): boolean {
  return (
    source.kind === 'table-function' &&
    /^(?:TUMBLE|HOP|CUMULATE|SESSION)$/i.test(source.call.name.at(-1)?.name ?? '')
  );
}

/** What binds two sides, and of a window or interval join the times of both. */
export type Link =
  | { readonly what: 'equal values' }
  | {
      readonly what: 'an interval join' | 'a window join';
      readonly time: TimeState;
      readonly types: readonly (string | undefined)[];
    };

/** What binds two sides of a join: both ends of an interval of time, equal windows, or values alone. */
export function linkOf(
  conditions: readonly Expression[],
  before: number,
  place: { readonly at: ExpressionPlace; readonly context: Pick<ChangesContext, 'columns'> },
): Link {
  let isLower = false;
  let isUpper = false;
  const edges = new Map<string, WindowEdge>();
  let times: readonly [ResolvedColumn, ResolvedColumn] | undefined;
  for (const condition of conditions) {
    const found = resolvedIn(condition, place.context.columns).filter(
      ({ scope }) => scope === place.at.scope,
    );
    const sides = [found.filter((one) => isLeft(one, before)), found.filter((one) => !isLeft(one, before))];
    const [of, others] = sides as [ResolvedColumn[], ResolvedColumn[]];
    if (of.length === 0 || others.length === 0) continue;
    if (condition.kind === 'binary' && condition.operator === '=') {
      const [edge, other] = [of[0]?.column.edge, others[0]?.column.edge];
      if (edge !== undefined && other !== undefined && isSameEdge(edge, other)) edges.set(edge.of, edge);
    }
    const pair = timesOf(of, others);
    if (pair === undefined) continue;
    times ??= pair;
    const isBoth = condition.kind === 'between' && !condition.negated;
    isLower ||= isBoth;
    isUpper ||= isBoth;
    if (condition.kind !== 'binary') continue;
    const { operator } = condition;
    isLower ||= operator === '=';
    isUpper ||= operator === '=';
    const leftFirst = resolvedIn(condition.left, place.context.columns).some((one) => isLeft(one, before));
    const bounds = operator.startsWith('<') === leftFirst ? 'upper' : 'lower';
    if (/^[<>]=?$/.test(operator)) {
      isUpper ||= bounds === 'upper';
      isLower ||= bounds === 'lower';
    }
  }
  if (isLower && isUpper && times !== undefined) {
    const isEvent = times[0].column.time === 'event';
    const types = isEvent ? times.map(({ column }) => column.type?.name) : [];
    return { what: 'an interval join', time: times[0].column.time, types };
  }
  return edges.size === 2
    ? { what: 'a window join', time: edges.get('start')?.time, types: [] }
    : { what: 'equal values' };
}

/** A join of windows that differ is a join by the values of their bounds. */
function isSameEdge(one: WindowEdge, other: WindowEdge): boolean {
  return (
    one.of === other.of && one.window === other.window && one.time === other.time && one.type === other.type
  );
}

/** A time of each side, both of event time or both of processing time: others are compared as values. */
function timesOf(
  left: readonly ResolvedColumn[],
  right: readonly ResolvedColumn[],
): readonly [ResolvedColumn, ResolvedColumn] | undefined {
  for (const one of left.filter(isTime)) {
    const other = right.find(({ column }) => column.time === one.column.time);
    if (other !== undefined) return [one, other];
  }
  return undefined;
}

function isTime({ column }: ResolvedColumn): boolean {
  return column.time === 'event' || column.time === 'processing';
}

function isLeft({ place }: ResolvedColumn, before: number): boolean {
  return place !== undefined && place < before;
}

interface Sides {
  readonly left: SomeRows;
  readonly right: SomeRows;
  readonly conditions: readonly Expression[];
}

/**
 * Keys of joined rows, as the engine derives them: those of one side where each of its rows meets one of the other at most, and both
 * together. A key that lacks a column of the condition is lost, because rows are distributed by those columns.
 */
function joinKeys({ type }: Join, { left, right, conditions }: Sides, place: FromPlace): FromRows['keys'] {
  const pairs = conditions.flatMap((condition) => equalColumns(condition, left.before, place));
  const bound = { left: pairs.map(([one]) => one), right: pairs.map(([, other]) => other) };
  const contains = (all: readonly ColumnId[]) => (key: readonly ColumnId[]) =>
    all.every((id) => key.includes(id));
  const isUnique = (keys: FromRows['keys'], by: readonly ColumnId[]) =>
    keys.some((key) => key.every((id) => by.includes(id)));
  const kept = {
    left: left.keys.filter(contains(bound.left)),
    right: right.keys.filter(contains(bound.right)),
  };
  const keys: (readonly ColumnId[])[] = [];
  const leftStays = isUnique(right.keys, bound.right) && type !== 'RIGHT' && type !== 'FULL';
  const rightStays = isUnique(left.keys, bound.left) && type !== 'LEFT' && type !== 'FULL';
  if (leftStays) keys.push(...kept.left);
  if (rightStays) keys.push(...kept.right);
  for (const one of kept.left)
    for (const other of kept.right) if (type !== 'FULL') keys.push([...one, ...other]);
  return keys;
}

/**
 * Sets of columns that no two joined rows share: those of a side whose rows meet one of the other at most, else one of each side
 * together. Rows that meet none have nulls in place of the other side, so that a set of one side must not be that of those.
 */
function joinUnique(
  { type }: Join,
  { left, right, conditions }: Sides,
  place: FromPlace,
): FromRows['unique'] {
  if (type === 'FULL') return [];
  const pairs = conditions.flatMap((condition) => equalColumns(condition, left.before, place));
  const meetsOne = (sets: FromRows['unique'], by: readonly ColumnId[]) =>
    sets.some((set) => set.every((id) => by.includes(id)));
  const leftBound = pairs.map(([one]) => one);
  const rightBound = pairs.map(([, other]) => other);
  const ofLeft = type !== 'RIGHT' && meetsOne(right.unique, rightBound) ? left.unique : [];
  const ofRight = type !== 'LEFT' && meetsOne(left.unique, leftBound) ? right.unique : [];
  const alone = [...ofLeft, ...ofRight];
  const sets =
    alone.length > 0 ? alone : left.unique.flatMap((one) => right.unique.map((other) => [...one, ...other]));
  return sets.slice(0, MAX_SETS);
}

/** The columns that a condition compares with "=", one of each side. */
function equalColumns(
  condition: Expression,
  before: number,
  place: FromPlace,
): readonly (readonly [ColumnId, ColumnId])[] {
  if (condition.kind !== 'binary' || condition.operator !== '=') return [];
  const [one, other] = [condition.left, condition.right].map((side) =>
    side.kind === 'column' ? place.context.columns.columns.get(side) : undefined,
  );
  if (one === undefined || other === undefined || one.place === undefined || other.place === undefined)
    return [];
  if (isLeft(one, before) === isLeft(other, before)) return [];
  return [isLeft(one, before) ? [one.id, other.id] : [other.id, one.id]];
}

/** Whether a query for a row reads rows of the same window only: what it lacks is known when the window ends. */
export function isOfOneWindow(
  { body }: Query,
  { at, context }: ChangesPlace & { readonly at: ExpressionPlace },
): boolean {
  if (body.kind !== 'select' || body.where === undefined) return false;
  const edges = new Set<string>();
  for (const condition of conjuncts(body.where)) {
    if (condition.kind !== 'binary' || condition.operator !== '=') continue;
    const [one, other] = [condition.left, condition.right].map((side) =>
      side.kind === 'column' ? context.columns.columns.get(side) : undefined,
    );
    const edge = one?.column.edge?.of;
    if (edge === undefined || edge !== other?.column.edge?.of) continue;
    const isOuter = one?.scope === at.scope;
    if (isOuter !== (other?.scope === at.scope)) edges.add(edge);
  }
  return edges.has('start') && edges.has('end');
}
