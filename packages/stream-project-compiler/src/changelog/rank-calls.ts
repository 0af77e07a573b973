import type { Call, Expression, OrderItem, Select, WindowSpecification } from '@levada/stream-sql';
import type { ChangesContext } from './changes-context.ts';
import type { Numbered, RankLimit } from './numbered-rows.ts';

/** A call of `ROW_NUMBER() OVER (...)`, read. */
export interface RankCall
  extends Pick<Numbered, 'name' | 'ofWindows' | 'order' | 'isAscending' | 'isLatest' | 'start' | 'end'> {
  /** Whether the window has a number of rows or a length. */
  readonly isBounded: boolean;
  /** What makes the parts. */
  readonly parts: readonly Expression[];
  readonly orderBy: readonly OrderItem[];
}

const ranks: ReadonlySet<string> = new Set(['ROW_NUMBER', 'RANK', 'DENSE_RANK']);

/** A call with OVER; undefined where it is none, or where it does not number rows and `which` does not ask for all. */
export function rankCall(
  call: Call,
  { select, context }: { readonly select: Select; readonly context: Pick<ChangesContext, 'columns'> },
  which: 'ranks' | 'any' = 'ranks',
): RankCall | undefined {
  const name = call.name.at(-1)?.name.toUpperCase() ?? '';
  if (call.over === undefined || (which === 'ranks' && !ranks.has(name))) return undefined;
  const { partitionBy, orderBy, frame } = specificationOf(call.over, select);
  const { columns } = context.columns;
  const edges = partitionBy.flatMap((part) =>
    part.kind === 'column' ? (columns.get(part)?.column.edge ?? []) : [],
  );
  const edge = (which: 'start' | 'end') => edges.find(({ of }) => of === which);
  const [first, another] = orderBy;
  const by = first?.expression.kind === 'column' && another === undefined ? first.expression : undefined;
  // A name that could not be resolved was reported
  const found = by === undefined ? undefined : columns.get(by);
  const time = by === undefined ? undefined : found === undefined ? 'uncertain' : found.column.time;
  const order = time === 'event' || time === 'processing' ? (`${time} time` as const) : undefined;
  const other = time === 'uncertain' ? 'uncertain' : 'other';
  return {
    parts: partitionBy,
    orderBy,
    isBounded: frame?.lower.offset !== undefined,
    name,
    ofWindows: edge('start') === undefined ? undefined : edge('end')?.time,
    isAscending: first !== undefined && another === undefined && first.direction !== 'DESC',
    isLatest: first !== undefined && another === undefined && first.direction === 'DESC',
    order: order === undefined ? other : first?.direction === 'DESC' ? `latest ${order}` : order,
    start: call.start,
    end: call.end,
  };
}

/** The window of a call with OVER, with what a window of the SELECT gives to it. */
export function specificationOf(
  over: NonNullable<Call['over']>,
  select: Select,
): Pick<WindowSpecification, 'partitionBy' | 'orderBy' | 'frame'> {
  const own = over.kind === 'identifier' ? undefined : over;
  const base = over.kind === 'identifier' ? over : over.base;
  const named =
    base === undefined ? undefined : select.windows.find(({ name }) => name.name === base.name)?.window;
  const first = (one: 'partitionBy' | 'orderBy') =>
    (own === undefined || own[one].length === 0 ? named?.[one] : own[one]) ?? [];
  return {
    partitionBy: first('partitionBy') as WindowSpecification['partitionBy'],
    orderBy: first('orderBy') as WindowSpecification['orderBy'],
    frame: own?.frame ?? named?.frame,
  };
}

/** How many rows of each part conditions leave by their number: `rn = 1`, `rn <= 3`. Undefined where they set no end. */
export function rankLimit(
  conditions: readonly Expression[],
  isNumber: (side: Expression) => boolean,
): RankLimit | undefined {
  const { last, isOne, isOpen } = rankRange(conditions, isNumber);
  if (last === undefined) return isOpen ? 'open' : undefined;
  return last === 1 ? 'first' : isOne ? 'one' : 'some';
}

/** Numbers of the rows that conditions leave, from 1. */
export interface RankRange {
  readonly first: number;
  /** Undefined where they set no end. */
  readonly last: number | undefined;
  /** One number is asked for. */
  readonly isOne: boolean;
  /** A number is asked for from which on rows count. */
  readonly isOpen: boolean;
}

/** The numbers that conditions leave. */
export function rankRange(
  conditions: readonly Expression[],
  isNumber: (side: Expression) => boolean,
): RankRange {
  let first = 1;
  let isOpen = false;
  let last: number | undefined;
  let isOne = false;
  for (const condition of conditions) {
    if (condition.kind === 'between' && !condition.negated && isNumber(condition.operand)) {
      first = wholeNumber(condition.low) ?? first;
      last = wholeNumber(condition.high) ?? last;
    }
    if (condition.kind !== 'binary') continue;
    const isLeft = isNumber(condition.left);
    if (!isLeft && !isNumber(condition.right)) continue;
    const value = wholeNumber(isLeft ? condition.right : condition.left);
    if (value === undefined) continue;
    const operator = isLeft ? condition.operator : (turned[condition.operator] ?? condition.operator);
    if (operator === '=') {
      first = value;
      last = value;
      isOne = true;
    } else if (operator === '>' || operator === '>=') {
      first = operator === '>' ? value + 1 : value;
      isOpen = true;
    }
    if (operator === '<=') last = value;
    if (operator === '<') last = value - 1;
  }
  return { first, last, isOne, isOpen };
}

const turned: Readonly<Record<string, string>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' };

function wholeNumber(expression: Expression): number | undefined {
  return expression.kind === 'literal' && expression.type === 'integer'
    ? Number(expression.value)
    : undefined;
}
