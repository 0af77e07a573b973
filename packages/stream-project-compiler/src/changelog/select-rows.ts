import {
  type Call,
  type Expression,
  type FromItem,
  functionKind,
  type OrderItem,
  type Query,
  type Select,
  type SqlNode,
  walkSql,
} from '@levada/stream-sql';
import type { QueryContext } from '../columns/query-context.ts';
import { conjuncts, readsWindows, resolvedIn } from '../columns/relations/relation-time.ts';
import { groupedExpressions } from '../columns/scope/expression-ids.ts';
import {
  appended,
  type ChangeCause,
  type Changes,
  changing,
  isAppend,
  type Key,
  mappedKeys,
  together,
  uniqueSets,
  updated,
  withUnique,
} from './changes.ts';
import type { ChangesContext, ChangesPlace, QueryRows } from './changes-context.ts';
import { checkExtremes } from './extremes.ts';
import { reportUnseen } from './first-rows.ts';
import { type FromRows, fromRows, isOfOneWindow } from './from-rows.ts';
import { allRows, firstRows } from './numbered-rows.ts';
import { orderErrata } from './ordered-rows.ts';
import { columnId, idOf, outputOf, positionOf, type SelectPlace } from './output-columns.ts';
import { afterOver } from './over-rows.ts';
import { rankLimit } from './rank-calls.ts';
import { reportVarying } from './varying-calls.ts';

/** The rows of a SELECT. */
export function selectRows(select: Select, outer: ChangesPlace): QueryRows {
  const at = outer.context.selects.get(select);
  if (at === undefined) return { changes: appended };
  const place: SelectPlace = { ...outer, select, at, output: outputOf(select, outer.context) };
  requireNoLimits(place);
  const read = afterWhere(fromRows(select.from, select.where, { ...outer, at }), place);
  checkExtremes(read, place);
  const grouped = groups(read.changes, place) ?? selected(read, place);
  const rows = afterOver(withQueries(grouped, place), read, place);
  if (!isAppend(rows.changes)) reportVarying(select, place.context);
  const written: QueryRows =
    select.quantifier === 'DISTINCT' ? { changes: distinct(allRows(rows, place.context), place) } : rows;
  const errataOf = (orderBy: readonly OrderItem[]) =>
    orderErrata(orderBy, written.changes, { read, place }, 'LIMIT');
  return { ...written, errataOf };
}

/** The rows without groups: their columns are those that are selected. */
function selected({ changes, keys, unique }: FromRows, place: SelectPlace): Changes {
  return withUnique({ ...changes, keys: outputKeys(keys, place) }, outputKeys(unique, place));
}

/** The planner does not take first rows of a query for each row of the one around it, nor a query for each row of a collection. */
function requireNoLimits(place: SelectPlace): void {
  const { select, context } = place;
  const isExpanded = select.from !== undefined && readsRowByRow(select.from);
  for (const root of [...select.items, ...(select.from === undefined ? [] : [select.from])]) {
    walkSql(root, (node) => {
      if (node.kind === 'table' && !node.lateral && node.source.kind === 'derived-table') return 'skip';
      if (node.kind !== 'query') return undefined;
      const isRefused = node.limit !== undefined || isExpanded;
      if (isRefused && isCorrelated(node, place)) {
        const what = node.limit === undefined ? 'rows of UNNEST or of a temporal join' : 'a row, with LIMIT';
        context.refuse({
          name: 'join-condition',
          message: `a query for each of ${what}, which the engine does not run`,
          hint: 'write a join with a query that groups or numbers its rows',
          start: node.start,
          end: node.end,
        });
      }
      return 'skip';
    });
  }
}

/** Whether rows are made of each row of a table: by UNNEST, or as of its time. */
function readsRowByRow(from: FromItem): boolean {
  if (from.kind === 'join') return readsRowByRow(from.left) || readsRowByRow(from.right);
  if (from.asOf !== undefined) return true;
  const { source } = from;
  if (source.kind === 'unnest') return true;
  let body = source.kind === 'derived-table' && !from.lateral ? source.query.body : undefined;
  while (body?.kind === 'query') body = body.body;
  return body?.kind === 'select' && body.groupBy === undefined && body.from !== undefined
    ? readsRowByRow(body.from)
    : false;
}

/** The rows that WHERE leaves. */
function afterWhere(from: FromRows, place: SelectPlace): FromRows {
  const { select, context, at } = place;
  const conditions = select.where === undefined ? [] : conjuncts(select.where);
  let { changes, keys, unique } = from;
  if (from.numbered !== undefined) {
    const { columns } = at.scope.tables[0]?.relation ?? { columns: [] };
    const idAt = (position: number): string => columnId(0, columns[position]?.name ?? '');
    const { position } = from.numbered;
    const number = position === undefined ? undefined : idAt(position);
    const isNumber = (side: Expression): boolean => {
      const id = idOf(side, at, context.columns.columns);
      return id !== undefined && id === number;
    };
    const limit = rankLimit(conditions, isNumber);
    changes = limit === undefined ? allRows(from, context) : firstRows(from.numbered, limit, context);
    if (conditions.length > 1) reportUnseen(changes, 'a condition', context);
    keys = limit === undefined ? keys : changes.keys.map((key) => key.map(idAt));
    unique = [...keys, ...unique];
  }
  for (const condition of conditions) {
    const fixed = fixedColumn(condition, place);
    // The planner puts the constant in place of the column, and rows are no longer found by it
    if (fixed !== undefined) {
      keys = keys.filter((key) => !key.includes(fixed));
      unique = unique.map((set) => set.filter((id) => id !== fixed));
    }
    const bound = withCondition(changes, condition, place);
    if (bound !== changes) keys = [];
    changes = bound;
  }
  if (from.numbered === undefined && conditions.length > 0) reportUnseen(changes, 'a condition', context);
  const tables = from.numbered === undefined ? from.tables : new Map([[0, changes]]);
  // A row that does not meet a condition any more is withdrawn
  if (conditions.length > (from.numbered === undefined ? 0 : 1)) changes = withoutKept(changes);
  return { changes, keys, unique, tables };
}

function withoutKept(changes: Changes): Changes {
  const { isKept: _, ...others } = changes;
  return others;
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
  const query = queryOf(test);
  if (query === undefined) return withValue(input, condition, place);
  const joined = together([input, allRows(place.rowsOf(query, place), place.context)]);
  reportUnseen(joined, 'a query in a condition', place.context);
  const all: Changes = isAppend(joined) ? joined : { ...joined, isHalfFed: true };
  if (negated !== (test.kind === 'in' && test.negated)) {
    if (isAppend(all) && isOfOneWindow(query, place)) return all;
    const what = test.kind === 'exists' ? 'NOT EXISTS' : 'NOT IN';
    return { ...changing(all, { what, start, end }), isHalfFed: true };
  }
  // Whether there is any row at all is counted, and so are values beside elements of a collection
  const isCounted = test.kind === 'exists' ? !isCorrelated(query, place) : readsElements(place.select.from);
  if (isCounted) return updated(all, { what: test.kind === 'exists' ? 'EXISTS' : 'IN', start, end });
  return all;
}

/** A value of a query that a condition compares with is replaced while the rows of that query change. */
function withValue(input: Changes, condition: Expression, place: SelectPlace): Changes {
  const queries: Query[] = [];
  walkSql(condition, (node) => {
    if (node.kind !== 'query') return undefined;
    queries.push(node);
    return 'skip';
  });
  if (queries.length === 0) return input;
  const all = together([
    input,
    ...queries.map((query) => allRows(place.rowsOf(query, place), place.context)),
  ]);
  const { start, end } = condition;
  const isSimple = condition.kind === 'binary' || condition.kind === 'quantified';
  if (!isSimple) return changing(all, { what: 'a query in a condition', start, end });
  return { ...all, updates: true, cause: all.cause ?? { what: 'a query in a condition', start, end } };
}

/** The query that a condition compares rows with. */
function queryOf(test: Expression): Query | undefined {
  if (test.kind === 'exists') return test.query;
  const isEqual =
    test.kind === 'in' || (test.kind === 'quantified' && test.operator === '=' && test.quantifier === 'ANY');
  return isEqual && 'kind' in test.candidates ? test.candidates : undefined;
}

function readsElements(from: FromItem | undefined): boolean {
  if (from === undefined) return false;
  return from.kind === 'join'
    ? readsElements(from.left) || readsElements(from.right)
    : from.source.kind === 'unnest';
}

/** Whether a query reads columns of the query around it. */
function isCorrelated(query: Query, { at, context }: SelectPlace): boolean {
  let found = false;
  walkSql(query, (node) => {
    const column = node.kind === 'column' ? context.columns.columns.get(node) : undefined;
    found ||= column !== undefined && column.scope.depth <= at.scope.depth;
    return found ? 'skip' : undefined;
  });
  return found;
}

function hasQuery(node: SqlNode): boolean {
  let found = false;
  walkSql(node, (one) => {
    found ||= one.kind === 'query';
    return found ? 'skip' : undefined;
  });
  return found;
}

/** A query in place of a value is joined to every row. */
function withQueries(input: Changes, { select }: SelectPlace): Changes {
  const item = select.items.find(({ expression }) => hasQuery(expression));
  if (item === undefined) return input;
  const changes = changing(input, { what: 'a query in SELECT', start: item.start, end: item.end });
  return withUnique(changes, uniqueSets(input));
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
  const { select } = place;
  const { groupBy } = select;
  const aggregate = groupBy === undefined ? firstAggregate(select) : undefined;
  if (groupBy === undefined && aggregate === undefined) return undefined;
  const items = groupedExpressions(groupBy?.items ?? []).flatMap((item) =>
    item.kind === 'row' ? item.fields : [item],
  );
  const byWindow = isByWindow(items, place);
  if (byWindow) return withUnique(appended, groupSets(items, place));
  reportUnseen(input, 'an aggregate', place.context);
  const { start, end } = groupBy ?? (aggregate as Call);
  const cause: ChangeCause = {
    what: groupBy === undefined ? nameOf(aggregate as Call) : 'GROUP BY',
    start,
    end,
  };
  if (groupBy?.items.some(({ kind }) => kind === 'grouping-sets') === true) return updated(input, cause);
  // The planner takes constants out of a key
  const isConstant = items.some((item) => resolvedIn(item, place.context.columns).length === 0);
  const key = isConstant ? [undefined] : items.map((item) => positionOf(item, place));
  const sets = isConstant ? groupSets(items, place) : [];
  const isWritten = place.output !== undefined && key.every((position) => position !== undefined);
  const changes = updated(
    input,
    cause,
    isWritten ? [[...new Set(key as number[])].sort((one, other) => one - other)] : [],
  );
  const isKept = isAppend(input) && select.having === undefined;
  return withUnique(isKept ? { ...changes, isKept } : changes, sets);
}

/** The columns of groups, without constants: there is one row of each. None where one of them is not selected. */
function groupSets(items: readonly Expression[], place: SelectPlace): readonly Key[] {
  const varying = items.filter((item) => resolvedIn(item, place.context.columns).length > 0);
  const found = varying.map((item) => positionOf(item, place));
  return place.output === undefined || found.includes(undefined) ? [] : [found as number[]];
}

const windows: ReadonlySet<string> = new Set(['TUMBLE', 'HOP', 'SESSION']);

/** Whether groups are those of windows, which are written once. */
export function isByWindow(
  items: readonly Expression[],
  { select, context }: { readonly select: Select; readonly context: Pick<ChangesContext, 'columns'> },
): boolean {
  const found = items.flatMap((item) =>
    item.kind === 'column' ? (context.columns.columns.get(item)?.column.edge ?? []) : [],
  );
  const edges = new Set(found.map(({ of }) => of));
  const isOfProcessing = found.some(({ time }) => time === 'processing');
  if (isOfProcessing && readsWindows(select, context.columns)) return false;
  if (edges.has('start') && edges.has('end')) return isBySession(items, select, context.columns);
  return items.some((item) => item.kind === 'call' && windows.has(nameOf(item)));
}

/** Sessions are those of a part, so that only groups of just these parts are written once. Other windows have no parts. */
function isBySession(items: readonly Expression[], { from }: Select, { columns }: QueryContext): boolean {
  if (from?.kind !== 'table' || from.source.kind !== 'table-function') return true;
  const { call } = from.source;
  if (nameOf(call) !== 'SESSION') return true;
  const parts = call.arguments.flatMap(({ value }) =>
    value.kind === 'table-argument' ? value.partitionBy : [],
  );
  const wanted = new Set(parts.map((part) => (part.kind === 'column' ? part.path.at(-1)?.name : undefined)));
  const others = items.filter(
    (item) => item.kind !== 'column' || columns.get(item)?.column.edge === undefined,
  );
  const names = new Set(others.map((item) => (item.kind === 'column' ? item.path.at(-1)?.name : '')));
  return names.size === wanted.size && [...names].every((name) => wanted.has(name));
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

/** Rows with a key are distinct as they are. */
function distinct(input: Changes, { select, output, context }: SelectPlace): Changes {
  if (input.keys.length > 0) return input;
  reportUnseen(input, 'DISTINCT', context);
  const cause = { what: 'DISTINCT', start: select.start, end: select.start + 'SELECT'.length };
  const keys = output === undefined ? [] : [output.map((_, index) => index)];
  return updated(input, cause, keys);
}
