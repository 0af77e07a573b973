import {
  type Argument,
  type Call,
  type Expression,
  functionKind,
  type Query,
  type Span,
} from '@levada/stream-sql';
import { engineFunction } from './functions/engine-functions.ts';
import type { FunctionRow, Operand, Refusal } from './functions/function-row.ts';
import { type OperandKind, operandHint, operandWords, takesType } from './functions/operand-kinds.ts';
import { roundedTime } from './functions/time-functions.ts';
import { expectCondition } from './operator-types.ts';
import type { SqlType } from './sql-type.ts';
import { reportMismatch, type TypeWalk, typeWords } from './type-context.ts';
import { checkConstruct, checkFunctionName } from './unknown-function.ts';

/** An argument that is a value, with its type. */
interface TypedArgument {
  readonly value: Span;
  readonly type: SqlType | undefined;
}

/** The type of a call. */
export function callType(node: Call, walk: TypeWalk): SqlType | undefined {
  const aggregates = node.over === undefined && functionKind(node.name.at(-1)?.name ?? '') === 'aggregate';
  const inside = aggregates ? walk.ofRows() : walk;
  const values = node.arguments.flatMap((argument) => typedArgument(argument, inside));
  lookAround(node, walk);
  checkFunctionName(node, walk);
  const returning = node.json?.returning;
  if (returning !== undefined && node.name.at(-1)?.name.toUpperCase() === 'JSON_QUERY') {
    checkConstruct('RETURNING in JSON_QUERY', returning, walk);
  }
  checkKeptValue(node, values[0]?.type, walk);
  const row = rowOf(node);
  if (row === undefined) return walk.call?.(node);
  if (!checkCall(node, row, { values, walk })) return undefined;
  const types = values.map(({ type }) => type);
  const nullable = types.some((type) => type?.nullable ?? true);
  const mayBeEmpty = node.filter !== undefined || hasNoRows(node, walk);
  const result = row.result({ node, types, nullable, mayBeEmpty });
  if (result === undefined || !('expected' in result)) return result;
  reportRefusal(node, { types, refusal: result }, walk);
  return undefined;
}

/** The types of which earlier versions keep the first or last value. */
const keptEarly: ReadonlySet<string> = new Set(
  'TINYINT SMALLINT INT BIGINT FLOAT DOUBLE DECIMAL BOOLEAN VARCHAR NULL'.split(' '),
);

function checkKeptValue({ name, start, end }: Call, type: SqlType | undefined, walk: TypeWalk): void {
  const upper = name.at(-1)?.name.toUpperCase();
  if (upper !== 'FIRST_VALUE' && upper !== 'LAST_VALUE') return;
  if (type === undefined || keptEarly.has(type.name)) return;
  checkConstruct('FIRST_VALUE and LAST_VALUE of this type', { start, end }, walk);
}

/** Whether there may be no row: the engine takes frames that end at a number of rows, or at an interval, to be empty at times. */
function hasNoRows({ over }: Call, walk: TypeWalk): boolean {
  if (over === undefined) return walk.grouped !== true;
  const frame = (over.kind === 'identifier' ? walk.window?.(over) : over)?.frame;
  return [frame?.lower, frame?.upper].some((bound) => bound?.offset !== undefined);
}

function rowOf({ name, arguments: written }: Call): FunctionRow | undefined {
  const [only, ...more] = name;
  if (only === undefined || more.length > 0) return undefined;
  if (written.some(({ keyword }) => keyword === 'TO')) return roundedTime;
  return engineFunction(only.name.toUpperCase());
}

/** Arguments that are not values. */
const NO_VALUES: ReadonlySet<string> = new Set(['time-unit', 'model-argument', 'default', 'star']);

function typedArgument({ value }: Argument, walk: TypeWalk): TypedArgument[] {
  if (value.kind === 'table-argument') {
    if (value.table.kind === 'query') walk.subquery(value.table, 'rows');
    return [];
  }
  if (value.kind === 'query') return [{ value, type: walk.subquery(value) }];
  return isExpression(value) ? [{ value, type: walk.typeOf(value) }] : [];
}

function isExpression(value: Argument['value']): value is Expression {
  return !NO_VALUES.has(value.kind);
}

interface RefusedCall {
  readonly types: readonly (SqlType | undefined)[];
  readonly refusal: Refusal;
}

function reportRefusal(node: Call, { types, refusal }: RefusedCall, walk: TypeWalk): void {
  const known = types.flatMap((type) =>
    type === undefined || type.name === 'NULL' ? [] : [typeWords(type)],
  );
  const name = node.name.at(-1)?.name.toUpperCase();
  const message = `${name} of ${[...new Set(known)].join(' and ')}, ${refusal.expected}`;
  reportMismatch(walk, node, message, refusal.hint);
}

/** Checks the parts of a call other than its arguments for mistakes. */
function lookAround({ orderBy, json, withinDistinct, filter, over }: Call, walk: TypeWalk): void {
  for (const { expression } of orderBy) walk.typeOf(expression);
  for (const expression of withinDistinct) walk.typeOf(expression);
  for (const { value } of json?.passing ?? []) walk.typeOf(value);
  for (const { value } of json?.behaviours ?? []) if (value !== undefined) walk.typeOf(value);
  if (filter !== undefined) expectCondition(filter, walk.typeOf(filter), walk);
  if (over?.kind !== 'window-specification') return;
  for (const expression of over.partitionBy) walk.typeOf(expression);
  for (const { expression } of over.orderBy) walk.typeOf(expression);
}

interface CallCheck {
  readonly values: readonly TypedArgument[];
  readonly walk: TypeWalk;
}

/** Reports what the engine refuses about a call: how many arguments, of which types. False when it has no type then. */
function checkCall(node: Call, row: FunctionRow, { values, walk }: CallCheck): boolean {
  const name = node.name.map((part) => part.name.toUpperCase()).join('.');
  checkFunction(name, node, walk);
  if (!checkCount(name, node, { operands: row.operands, walk })) return false;
  return checkTypes(name, row.operands, { values, walk });
}

function checkFunction(name: string, { start, end, over }: Call, walk: TypeWalk): void {
  const hint = notOnStreams.get(name);
  if (hint !== undefined) {
    const message = `function ${name}, which the engine does not run on streams`;
    walk.report?.({ name: 'function-not-on-streams', message, hint, start, end });
  } else if (over === undefined && overFunctions.has(name)) {
    const message = `${name} without OVER`;
    const order = `write ${name}(...) OVER (PARTITION BY ... ORDER BY ...)`;
    walk.report?.({ name: 'over-required', message, hint: order, start, end });
  }
}

interface CountCheck {
  readonly operands: readonly Operand[];
  readonly walk: TypeWalk;
}

function checkCount(name: string, node: Call, { operands, walk }: CountCheck): boolean {
  const counted = node.arguments.filter(({ value }) => value.kind !== 'time-unit');
  const { least, most } = argumentCount(operands);
  const count = counted.length;
  if ((count >= least && count <= most) || hasStar(node)) return true;
  const message = `${name} with ${count} ${count === 1 ? 'argument' : 'arguments'}, expected ${countWords(least, most)}`;
  walk.report?.({ name: 'argument-count', message, start: node.start, end: node.end });
  return false;
}

function hasStar(node: Call): boolean {
  return node.arguments.some(({ value }) => value.kind === 'star');
}

function argumentCount(operands: readonly Operand[]): { least: number; most: number } {
  const least = operands.filter((operand) => !/[?*]$/.test(operand)).length;
  const most = operands.at(-1)?.endsWith('*') ? Number.POSITIVE_INFINITY : operands.length;
  return { least, most };
}

function countWords(least: number, most: number): string {
  if (least === most) return least === 0 ? 'none' : `${least}`;
  if (most === Number.POSITIVE_INFINITY) return `at least ${least}`;
  return `${least} to ${most}`;
}

function checkTypes(name: string, operands: readonly Operand[], { values, walk }: CallCheck): boolean {
  let good = true;
  for (const [index, { value, type }] of values.entries()) {
    const operand = operands[index] ?? operands.at(-1);
    if (type === undefined || operand === undefined) continue;
    const kind = operand.replace(/[?*]$/, '') as OperandKind;
    if (takesType(kind, type)) continue;
    good = false;
    const which = operands.length > 1 ? ` as argument ${index + 1}` : '';
    const message = `${name} of ${typeWords(type)}${which}, expected ${operandWords(kind)}`;
    reportMismatch(walk, value, message, operandHint(kind));
  }
  return good;
}

interface WantedWidth {
  readonly wanted: number;
  readonly span: Span;
  /** What the columns stand for, as the message names it. */
  readonly by: string;
}

/** Reports a query that stands for a value, or for a row of several, and has another number of columns. */
export function checkWidth(query: Query, { wanted, span, by }: WantedWidth, walk: TypeWalk): void {
  const width = walk.width?.(query);
  if (width === undefined || width === wanted) return;
  const message = `a query of ${columnsText(width)} as ${by}, expected ${columnsText(wanted)}`;
  reportMismatch(walk, span, message);
}

/** A number of columns, in words. */
export function columnsText(count: number): string {
  return count === 1 ? '1 column' : `${count} columns`;
}

/** Functions that the engine knows but refuses over streams, and what to do instead. */
const notOnStreams: ReadonlyMap<string, string> = new Map([
  ['APPROX_COUNT_DISTINCT', 'write COUNT(DISTINCT ...)'],
  ['CUME_DIST', 'count rows with COUNT(*) OVER (...)'],
  ['LEAD', 'write LAG, or MATCH_RECOGNIZE to look at rows that follow'],
  ['NTILE', 'number rows with ROW_NUMBER() OVER (...)'],
  ['PERCENT_RANK', 'number rows with ROW_NUMBER() OVER (...)'],
]);

/** Functions that say nothing without OVER. */
const overFunctions: ReadonlySet<string> = new Set([
  'CUME_DIST',
  'DENSE_RANK',
  'LAG',
  'LEAD',
  'NTILE',
  'PERCENT_RANK',
  'RANK',
  'ROW_NUMBER',
]);
