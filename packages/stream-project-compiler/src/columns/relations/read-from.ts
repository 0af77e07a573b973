import type { FromItem, Join, Table } from '@levada/stream-sql';
import { quote } from '../../diagnostics/quote.ts';
import { checkJoin } from '../checks/check-join.ts';
import { checkTemporalJoin, checkTemporalKey } from '../checks/check-temporal-join.ts';
import type { ColumnInfluence } from '../nodes/node-columns.ts';
import type { QueryPlace } from '../query-context.ts';
import { useOf } from '../scope/expression-use.ts';
import { FromScope } from '../scope/from-scope.ts';
import { timeAfterJoin } from '../time/join-time.ts';
import { joinTables } from './join-tables.ts';
import { influencesBy, mergeInfluences } from './merge-origins.ts';
import { tableRelation } from './table-relation.ts';

/** The tables of a FROM, and what their joins decide by. */
export interface FromTables {
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
    checkJoin(join, place.context);
    checkTemporalKey(join, before, { ...place, scope });
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
  if (table.asOf !== undefined) checkTemporalJoin(table.asOf, relation, { ...place, scope });
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
    message: `the name${shown} stands twice in FROM, expected another one for each table`,
    hint: 'write AS with another name behind one of them',
    start,
    end,
  });
}
