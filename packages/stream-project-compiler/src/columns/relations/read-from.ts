import type { FromItem, Identifier, Join, Table } from '@levada/stream-sql';
import { quote } from '../../diagnostics/quote.ts';
import { commonType } from '../../types/common-type.ts';
import { withNullable } from '../../types/sql-type.ts';
import type { ColumnInfluence } from '../nodes/node-columns.ts';
import { reportUnknown } from '../nodes/report-columns.ts';
import type { QueryPlace } from '../query-context.ts';
import { conditionType } from '../scope/expression-type.ts';
import { type ExpressionPlace, useOf } from '../scope/expression-use.ts';
import { FromScope } from '../scope/from-scope.ts';
import { influencesBy, mergeInfluences, mergeOrigins } from './merge-origins.ts';
import { rejectNulls } from './nulls.ts';
import { firstOpen, type RelationColumn } from './relation.ts';
import { timeAfterJoin } from './relation-time.ts';
import { tableRelation } from './table-relation.ts';

/** The tables of a FROM, and what their joins decide by. */
interface FromTables {
  readonly scope: FromScope;
  readonly influences: readonly ColumnInfluence[];
  /** Tables before this one are joined without a bound of time, unless WHERE has one. */
  readonly unbounded: number;
}

/** Reads a FROM from the left to the right. Joins may be many, so they are not gone through by recursion. */
export function readFrom(from: FromItem | undefined, place: QueryPlace): FromTables {
  const scope = new FromScope(place.outer);
  if (from === undefined) return { scope, influences: [], unbounded: 0 };
  const joins: Join[] = [];
  let first: FromItem = from;
  while (first.kind === 'join') {
    joins.push(first);
    first = first.left;
  }
  const influences = [addTable(first, scope, place)];
  let unbounded = 0;
  for (const join of joins.reverse()) {
    const before = scope.tables.length;
    influences.push(addRight(join.right, scope, place));
    influences.push(joinTables(join, before, { ...place, scope }));
    place.context.parts.push({ kind: 'join', join, before, place: { ...place, scope } });
    if (timeAfterJoin(join, before, { ...place, scope }) === 'unbounded') unbounded = scope.tables.length;
  }
  return { scope, influences: mergeInfluences(influences), unbounded };
}

/** Joins in parentheses see their own tables only. */
function addRight(item: FromItem, scope: FromScope, place: QueryPlace): readonly ColumnInfluence[] {
  if (item.kind === 'table') return addTable(item, scope, place);
  const inner = readFrom(item, place);
  inner.scope.loseTime('uncertain', { before: inner.unbounded });
  inner.scope.tables.forEach(({ alias }, at) => {
    const relation = inner.scope.relationAt(at);
    if (!scope.add({ alias, relation })) reportDuplicate(alias, item, place);
  });
  return inner.influences;
}

function addTable(table: Table, scope: FromScope, place: QueryPlace): readonly ColumnInfluence[] {
  const asOf = table.asOf === undefined ? undefined : useOf(table.asOf, { ...place, scope });
  const { relation, alias } = tableRelation(table, scope, place);
  if (!scope.add({ alias, relation })) reportDuplicate(alias, table.alias ?? table, place);
  if (table.asOf !== undefined) {
    place.context.parts.push({
      kind: 'as-of',
      asOf: table.asOf,
      right: relation,
      place: { ...place, scope },
    });
  }
  const time = asOf === undefined ? [] : influencesBy('join', asOf.origins);
  return mergeInfluences([relation.influences, time]);
}

function reportDuplicate(
  alias: string | undefined,
  { start, end }: { readonly start: number; readonly end: number },
  { context }: QueryPlace,
): void {
  const shown = alias === undefined || !context.mayHint ? '' : ` ${quote(alias)}`;
  context.report({
    name: 'duplicate-alias',
    message: `duplicate table name${shown} in FROM`,
    hint: 'add AS with another name to one of them',
    start,
    end,
  });
}

/** Joins the tables from `before` on with those before it, and says what that decides by. */
function joinTables(join: Join, before: number, place: ExpressionPlace): readonly ColumnInfluence[] {
  const { scope } = place;
  const merged = mergedColumns(join, before, place);
  if (join.type === 'LEFT' || join.type === 'FULL')
    scope.makeNullable(before, scope.tables.length, `${join.type} JOIN`);
  if (join.type === 'RIGHT' || join.type === 'FULL') scope.makeNullable(0, before, `${join.type} JOIN`);
  scope.merge(merged);
  const byNames = merged.map(({ origins }) => influencesBy('join', origins));
  const { condition } = join;
  if (condition === undefined) return mergeInfluences(byNames);
  const { origins, influences } = useOf(condition, place);
  conditionType(condition, place);
  if (join.type === 'INNER') rejectNulls(condition, place);
  return mergeInfluences([influencesBy('join', origins), influences]);
}

/** The columns that USING and NATURAL make one of. */
function mergedColumns(join: Join, before: number, place: ExpressionPlace): readonly RelationColumn[] {
  if (join.using.length === 0 && !join.natural) return [];
  if (join.natural) {
    const open = firstOpen(place.scope.tables.map(({ relation }) => relation));
    if (open !== undefined) place.context.parts.push({ kind: 'every-column', what: 'NATURAL JOIN', open });
  }
  const names = join.natural ? place.scope.sharedNames(before) : join.using;
  return names.flatMap((name) => mergedColumn(name, { join, before, place }) ?? []);
}

interface Merging {
  readonly join: Join;
  readonly before: number;
  readonly place: ExpressionPlace;
}

function mergedColumn(
  name: Identifier | string,
  { join: { type }, before, place: { scope, context } }: Merging,
): RelationColumn | undefined {
  const text = typeof name === 'string' ? name : name.name;
  const left = scope.findAmong(text, 0, before);
  const right = scope.findAmong(text, before, scope.tables.length);
  if (left.kind === 'column' && right.kind === 'column') {
    const [one, other] = [left.column, right.column];
    const common = commonType([one.type, other.type]);
    const time = type === 'RIGHT' ? other.time : type === 'FULL' ? undefined : one.time;
    const origins = mergeOrigins([one.origins, other.origins]);
    const nulls = type === 'RIGHT' ? other.nulls : one.nulls;
    return {
      name: text,
      // Of two that may be missing the engine takes the one that is there for nullable, too
      type: common === 'none' ? undefined : type === 'FULL' ? withNullable(common, true) : common,
      time,
      origins,
      ...(nulls === undefined || type === 'FULL' ? {} : { nulls }),
    };
  }
  if (typeof name !== 'string' && (left.kind === 'missing' || right.kind === 'missing')) {
    reportUnknown(name, scope, context);
  }
  return undefined;
}
