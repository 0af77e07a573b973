import type { Expression, GroupBy, GroupingItem, Identifier, Select, SelectItem } from '@levada/stream-sql';
import type { ColumnInfluence } from '../nodes/node-columns.ts';
import type { QueryContext, QueryPlace } from '../query-context.ts';
import { expressionIds, groupedExpressions } from '../scope/expression-ids.ts';
import { conditionType, expressionType } from '../scope/expression-type.ts';
import { type ExpressionPlace, type SelectFacts, useOf } from '../scope/expression-use.ts';
import { FromScope } from '../scope/from-scope.ts';
import { influencesBy, mergeInfluences } from './merge-origins.ts';
import { nullsOf, rejectNulls } from './nulls.ts';
import { readFrom } from './read-from.ts';
import { type OpenRelation, type Relation, type RelationColumn, relationOf } from './relation.ts';
import { isMarked, timeAfterGroups, timeAfterWhere, timeOf } from './relation-time.ts';
import { namesBeside } from './rename-columns.ts';
import { starColumns } from './star-columns.ts';

/** The result of a SELECT, and the tables that it reads. */
export function selectRelation(
  select: Select,
  place: QueryPlace,
): { readonly relation: Relation; readonly scope: FromScope } {
  const { scope, influences, unbounded } = readFrom(select.from, place);
  const plain: ExpressionPlace = { ...place, scope, select: undefined };
  for (const { alias } of select.items) if (alias !== undefined) scope.selected.add(alias.name);
  const filtered = clause(select.where, 'filter', plain);
  rejectNulls(select.where, plain);
  const before = [filtered, ...groupInfluences(select, plain)];
  const within: ExpressionPlace = { ...plain, select: selectFacts(select, place) };
  timeAfterWhere(select.where, unbounded, within);
  const { columns, open, used } = selectedColumns(select, within);
  const after = [
    clause(select.having, 'filter', within),
    clause(select.qualify, 'filter', qualifyPlace(columns, within)),
  ];
  place.context.parts.push({ kind: 'select', select, place: within });
  if (select.quantifier === 'DISTINCT' && open !== undefined)
    place.context.parts.push({ kind: 'every-column', what: 'DISTINCT', open });
  return {
    relation: relationOf({
      columns: timeAfterGroups(select, columns, within),
      open,
      undeclared: scope.tables.some(({ relation }) => relation.undeclared),
      influences: mergeInfluences([influences, ...before, ...used, ...after]),
    }),
    scope,
  };
}

function selectFacts({ groupBy, windows }: Select, { context }: QueryPlace): SelectFacts {
  const named = new Map(windows.map(({ name, window }) => [name.name, window]));
  return {
    grouped: groupBy?.items.some(({ kind }) => kind !== 'empty-grouping') === true,
    leftOut: leftOutOf(groupBy, context),
    window: ({ name }) => named.get(name),
  };
}

/** QUALIFY may also use the names of the select list. */
function qualifyPlace(columns: readonly RelationColumn[], place: ExpressionPlace): ExpressionPlace {
  const scope = new FromScope(place.scope);
  const known = columns.filter(({ name }) => place.scope.find(name).kind === 'missing');
  scope.add({ alias: undefined, relation: relationOf({ columns: known }) });
  return { ...place, scope };
}

/** The columns that decide a condition. */
function clause(
  condition: Expression | undefined,
  by: ColumnInfluence['by'],
  place: ExpressionPlace,
): readonly ColumnInfluence[] {
  if (condition === undefined) return [];
  const { origins, influences } = useOf(condition, place);
  if (by === 'filter') conditionType(condition, place);
  else expressionType(condition, place);
  return mergeInfluences([influencesBy(by, origins), influences]);
}

function groupInfluences(
  { groupBy }: Select,
  place: ExpressionPlace,
): readonly (readonly ColumnInfluence[])[] {
  return groupedExpressions(groupBy?.items ?? []).map((item) => clause(item, 'group', place));
}

/** `*` over queries that join themselves doubles the columns each time. */
const MAX_COLUMNS = 5000;

interface Selected {
  readonly columns: RelationColumn[];
  open: OpenRelation | undefined;
  readonly used: (readonly ColumnInfluence[])[];
}

function selectedColumns(select: Select, place: ExpressionPlace): Selected {
  const selected: Selected = { columns: [], open: undefined, used: [] };
  const names = new Set<string>();
  const giveName = namesBeside(names);
  for (const item of select.items) {
    if (item.expression.kind === 'star') {
      const { columns, open } = starColumns(item.expression, place);
      const room = Math.max(0, MAX_COLUMNS - selected.columns.length);
      for (const column of columns.slice(0, room)) selected.columns.push(giveName(column));
      selected.open ??= columns.length > room ? tooMany(item, place) : open;
    } else {
      const { column, influences } = selectedColumn(item, selected.columns.length, { ...place, of: select });
      selected.columns.push(column);
      names.add(column.name);
      selected.used.push(influences);
      selected.open ??= misnamed(item, place);
    }
  }
  return selected;
}

function tooMany({ start, end }: SelectItem, { context }: ExpressionPlace): OpenRelation {
  const reason = `it selects more than ${MAX_COLUMNS} columns by *`;
  return { reason, range: context.rangeOf({ start, end }), nodes: [] };
}

/** A column that is nothing gives its name to the result, and another name was meant: those that read the result may know it. */
function misnamed({ expression, alias }: SelectItem, { context }: ExpressionPlace): OpenRelation | undefined {
  if (alias !== undefined || expression.kind !== 'column') return undefined;
  if (!context.columns.has(expression) || context.columns.get(expression) !== undefined) return undefined;
  const { start, end } = expression;
  return {
    reason: 'it selects a column that does not exist',
    range: context.rangeOf({ start, end }),
    nodes: [],
  };
}

function selectedColumn(
  { expression, alias }: SelectItem,
  count: number,
  { of: select, ...place }: ExpressionPlace & { readonly of: Select },
): { readonly column: RelationColumn; readonly influences: readonly ColumnInfluence[] } {
  const { origins, influences } = useOf(expression, place);
  const source = expression.kind === 'column' ? place.context.columns.get(expression)?.column : undefined;
  const { start, end } = alias ?? expression;
  const type = expressionType(expression, place);
  const untyped = isUntypedNull(expression, place);
  const name = alias ?? ownName(expression);
  const written = name === undefined ? undefined : place.context.written(name);
  const column: RelationColumn = {
    name: name?.name ?? `EXPR$${count}`,
    ...(written === undefined ? {} : { written }),
    type: untyped ? undefined : type,
    time: timeOf(expression, source),
    ...(isMarked(expression, place.context) ? { marked: true } : {}),
    ...lostTime(expression, source, place),
    ...nullsOf(expression, { type, select }, place),
    origins,
    span: { start, end },
    ...(source?.edge === undefined ? {} : { edge: source.edge }),
    ...(source?.refusedInGroups === undefined ? {} : { refusedInGroups: source.refusedInGroups }),
  };
  return { column, influences };
}

/** NULL without a type, where rows leave the query. */
export function isUntypedNull(expression: Expression, { outer }: ExpressionPlace): boolean {
  return expression.kind === 'literal' && expression.type === 'null' && outer === undefined;
}

/** A time attribute is none after a CAST, even to its own type. */
function lostTime(
  expression: Expression,
  source: RelationColumn | undefined,
  { context }: ExpressionPlace,
): Pick<RelationColumn, 'lost'> {
  if (expression.kind !== 'cast') return source?.lost === undefined ? {} : { lost: source.lost };
  const { operand } = expression;
  const column = operand.kind === 'column' ? context.columns.get(operand)?.column : undefined;
  const name = operand.kind === 'column' ? operand.path.at(-1) : undefined;
  if (column?.time !== 'event' || name === undefined) return {};
  const { path, object } = context.owner;
  return { lost: { range: context.rangeOf(expression)(), path, object, name: context.shown(name) } };
}

function ownName(expression: Expression): Identifier | undefined {
  return expression.kind === 'column' ? expression.path.at(-1) : undefined;
}

/**
 * Says of a part of the select list whether GROUPING SETS, ROLLUP or CUBE leave it out in some rows, where it is null. Undefined where they
 * leave out none. Columns of GROUP BY are resolved before.
 */
function leftOutOf(
  groupBy: GroupBy | undefined,
  context: QueryContext,
): ((part: Expression) => boolean) | undefined {
  if (groupBy?.items.some((item) => item.kind === 'grouping-sets') !== true) return undefined;
  const ids = expressionIds(context);
  const always = union(groupBy.items.map((item) => inEverySet(item, ids)));
  const grouped = new Set(groupedExpressions(groupBy.items).flatMap(single).map(ids));
  const leftOut = new Set([...grouped].filter((id) => !always.has(id)));
  return (part) => leftOut.has(ids(part));
}

/** The expressions by which the rows of each set are grouped. */
function inEverySet(item: GroupingItem, ids: (part: Expression) => number): ReadonlySet<number> {
  if (item.kind === 'empty-grouping') return new Set();
  if (item.kind !== 'grouping-sets') return new Set(single(item).map(ids));
  // The last set of ROLLUP and CUBE is the empty one
  if (item.type !== 'GROUPING SETS') return new Set();
  const [first = new Set<number>(), ...others] = item.items.map((set) => inEverySet(set, ids));
  return new Set([...first].filter((id) => others.every((other) => other.has(id))));
}

function single(item: Expression): readonly Expression[] {
  return item.kind === 'row' ? item.fields : [item];
}

function union(sets: readonly ReadonlySet<number>[]): ReadonlySet<number> {
  return new Set(sets.flatMap((set) => [...set]));
}
