import {
  type Call,
  type Expression,
  type OrderItem,
  type Query,
  type Select,
  type SqlNode,
  walkSql,
} from '@levada/stream-sql';
import { rankCall, rankRange, specificationOf } from '../../changelog/rank-calls.ts';
import { isByWindow } from '../../changelog/select-rows.ts';
import { conjuncts } from '../../columns/relations/relation-time.ts';
import { expressionIds, groupedExpressions } from '../../columns/scope/expression-ids.ts';
import {
  ColumnUses,
  type Demand,
  expressionColumn,
  type Output,
  outputColumn,
  outputsOf,
} from './column-uses.ts';
import { aggregates, type FoundParts, findParts } from './found-parts.ts';
import { addQueryJoin, type FromFacts, fromFlow, joinSteps, placeConditions } from './join-state.ts';
import { nodeText } from './node-text.ts';
import type { RankRange } from './state-part.ts';
import {
  allRows,
  columnForm,
  type Flow,
  type FormedColumn,
  filtered,
  inputForm,
  type StatePlace,
  shown,
  shownInputs,
} from './state-parts.ts';
import { isWindowCall, windowFacts, withSessions } from './window-state.ts';

interface SelectDemand {
  /** Columns of the result that are read. */
  readonly demand: Demand;
  readonly orderBy: readonly OrderItem[];
}

/** A SELECT, where it is, and what of it is read. */
interface SelectFacts extends FromFacts {
  readonly select: Select;
  readonly outputs: readonly Output[];
  /** Outputs that are read. */
  readonly wanted: readonly Output[];
  readonly found: FoundParts;
}

/** The rows of a SELECT. */
export function selectFlow(select: Select, { demand, orderBy }: SelectDemand, place: StatePlace): Flow {
  const at = place.context.selects.get(select);
  if (at === undefined) return { inputs: [] };
  const joins = joinSteps(select.from, at, place);
  const uses = new ColumnUses(at, joins.scopes, place.context);
  const outputs = outputsOf(select, at);
  const isWhole = demand === 'all' || select.quantifier === 'DISTINCT' || select.qualify !== undefined;
  const others = [
    ...(select.having === undefined ? [] : [select.having]),
    ...(select.qualify === undefined ? [] : [select.qualify]),
    ...orderBy,
  ];
  const wanted = isWhole ? outputs : outputs.filter((_, index) => demand.has(index));
  const found = findParts(wanted, others);
  const isGrouped = select.groupBy !== undefined || found.aggregates.length > 0;
  outputs.forEach(({ expression, star }, index) => {
    const level = isWhole || isGrouped ? 'kept' : demand.get(index);
    if (level === undefined || (!isWhole && !demand.has(index))) return;
    // A filter on a value of others is computed from them
    if (expression !== undefined) uses.read(expression, expression.kind === 'column' ? level : 'kept');
    if (star !== undefined) {
      const place = star.place < 0 ? undefined : star.place;
      uses.add(place, { column: star.column, id: ` ${star.column.name}` }, level);
    }
  });
  for (const node of others) uses.read(node);
  if (select.groupBy !== undefined) uses.read(select.groupBy);
  for (const { window } of select.windows) uses.read(window);
  const conditions = placeConditions(select.where, { uses, joins }, hasQuery);
  const facts: SelectFacts = { select, at, uses, joins, ...conditions, place, outputs, wanted, found };
  const read = withConditions(
    select.from === undefined ? { inputs: [] } : fromFlow(select.from, 0, facts),
    facts,
  );
  const grouped = isGrouped ? groups(allRows(read), facts) : withWindows(read, facts);
  const rows = afterOver(withValues(grouped, facts), facts, isGrouped);
  return select.quantifier === 'DISTINCT' ? distinct(allRows(rows), facts) : rows;
}

function withWindows(rows: Flow, { uses, at, place: { context } }: SelectFacts): Flow {
  return withSessions(rows, () => uses.between(0, at.scope.tables.length, 0), context);
}

function hasQuery(node: SqlNode): boolean {
  return queriesIn(node).length > 0;
}

/** Queries within an expression, those within them left out. */
function queriesIn(node: SqlNode): readonly Query[] {
  const found: Query[] = [];
  walkSql(node, (one) => {
    if (one.kind !== 'query') return undefined;
    found.push(one);
    return 'skip';
  });
  return found;
}

/** Queries in conditions are joins: with what they have, with what they lack, or with a value. */
function withConditions(input: Flow, facts: SelectFacts): Flow {
  const { select, place, uses, at } = facts;
  let flow = input;
  const all = select.where === undefined ? [] : conjuncts(select.where);
  const isConstant = all.some((one) => !hasQuery(one) && uses.of(one).length === 0);
  if (isConstant) flow = filtered(flow);
  for (const condition of all.filter(hasQuery)) {
    const negated = condition.kind === 'unary' && condition.operator === 'NOT';
    const test = negated ? condition.operand : condition;
    const isMember = test.kind === 'in' || test.kind === 'exists' || test.kind === 'quantified';
    const isAnti = negated !== (test.kind === 'in' && test.negated);
    for (const query of queriesIn(condition)) {
      const right = allRows(place.flowOf(query, 'all', place));
      const keys = test.kind === 'in' || test.kind === 'quantified' ? [test.operand] : [];
      flow = addQueryJoin(
        condition,
        isMember ? (isAnti ? 'ANTI' : 'SEMI') : 'SINGLE',
        {
          left: allRows(flow),
          right,
          keys: keys.map((key) => expressionColumn(key, at, place.context)),
          columns: uses.between(0, at.scope.tables.length, 0),
        },
        place,
      );
    }
  }
  return flow;
}

/** A query in place of a value is joined to every row. */
function withValues(input: Flow, { found, place, uses, at }: SelectFacts): Flow {
  let flow = input;
  for (const [expression, query] of found.queries) {
    const right = allRows(place.flowOf(query, 'all', place));
    const columns = uses.between(0, at.scope.tables.length, 0);
    flow = addQueryJoin(expression, 'SINGLE', { left: allRows(flow), right, columns, keys: [] }, place);
  }
  return flow;
}

function groups(read: Flow, facts: SelectFacts): Flow {
  const { select, at, found, place } = facts;
  const { context } = place;
  const { groupBy } = select;
  const items = groupedExpressions(groupBy?.items ?? []).flatMap((item) =>
    item.kind === 'row' ? item.fields : [item],
  );
  const calls = aggregates(found.aggregates, at, context);
  const sets =
    groupBy?.items.filter((item) => item.kind === 'grouping-sets' || item.kind === 'empty-grouping') ?? [];
  const isSets = sets.map((item) => nodeText(item, context.form));
  const edgeOf = (item: Expression) =>
    item.kind === 'column' ? context.columns.columns.get(item)?.column.edge : undefined;
  const isWindow = (item: Expression) =>
    edgeOf(item) !== undefined || (item.kind === 'call' && isWindowCall(item));
  const byWindow = isByWindow(items, { select, context });
  const keys = items
    .filter((item) => !byWindow || !isWindow(item))
    .map((item) => expressionColumn(item, at, context));
  const rows = byWindow ? read : withWindows(read, facts);
  const inputs = shownInputs(rows);
  if (!byWindow) {
    return context.parts.add(
      'group',
      { kind: 'group', inputs, keys: shown(keys), aggregates: calls.shown, keeps: 'idle' },
      [inputForm(rows), columnForm(keys), calls.form, isSets],
    );
  }
  const call = items.find((item): item is Call => item.kind === 'call' && isWindowCall(item));
  const edge = items.map(edgeOf).find((one) => one !== undefined);
  const window =
    call !== undefined
      ? windowFacts(call, [], context)
      : (rows.window ?? { shape: { window: edge?.window.split(' ')[0] ?? '' }, form: edge?.window ?? '' });
  const added = context.parts.add(
    'window',
    { kind: 'window', inputs, ...window.shape, keys: shown(keys), aggregates: calls.shown, keeps: 'window' },
    [inputForm(rows), window.form, columnForm(keys), calls.form, isSets],
  );
  return { ...added, window: { ...window, isRaw: false } };
}

/** The rows with the values of OVER; those of a rank are numbered until a condition says how many are wanted. */
function afterOver(input: Flow, facts: SelectFacts, isGrouped: boolean): Flow {
  const { select, outputs, place } = facts;
  const calls = facts.found.overs;
  const [first] = calls;
  if (first === undefined) return input;
  const rows = allRows(input);
  const kept = isGrouped
    ? facts.wanted
        .filter((output) => findParts([output], []).overs.length === 0)
        .map((one) => outputColumn(one, facts.at, place.context))
    : facts.uses.between(0, facts.at.scope.tables.length, 0);
  const ofRank = (call: Call) => rankCall(call, { select, context: place.context });
  if (select.qualify !== undefined) {
    const ids = expressionIds(place.context.columns);
    for (const call of calls.filter((one) => ofRank(one) !== undefined)) {
      const alias = outputs.find(({ expression }) => expression === call)?.name;
      const isNumber = (side: Expression) =>
        ids(side) === ids(call) ||
        (side.kind === 'column' && side.path.length === 1 && side.path[0]?.name === alias);
      const range = rankRange(conjuncts(select.qualify), isNumber);
      if (range.last !== undefined || range.first > 1) return rank(call, range, { rows, kept }, facts);
    }
    return filtered(over(calls, rows, facts));
  }
  const at = outputs.findIndex(
    ({ expression }) => expression?.kind === 'call' && ofRank(expression) !== undefined,
  );
  const call = outputs[at]?.expression;
  if (call?.kind !== 'call') return over(calls, rows, facts);
  const keep = (range: RankRange | undefined) =>
    range === undefined ? over(calls, rows, facts) : rank(call, range, { rows, kept }, facts);
  return { inputs: rows.inputs, window: rows.window, numbered: { at, keep } };
}

interface RankRows {
  readonly rows: Flow;
  readonly kept: readonly FormedColumn[];
}

function specification(call: Call, { select, at, place: { context } }: SelectFacts) {
  if (call.over === undefined) return undefined;
  const { partitionBy, orderBy, frame } = specificationOf(call.over, select);
  const texts = (which: 'text' | 'form') => ({
    order: orderBy.map((item) => nodeText(item, context[which])),
    frame: frame === undefined ? undefined : nodeText(frame, context[which]),
  });
  const keys = partitionBy.map((part) => expressionColumn(part, at, context));
  return { keys, shown: texts('text'), form: texts('form'), orderBy };
}

/** Of windows the first rows are kept until the window ends. */
function rank(call: Call, range: RankRange, { rows, kept }: RankRows, facts: SelectFacts): Flow {
  const found = specification(call, facts);
  if (found === undefined) return rows;
  const { keys, shown: texts, form, orderBy } = found;
  const { context } = facts.place;
  const info = rankCall(call, { select: facts.select, context });
  const isTime = info?.order.endsWith('time') === true && info.name === 'ROW_NUMBER';
  const isOne = range.last === 1;
  const label =
    isOne && isTime
      ? orderBy[0]?.direction === 'DESC'
        ? 'latest row'
        : 'first row'
      : isOne
        ? 'first row'
        : 'ranking';
  const last = range.last === undefined ? 'on' : `to ${range.last}`;
  const added = context.parts.add(
    label,
    {
      kind: 'rank',
      inputs: shownInputs(rows),
      keys: shown(keys),
      order: texts.order,
      rows: range.first === range.last ? String(range.first) : `${range.first} ${last}`,
      columns: shown(kept),
      keeps: info?.ofWindows === undefined ? 'idle' : 'window',
    },
    [
      inputForm(rows),
      info?.name,
      info?.order,
      columnForm(keys),
      form.order,
      range.first,
      range.last,
      columnForm(kept),
      rows.window?.form,
    ],
  );
  return { ...added, window: rows.window };
}

/** Calls with one window are computed together. */
function over(calls: readonly Call[], rows: Flow, facts: SelectFacts): Flow {
  const { context } = facts.place;
  const bySpecification = new Map<string, Call[]>();
  for (const call of calls) {
    const { keys, form } = specification(call, facts) ?? { keys: [], form: undefined };
    const text = JSON.stringify([columnForm(keys), form]);
    bySpecification.set(text, [...(bySpecification.get(text) ?? []), call]);
  }
  const columns = facts.uses.between(0, facts.at.scope.tables.length, 0);
  let flow = rows;
  for (const [text, group] of bySpecification) {
    const [first] = group;
    const found = first === undefined ? undefined : specification(first, facts);
    if (found === undefined) continue;
    const values = aggregates(
      group.map((call) => ({ ...call, over: undefined })),
      facts.at,
      context,
    );
    const { frame } = found.shown;
    const isInterval = first?.over !== undefined && frame !== undefined && isBoundedRange(first, facts);
    flow = context.parts.add(
      'OVER',
      {
        kind: 'over',
        inputs: shownInputs(flow),
        keys: shown(found.keys),
        order: found.shown.order,
        ...(frame === undefined ? {} : { frame }),
        aggregates: values.shown,
        keeps: isInterval ? 'interval' : 'idle',
      },
      [inputForm(flow), text, values.form, columnForm(columns)],
    );
  }
  return { ...flow, window: rows.window };
}

/** Rows of a length of time are removed when time has passed them. */
function isBoundedRange({ over: window }: Call, { select }: SelectFacts): boolean {
  const frame = window === undefined ? undefined : specificationOf(window, select).frame;
  return frame?.unit === 'RANGE' && frame.lower.offset !== undefined;
}

function distinct(rows: Flow, { wanted, at, place: { context } }: SelectFacts): Flow {
  const columns = wanted.map((one) => outputColumn(one, at, context));
  return context.parts.add(
    'DISTINCT',
    { kind: 'set', inputs: shownInputs(rows), operation: 'DISTINCT', columns: shown(columns), keeps: 'idle' },
    [inputForm(rows), 'DISTINCT', columnForm(columns)],
  );
}
