import type { Identifier } from '../sql/tree/names.ts';
import type { Join } from '../sql/tree/table.ts';
import { commonType } from '../types/common-type.ts';
import { expressionType } from './expression-type.ts';
import { type ExpressionPlace, useOf } from './expression-use.ts';
import { FromScope } from './from-scope.ts';
import { influencesBy, mergeInfluences, mergeOrigins } from './merge-origins.ts';
import type { ColumnInfluence } from './node-columns.ts';
import type { RelationColumn } from './relation.ts';
import { reportUnknown } from './report-columns.ts';

/** Joins the tables from `before` on with those before it, and says what that decides by. */
export function joinTables(join: Join, before: number, place: ExpressionPlace): readonly ColumnInfluence[] {
  const { scope } = place;
  const merged = mergedColumns(join, before, place);
  if (join.type === 'LEFT' || join.type === 'FULL') scope.makeNullable(before, scope.tables.length);
  if (join.type === 'RIGHT' || join.type === 'FULL') scope.makeNullable(0, before);
  scope.merge(merged);
  const byNames = merged.map(({ origins }) => influencesBy('join', origins));
  const { condition } = join;
  if (condition === undefined) return mergeInfluences(byNames);
  const { origins, influences } = useOf(condition, place);
  expressionType(condition, place);
  return mergeInfluences([influencesBy('join', origins), influences]);
}

/** The columns that USING and NATURAL make one of. */
function mergedColumns(join: Join, before: number, place: ExpressionPlace): readonly RelationColumn[] {
  if (join.using.length === 0 && !join.natural) return [];
  const left = sideOf(place.scope, 0, before);
  const right = sideOf(place.scope, before, place.scope.tables.length);
  const names = join.natural ? sharedNames(left, right) : join.using;
  return names.flatMap((name) => mergedColumn(name, join, { left, right, place }) ?? []);
}

function sideOf(scope: FromScope, from: number, before: number): FromScope {
  const side = new FromScope();
  for (let at = from; at < before; at += 1) {
    const { alias } = scope.tables[at] ?? { alias: undefined };
    side.add({ alias, relation: scope.relationAt(at) });
  }
  if (from === 0) side.merge(scope.mergedColumns());
  return side;
}

function sharedNames(left: FromScope, right: FromScope): readonly string[] {
  const names = new Set(right.allColumns().map(({ name }) => name));
  return left.allColumns().flatMap(({ name }) => (names.has(name) ? name : []));
}

interface Sides {
  readonly left: FromScope;
  readonly right: FromScope;
  readonly place: ExpressionPlace;
}

function mergedColumn(
  name: Identifier | string,
  { type }: Join,
  { left, right, place }: Sides,
): RelationColumn | undefined {
  const text = typeof name === 'string' ? name : name.name;
  const found = [left, right].map((side) => side.find(text));
  const [one, other] = found.map((side) => (side.kind === 'column' ? side.column : undefined));
  if (one !== undefined && other !== undefined) {
    const common = commonType([one.type, other.type]);
    const time = type === 'RIGHT' ? other.time : type === 'FULL' ? undefined : one.time;
    const origins = mergeOrigins([one.origins, other.origins]);
    return { name: text, type: common === 'none' ? undefined : common, time, origins };
  }
  const at = found.findIndex(({ kind }) => kind === 'missing');
  const missing = at === 0 ? left : right;
  if (typeof name !== 'string' && at !== -1) reportUnknown(name, missing, place.context);
  return undefined;
}
