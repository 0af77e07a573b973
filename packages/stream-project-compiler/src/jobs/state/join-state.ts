import type { Expression, FromItem, Join, Table, Unnest } from '@levada/stream-sql';
import { linkOf } from '../../changelog/from-rows.ts';
import { isInner } from '../../changelog/half-fed-joins.ts';
import { rankRange } from '../../changelog/rank-calls.ts';
import type { ResolvedColumn } from '../../columns/query-context.ts';
import { conjuncts, resolvedIn } from '../../columns/relations/relation-time.ts';
import type { ExpressionPlace } from '../../columns/scope/expression-use.ts';
import type { FromScope } from '../../columns/scope/from-scope.ts';
import { type ColumnUses, expressionColumn, formOf, shownName, typeOfColumn } from './column-uses.ts';
import { nodeText } from './node-text.ts';
import type { JoinState, StateSide } from './state-part.ts';
import {
  columnForm,
  type Flow,
  type FormedColumn,
  filtered,
  inputForm,
  type PartDraft,
  type StatePlace,
  shown,
  shownInputs,
} from './state-parts.ts';
import { tableFlow } from './table-state.ts';

/** A join of a FROM, with its number among them and the places of its tables there. */
export interface JoinStep {
  readonly join: Join;
  readonly stage: number;
  readonly from: number;
  readonly before: number;
  readonly end: number;
  /** Where its conditions are read, and the place of the first table there. */
  readonly place: ExpressionPlace;
  readonly offset: number;
}

/** The joins of a FROM in the order in which they are made, and the scopes of those in parentheses. */
export interface JoinSteps {
  readonly steps: ReadonlyMap<Join, JoinStep>;
  readonly scopes: ReadonlyMap<FromScope, number>;
}

/** Numbers the joins of a FROM. */
export function joinSteps(
  from: FromItem | undefined,
  at: ExpressionPlace,
  { context }: StatePlace,
): JoinSteps {
  const steps = new Map<Join, JoinStep>();
  const scopes = new Map<FromScope, number>([[at.scope, 0]]);
  const number = (item: FromItem, first: number, offset: number): number => {
    const joins: Join[] = [];
    let left = item;
    for (; left.kind === 'join'; left = left.left) joins.push(left);
    let before = first + 1;
    for (const join of joins.reverse()) {
      const place = context.joins.get(join)?.place ?? at;
      scopes.set(place.scope, offset);
      const end = join.right.kind === 'join' ? number(join.right, before, before) : before + 1;
      steps.set(join, { join, stage: steps.size, from: first, before, end, place, offset });
      before = end;
    }
    return before;
  };
  if (from !== undefined) number(from, 0, 0);
  return { steps, scopes };
}

/** Where conditions of a SELECT belong, and what it reads. */
export interface FromFacts {
  readonly at: ExpressionPlace;
  readonly uses: ColumnUses;
  readonly joins: JoinSteps;
  /** Conditions of one table each, by its place. */
  readonly filters: ReadonlyMap<number, readonly Expression[]>;
  /** Conditions of WHERE by the join that they become part of. */
  readonly where: ReadonlyMap<Join, readonly Expression[]>;
  readonly place: StatePlace;
}

/** Notes what conditions read, and says where each of them belongs. */
export function placeConditions(
  where: Expression | undefined,
  { uses, joins }: Pick<FromFacts, 'uses' | 'joins'>,
  isOther: (condition: Expression) => boolean,
): Pick<FromFacts, 'filters' | 'where'> {
  const filters = new Map<number, Expression[]>();
  const byJoin = new Map<Join, Expression[]>();
  const steps = [...joins.steps.values()];
  const filter = (condition: Expression, at: number) => {
    uses.read(condition, 'filter', -1);
    filters.set(at, [...(filters.get(at) ?? []), condition]);
  };
  const attach = (condition: Expression, step: JoinStep) => {
    uses.read(condition, 'kept', step.stage);
    byJoin.set(step.join, [...(byJoin.get(step.join) ?? []), condition]);
  };
  for (const condition of where === undefined ? [] : conjuncts(where)) {
    if (isOther(condition)) continue;
    const places = placesOf(condition, uses);
    const [only, another] = places;
    const outer = steps.findLast(
      ({ join, from, end }) => !isInner(join) && places.some((at) => at >= from && at < end),
    );
    if (another === undefined && only !== undefined && outer === undefined) {
      filter(condition, only);
      continue;
    }
    // A condition on rows that may be missing makes another join of it
    const step = outer ?? steps.find(({ from, end }) => places.every((at) => at >= from && at < end));
    if (step === undefined) uses.read(condition);
    else attach(condition, step);
  }
  for (const step of steps) {
    const { join } = step;
    for (const condition of join.condition === undefined ? [] : conjuncts(join.condition)) {
      const side = filteredSide(condition, step, uses);
      if (side === undefined) uses.read(condition, 'kept', step.stage);
      else filter(condition, side);
    }
    if (join.right.kind === 'table' && join.right.asOf !== undefined)
      uses.read(join.right.asOf, 'kept', step.stage);
    if (join.right.kind === 'table' && join.right.source.kind !== 'macro')
      uses.read(join.right.source, 'kept', step.stage);
    for (const name of namesOfUsing(step))
      for (const column of sidesOfName(name, step))
        uses.add(column.place, { column: column.column, id: column.id }, 'kept', step.stage);
  }
  return { filters, where: byJoin };
}

function placesOf(condition: Expression, uses: ColumnUses): readonly number[] {
  return [...new Set(uses.of(condition).flatMap(({ place }) => place ?? []))];
}

/** The table that a condition of ON filters before the join. */
function filteredSide(
  condition: Expression,
  { join, before }: JoinStep,
  uses: ColumnUses,
): number | undefined {
  const [only, another] = placesOf(condition, uses);
  if (only === undefined || another !== undefined || join.type === 'FULL') return undefined;
  if (join.type === 'LEFT') return only >= before ? only : undefined;
  if (join.type === 'RIGHT') return only < before ? only : undefined;
  return only;
}

function namesOfUsing({ join, before, offset, place }: JoinStep): readonly string[] {
  return join.natural ? place.scope.sharedNames(before - offset) : join.using.map(({ name }) => name);
}

/** The columns of both sides that USING makes one of. */
function sidesOfName(name: string, { before, offset, place, end, from }: JoinStep) {
  const { scope } = place;
  const left = scope.findAmong(name, 0, before - offset);
  const right = scope.findAmong(name, before - offset, end - offset);
  return [left, right].flatMap((found, side) => {
    if (found.kind !== 'column') return [];
    const at = found.place === undefined ? (side === 0 ? from : before) : found.place + offset;
    return [{ place: at, column: found.column, id: ` ${name}` }];
  });
}

/** The rows of a FROM. Joins may be many, so those to the left are not gone through by recursion. */
export function fromFlow(item: FromItem, first: number, facts: FromFacts): Flow {
  const joins: Join[] = [];
  let left = item;
  for (; left.kind === 'join'; left = left.left) joins.push(left);
  let flow = oneTable(left, first, facts);
  for (const join of joins.reverse()) flow = joined(join, flow, facts);
  return flow;
}

/** The rows of a table after the conditions on it alone: numbered ones as far as these want them. */
function oneTable(table: Table, at: number, facts: FromFacts): Flow {
  const flow = tableFlow(table, at, facts);
  const conditions = facts.filters.get(at) ?? [];
  if (flow.numbered === undefined) return conditions.length === 0 ? flow : filtered(flow);
  const number = facts.at.scope.tables[at]?.relation.columns[flow.numbered.at]?.name;
  const isNumber = (side: Expression) => {
    const found = facts.uses.of(side);
    return side.kind === 'column' && found.length === 1 && found[0]?.found.column.name === number;
  };
  const range = rankRange(conditions, isNumber);
  const rows = flow.numbered.keep(range.last === undefined && range.first === 1 ? undefined : range);
  const others = conditions.filter((condition) => !isRange(condition, isNumber));
  return others.length === 0 ? rows : filtered(rows);
}

function isRange(condition: Expression, isNumber: (side: Expression) => boolean): boolean {
  if (condition.kind === 'between') return isNumber(condition.operand);
  return condition.kind === 'binary' && (isNumber(condition.left) || isNumber(condition.right));
}

function joined(join: Join, left: Flow, facts: FromFacts): Flow {
  const step = facts.joins.steps.get(join);
  const { right } = join;
  if (step === undefined) return left;
  const isTable = right.kind === 'table';
  if (isTable && right.source.kind === 'unnest' && isOfRows(join, right.source, facts)) return left;
  const read = isTable ? oneTable(right, step.before, facts) : fromFlow(right, step.before, facts);
  if (isTable && right.source.kind === 'table-function' && read.window === undefined) {
    return { inputs: [...left.inputs, ...read.inputs] };
  }
  return addJoin(step, { left, right: read }, facts);
}

/** Elements that are of no row are a table of their own. */
function isOfRows({ type }: Join, { collections }: Unnest, { place }: FromFacts): boolean {
  const isOuter = type === 'RIGHT' || type === 'FULL';
  return !isOuter && collections.some((one) => resolvedIn(one, place.context.columns).length > 0);
}

function addJoin(
  step: JoinStep,
  flows: { readonly left: Flow; readonly right: Flow },
  facts: FromFacts,
): Flow {
  const { join, before, place, offset } = step;
  const { uses, where } = facts;
  const { context } = facts.place;
  const conditions = [
    ...(join.condition === undefined ? [] : conjuncts(join.condition)).filter(
      (one) => filteredSide(one, step, uses) === undefined,
    ),
    ...(where.get(join) ?? []),
  ];
  const isEqual = isInner(join) || join.condition !== undefined;
  const keys = { left: [] as FormedColumn[], right: [] as FormedColumn[] };
  const others: Expression[] = [];
  for (const condition of conditions) {
    const pair = isEqual ? equalSides(condition, step, facts) : undefined;
    if (pair === undefined) others.push(condition);
    else {
      keys.left.push(pair.left);
      keys.right.push(pair.right);
    }
  }
  for (const name of namesOfUsing(step)) {
    const [one, another] = sidesOfName(name, step);
    if (one !== undefined) keys.left.push(namedColumn(one));
    if (another !== undefined) keys.right.push(namedColumn(another));
  }
  const link = linkOf(conditions, before - offset, { at: place, context });
  const asOf = join.right.kind === 'table' ? join.right.asOf : undefined;
  const kind =
    asOf !== undefined
      ? 'temporal_join'
      : link.what === 'an interval join'
        ? 'interval_join'
        : link.what === 'a window join'
          ? 'window_join'
          : 'join';
  const texts = [
    ...(asOf === undefined ? [] : [`AS OF ${nodeText(asOf, context.text)}`]),
    ...others.map((one) => nodeText(one, context.text)),
  ];
  const side = (which: 'left' | 'right', from: number, end: number) => ({
    flow: flows[which],
    keys: keys[which],
    columns: uses.between(from, end, step.stage),
  });
  const window = flows.left.window ?? flows.right.window;
  const [left, right] = [side('left', step.from, before), side('right', before, step.end)];
  const type = join.type === 'COMMA' || join.type === 'CROSS' ? 'INNER' : join.type;
  const added = context.parts.add(
    label(kind, flows.right),
    {
      kind,
      join: type,
      left: shownSide(left),
      right: shownSide(right),
      conditions:
        kind === 'window_join' && window !== undefined ? [...windowText(window.shape), ...texts] : texts,
      keeps: kind === 'interval_join' ? 'interval' : kind === 'window_join' ? 'window' : 'idle',
    },
    [
      type,
      sideForm(left),
      sideForm(right),
      asOf && nodeText(asOf, context.form),
      others.map((one) => nodeText(one, context.form)),
      window?.form,
    ],
  );
  return { ...added, window };
}

interface DraftSide {
  readonly flow: Flow;
  readonly keys: readonly FormedColumn[];
  readonly columns: readonly FormedColumn[];
}

export function shownSide({ flow, keys, columns }: DraftSide): StateSide {
  const [input, another] = shownInputs(flow);
  const from =
    another === undefined && input !== undefined
      ? input
      : {
          from: shownInputs(flow)
            .map((one) => one.from)
            .join(', '),
        };
  return { ...from, keys: shown(keys), columns: shown(columns) };
}

export function sideForm({ flow, keys, columns }: DraftSide): readonly unknown[] {
  return [inputForm(flow), columnForm(keys), columnForm(columns)];
}

const words: Readonly<Record<JoinState['kind'], string>> = {
  join: 'join',
  interval_join: 'interval join',
  window_join: 'window join',
  temporal_join: 'temporal join',
};

/** `join with customers`, where the right side is a topic or a model as it is. */
export function label(kind: JoinState['kind'], { inputs }: Flow): string {
  const [only, another] = inputs;
  const table =
    another === undefined
      ? /^(?:source|model|rows of|latest rows of|versions of) (.*)$/.exec(only?.from ?? '')?.[1]
      : undefined;
  return table === undefined ? words[kind] : `${words[kind]} with ${table}`;
}

function windowText(shape: NonNullable<Flow['window']>['shape']): readonly string[] {
  const lengths = [shape.step_ms, shape.size_ms].flatMap((ms) => (ms === undefined ? [] : `${ms} ms`));
  return [`windows of ${[shape.window, ...lengths].join(' ')}`];
}

function namedColumn({
  column,
  place,
}: {
  readonly column: ResolvedColumn['column'];
  readonly place: number;
}): FormedColumn {
  return { name: shownName(column), type: typeOfColumn(column), form: formOf(column, place) };
}

/** Both sides of an `=` between an expression of one side and one of the other. */
function equalSides(
  condition: Expression,
  { before, place }: JoinStep,
  { uses, place: { context } }: FromFacts,
): { readonly left: FormedColumn; readonly right: FormedColumn } | undefined {
  if (condition.kind !== 'binary' || condition.operator !== '=') return undefined;
  const sideOf = (side: Expression) => {
    const places = placesOf(side, uses);
    if (places.length === 0) return undefined;
    if (places.every((at) => at < before)) return 'left';
    return places.every((at) => at >= before) ? 'right' : undefined;
  };
  const [one, other] = [sideOf(condition.left), sideOf(condition.right)];
  if (one === undefined || other === undefined || one === other) return undefined;
  const columns = [condition.left, condition.right].map((side) => expressionColumn(side, place, context));
  const [first, second] = one === 'left' ? columns : columns.reverse();
  return first === undefined || second === undefined ? undefined : { left: first, right: second };
}

/** Adds the join with a query in a condition or in place of a value. */
export function addQueryJoin(
  node: Expression,
  type: 'SEMI' | 'ANTI' | 'SINGLE',
  flows: {
    readonly left: Flow;
    readonly right: Flow;
    readonly columns: readonly FormedColumn[];
    readonly keys: readonly FormedColumn[];
  },
  { context }: StatePlace,
): Flow {
  const left = { flow: flows.left, keys: flows.keys, columns: flows.columns };
  const right = { flow: flows.right, keys: [], columns: [] };
  const part: PartDraft = {
    kind: 'join',
    join: type,
    left: shownSide(left),
    right: shownSide(right),
    conditions: [nodeText(node, context.text)],
    keeps: 'idle',
  };
  const form = [type, sideForm(left), sideForm(right), nodeText(node, context.form)];
  return { ...context.parts.add(label('join', flows.right), part, form), window: flows.left.window };
}
