import {
  type Call,
  type Expression,
  functionKind,
  type Select,
  type SqlNode,
  walkSql,
} from '@levada/stream-sql';
import { conjuncts } from '../columns/relations/relation-time.ts';
import { expressionIds, groupedExpressions } from '../columns/scope/expression-ids.ts';
import type { ExpressionPlace } from '../columns/scope/expression-use.ts';
import {
  appended,
  type ChangeCause,
  type Changes,
  changing,
  isAppend,
  mappedKeys,
  together,
  updated,
} from './changes.ts';
import { type ChangesPlace, type QueryRows, requireAppend } from './changes-context.ts';
import { type FromRows, fromRows } from './from-rows.ts';
import { allRows, firstRows, type Numbered } from './numbered-rows.ts';
import { columnId, idOf, type Output, outputOf } from './output-columns.ts';
import { type RankCall, rankCall, rankLimit } from './rank-calls.ts';

/** A SELECT, and where it is. */
interface SelectPlace extends ChangesPlace {
  readonly select: Select;
  readonly at: ExpressionPlace;
  readonly output: Output | undefined;
}

/** The rows of a SELECT. */
export function selectRows(select: Select, outer: ChangesPlace): QueryRows {
  const at = outer.context.selects.get(select);
  if (at === undefined) return { changes: appended };
  const place: SelectPlace = { ...outer, select, at, output: outputOf(select, outer.context) };
  const read = afterWhere(fromRows(select.from, select.where, { ...outer, at }), place);
  const grouped = groups(read.changes, place) ?? { ...read.changes, keys: outputKeys(read.keys, place) };
  const rows = afterOver(withQueries(grouped, place), place);
  return select.quantifier === 'DISTINCT' ? { changes: distinct(allRows(rows, place.context), place) } : rows;
}

/** The rows that WHERE leaves. */
function afterWhere(from: FromRows, place: SelectPlace): FromRows {
  const { select, context, at } = place;
  const conditions = select.where === undefined ? [] : conjuncts(select.where);
  let { changes, keys } = from;
  if (from.numbered !== undefined) {
    const { columns } = at.scope.tables[0]?.relation ?? { columns: [] };
    const idAt = (position: number): string => columnId(0, columns[position]?.name ?? '');
    const number = idAt(from.numbered.position);
    const limit = rankLimit(conditions, (side) => idOf(side, at, context.columns.columns) === number);
    changes = limit === undefined ? allRows(from, context) : firstRows(from.numbered, limit, context);
    keys = limit === undefined ? keys : changes.keys.map((key) => key.map(idAt));
  }
  for (const condition of conditions) {
    const fixed = fixedColumn(condition, place);
    // The planner puts the constant in place of the column, and rows are no longer found by it
    if (fixed !== undefined) keys = keys.filter((key) => !key.includes(fixed));
    const bound = withCondition(changes, condition, place);
    if (bound !== changes) keys = [];
    changes = bound;
  }
  return { changes, keys };
}

/** The column that a condition compares with a constant by "=". */
function fixedColumn(condition: Expression, { at, context }: SelectPlace): string | undefined {
  if (condition.kind !== 'binary' || condition.operator !== '=') return undefined;
  const { left, right } = condition;
  const column = left.kind === 'literal' ? right : right.kind === 'literal' ? left : undefined;
  return column === undefined ? undefined : idOf(column, at, context.columns.columns);
}

/** A query in a condition is a join: with what it has, or with what it lacks. */
function withCondition(input: Changes, condition: Expression, place: SelectPlace): Changes {
  const { start, end } = condition;
  const negated = condition.kind === 'unary' && condition.operator === 'NOT';
  const test = negated ? condition.operand : condition;
  const query =
    test.kind === 'exists'
      ? test.query
      : test.kind === 'in' && !Array.isArray(test.candidates)
        ? test.candidates
        : undefined;
  if (query !== undefined && 'kind' in query) {
    const all = together([input, allRows(place.rowsOf(query, place), place.context)]);
    const isAnti = negated !== (test.kind === 'in' && test.negated);
    const what = test.kind === 'exists' ? 'NOT EXISTS' : 'NOT IN';
    return isAnti ? changing(all, { what, start, end }) : all;
  }
  return queriesIn(condition) ? changing(input, { what: 'a query in a condition', start, end }) : input;
}

function queriesIn(node: SqlNode): boolean {
  let found = false;
  walkSql(node, (one) => {
    found ||= one.kind === 'query';
    return found ? 'skip' : undefined;
  });
  return found;
}

/** A query in place of a value is joined to every row. */
function withQueries(input: Changes, { select }: SelectPlace): Changes {
  const item = select.items.find(({ expression }) => queriesIn(expression));
  if (item === undefined) return input;
  return changing(input, { what: 'a query in SELECT', start: item.start, end: item.end });
}

/** Where columns of FROM are found in the output. */
function outputKeys(keys: FromRows['keys'], { output }: SelectPlace): Changes['keys'] {
  if (output === undefined) return [];
  const ids = [...new Set(keys.flat())];
  return mappedKeys(
    keys.map((key) => key.map((id) => ids.indexOf(id))),
    (index) => output.flatMap((id, position) => (id === ids[index] ? position : [])),
  );
}

/** The rows of GROUP BY and aggregates; undefined where there are none. Groups of windows are written once, when a window ends. */
function groups(input: Changes, place: SelectPlace): Changes | undefined {
  const { select, context } = place;
  const { groupBy } = select;
  const aggregate = groupBy === undefined ? firstAggregate(select) : undefined;
  if (groupBy === undefined && aggregate === undefined) return undefined;
  const items = groupedExpressions(groupBy?.items ?? []).flatMap((item) =>
    item.kind === 'row' ? item.fields : [item],
  );
  if (isByWindow(items, place)) return appended;
  const { start, end } = groupBy ?? (aggregate as Call);
  const cause: ChangeCause = {
    what: groupBy === undefined ? nameOf(aggregate as Call) : 'GROUP BY',
    start,
    end,
  };
  if (groupBy?.items.some(({ kind }) => kind === 'grouping-sets') === true) return updated(input, cause);
  const key = items.map((item) => positionOf(item, place));
  const isWritten = place.output !== undefined && key.every((position) => position !== undefined);
  return updated(
    input,
    cause,
    isWritten ? [[...new Set(key as number[])].sort((one, other) => one - other)] : [],
  );
}

const windows: ReadonlySet<string> = new Set(['TUMBLE', 'HOP', 'SESSION']);

function isByWindow(items: readonly Expression[], { context }: SelectPlace): boolean {
  const edges = new Set(
    items.map((item) =>
      item.kind === 'column' ? context.columns.columns.get(item)?.column.edge : undefined,
    ),
  );
  if (edges.has('start') && edges.has('end')) return true;
  return items.some((item) => item.kind === 'call' && windows.has(nameOf(item)));
}

/** Where an expression is selected as it is. */
function positionOf(
  expression: Expression,
  { select, at, output, context }: SelectPlace,
): number | undefined {
  const id = idOf(expression, at, context.columns.columns);
  if (id !== undefined) {
    const position = output?.indexOf(id) ?? -1;
    return position < 0 ? undefined : position;
  }
  if (select.items.some((item) => item.expression.kind === 'star')) return undefined;
  const ids = expressionIds(context.columns);
  const wanted = ids(expression);
  const position = select.items.findIndex((item) => ids(item.expression) === wanted);
  return position < 0 ? undefined : position;
}

function firstAggregate({ items, having }: Select): Call | undefined {
  for (const node of [
    ...items.map(({ expression }) => expression),
    ...(having === undefined ? [] : [having]),
  ]) {
    let found: Call | undefined;
    walkSql(node, (one) => {
      if (one.kind === 'query') return 'skip';
      if (one.kind === 'call' && one.over === undefined && functionKind(nameOf(one)) === 'aggregate')
        found ??= one;
      return undefined;
    });
    if (found !== undefined) return found;
  }
  return undefined;
}

function nameOf({ name }: Call): string {
  return name.at(-1)?.name.toUpperCase() ?? '';
}

/** The rows with the values of OVER; those of a rank are numbered until a condition says how many are wanted. */
function afterOver(input: Changes, place: SelectPlace): QueryRows {
  const { select, context } = place;
  const calls = overCalls(select);
  const [call] = calls;
  if (call === undefined) return { changes: input };
  if (select.qualify !== undefined) return { changes: qualified(input, calls, place) };
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
      numbered: numbered(rank, { input, position: at }, place),
    };
  }
  const { start, end } = call;
  const over = rankCall(call, place, 'any');
  if (over?.order === 'other' && context.since('2.0')) {
    return { changes: changing(input, { what: 'OVER in an order that is not of time', start, end }) };
  }
  requireAppend(input, { operator: 'OVER', start, end }, context);
  return { changes: appended };
}

/** The position in the output of an item after `*`. */
function placeOfItem(item: number, { select, output }: SelectPlace): number {
  return (output?.length ?? 0) - (select.items.length - item);
}

function numbered(
  { parts, ...rank }: RankCall,
  { input, position }: { readonly input: Changes; readonly position: number },
  place: SelectPlace,
): Numbered {
  const found = parts.map((part) => positionOf(part, place));
  const known = found.filter((one) => one !== undefined);
  return { ...rank, input, position, parts: known.length === found.length ? known : undefined };
}

function qualified(input: Changes, calls: readonly Call[], place: SelectPlace): Changes {
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
    const position = select.items.findIndex(({ expression }) => expression === call);
    if (limit !== undefined) return firstRows(numbered(rank, { input, position }, place), limit, context);
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

function distinct(input: Changes, { select, output }: SelectPlace): Changes {
  const cause = { what: 'DISTINCT', start: select.start, end: select.start + 'SELECT'.length };
  const keys = output === undefined ? [] : [output.map((_, index) => index)];
  return updated(input, cause, keys);
}
