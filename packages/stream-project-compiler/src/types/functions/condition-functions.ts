import { commonType } from '../common-type.ts';
import { comparable } from '../comparable.ts';
import { text, withNullable } from '../sql-type.ts';
import { always, functionTable, MIXED, resultOf, type TypedCall } from './function-row.ts';

type Result = ReturnType<typeof resultOf>;

/** The type that holds all arguments; null where one of them is. */
function common({ types, nullable }: TypedCall): Result {
  return resultOf(commonType(types, 'arguments'), nullable);
}

/** The type that holds all arguments; null only where all of them are. */
function firstOf({ types }: TypedCall): Result {
  const nullable = types.every((type) => type === undefined || type.nullable);
  return resultOf(commonType(types, 'arguments'), nullable);
}

/** `IF(b, i, 0)` may be null where its condition may. */
function chosen({ types: [, ...values], nullable }: TypedCall): Result {
  return resultOf(commonType(values), nullable);
}

/** The first argument, or null where both are equal. */
function unlessEqual({ types: [type, other] }: TypedCall): Result {
  if (type !== undefined && other !== undefined && !comparable(type, other)) return MIXED;
  return withNullable(type, true);
}

/** Functions that choose among values. */
export const conditionFunctions = functionTable([
  ['COALESCE', ['any', 'any*'], firstOf],
  ['IFNULL', ['any', 'any'], firstOf],
  ['NULLIF', ['any', 'any'], unlessEqual],
  ['IF', ['condition', 'any', 'any'], chosen],
  ['GREATEST LEAST', ['any', 'any*'], common],
  ['TYPEOF', ['any', 'condition?'], always(text('VARCHAR'))],
]);
