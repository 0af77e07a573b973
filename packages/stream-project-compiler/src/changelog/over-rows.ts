import { type Call, type Expression, type Select, walkSql } from '@levada/stream-sql';
import { conjuncts } from '../columns/relations/relation-time.ts';
import { expressionIds } from '../columns/scope/expression-ids.ts';
import { appended, type Changes, changing, isAppend } from './changes.ts';
import { type QueryRows, requireAppend, requireConstruct } from './changes-context.ts';
import type { Reading } from './extremes.ts';
import type { FromRows } from './from-rows.ts';
import { firstRows, type Numbered } from './numbered-rows.ts';
import { orderErrata } from './ordered-rows.ts';
import { listedOutput, positionOf, type SelectPlace } from './output-columns.ts';
import { type RankCall, rankCall, rankLimit } from './rank-calls.ts';

/** The rows with the values of OVER; those of a rank are numbered until a condition says how many are wanted. */
export function afterOver(input: Changes, read: FromRows, place: SelectPlace): QueryRows {
  const { select, context } = place;
  const calls = overCalls(select);
  const [call] = calls;
  if (call === undefined) return { changes: input };
  if (select.qualify !== undefined) return { changes: qualified(input, calls, { read, place }) };
  const position = select.items.findIndex(
    ({ expression }) => expression.kind === 'call' && rankCall(expression, place) !== undefined,
  );
  const item = select.items[position]?.expression;
  const rank = item?.kind === 'call' ? rankCall(item, place) : undefined;
  const before = select.items.slice(0, position).some(({ expression }) => expression.kind === 'star');
  if (rank !== undefined) {
    const at = before ? placeOfItem(position, place) : position;
    return {
      changes: { ...input, keys: input.keys },
      numbered: numbered(rank, { input, position: at }, { read, place }),
    };
  }
  const { start, end } = call;
  const over = rankCall(call, place, 'any');
  if (over?.order === 'other' || over?.order === 'uncertain') {
    if (over.order === 'other' && !over.isBounded)
      requireConstruct('OVER in an order that is not of time', { start, end }, context);
    return { changes: changing(input, { what: 'OVER in an order that is not of time', start, end }) };
  }
  requireAppend(input, { operator: 'OVER', start, end }, context);
  return { changes: appended };
}

/** The position in the output of an item after `*`. */
function placeOfItem(item: number, { select, context }: SelectPlace): number | undefined {
  const listed = listedOutput(select, context);
  return listed && listed.length - (select.items.length - item);
}

function numbered(
  { parts, orderBy, ...rank }: Omit<RankCall, 'isBounded'>,
  { input, position }: { readonly input: Changes; readonly position: number | undefined },
  reading: Reading,
): Numbered {
  const found = parts.map((part) => positionOf(part, reading.place));
  const known = found.filter((one) => one !== undefined);
  const errata = orderErrata(orderBy, input, reading, 'OVER');
  return { ...rank, errata, input, position, parts: known.length === found.length ? known : undefined };
}

function qualified(input: Changes, calls: readonly Call[], reading: Reading): Changes {
  const { place } = reading;
  const { select, context } = place;
  const conditions = conjuncts(select.qualify as Expression);
  for (const call of calls) {
    const rank = rankCall(call, place);
    if (rank === undefined) continue;
    const ids = expressionIds(context.columns);
    const alias = select.items.find(({ expression }) => expression === call)?.alias?.name;
    const limit = rankLimit(
      conditions,
      (side) =>
        ids(side) === ids(call) ||
        (side.kind === 'column' && side.path.length === 1 && side.path[0]?.name === alias),
    );
    const position = positionOf(call, place);
    if (limit !== undefined) return firstRows(numbered(rank, { input, position }, reading), limit, context);
  }
  const [call] = calls;
  if (call !== undefined)
    requireAppend(input, { operator: 'OVER', start: call.start, end: call.end }, context);
  return isAppend(input) ? appended : { ...input, keys: [] };
}

function overCalls({ items, qualify }: Select): readonly Call[] {
  const calls: Call[] = [];
  for (const node of [
    ...items.map(({ expression }) => expression),
    ...(qualify === undefined ? [] : [qualify]),
  ]) {
    walkSql(node, (one) => {
      if (one.kind === 'query') return 'skip';
      if (one.kind === 'call' && one.over !== undefined) calls.push(one);
      return undefined;
    });
  }
  return calls;
}
