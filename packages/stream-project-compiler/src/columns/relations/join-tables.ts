import type { Identifier, Join } from '@levada/stream-sql';
import { commonType } from '../../types/common-type.ts';
import type { ColumnInfluence } from '../nodes/node-columns.ts';
import { reportUnknown } from '../nodes/report-columns.ts';
import { conditionType } from '../scope/expression-type.ts';
import { type ExpressionPlace, useOf } from '../scope/expression-use.ts';
import { influencesBy, mergeInfluences, mergeOrigins } from './merge-origins.ts';
import type { RelationColumn } from './relation.ts';

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
  conditionType(condition, place);
  return mergeInfluences([influencesBy('join', origins), influences]);
}

/** The columns that USING and NATURAL make one of. */
function mergedColumns(join: Join, before: number, place: ExpressionPlace): readonly RelationColumn[] {
  if (join.using.length === 0 && !join.natural) return [];
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
    return { name: text, type: common === 'none' ? undefined : common, time, origins };
  }
  if (typeof name !== 'string' && (left.kind === 'missing' || right.kind === 'missing')) {
    reportUnknown(name, scope, context);
  }
  return undefined;
}
