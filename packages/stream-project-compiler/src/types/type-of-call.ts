import { type Argument, type Call, type Expression, functionKind, type Span } from '@levada/stream-sql';
import { checkCall } from './check-call.ts';
import { engineFunction } from './functions/engine-functions.ts';
import type { FunctionRow, Refusal } from './functions/function-row.ts';
import { roundedTime } from './functions/time-functions.ts';
import { expectCondition } from './operator-types.ts';
import type { SqlType } from './sql-type.ts';
import { reportMismatch, type TypeWalk, typeWords } from './type-walk.ts';
import { checkConstruct, checkFunctionName } from './unknown-function.ts';

/** An argument that is a value, with its type. */
export interface TypedArgument {
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

/** What is an argument, but no value. */
const NO_VALUES: ReadonlySet<string> = new Set(['time-unit', 'model-argument', 'default', 'star']);

function typedArgument({ value }: Argument, walk: TypeWalk): TypedArgument[] {
  if (value.kind === 'table-argument') {
    if (value.table.kind === 'query') walk.subquery(value.table);
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

/** What stands beside the arguments is looked at for its mistakes. */
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
