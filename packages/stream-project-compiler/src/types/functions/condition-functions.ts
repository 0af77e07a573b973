import { commonType } from '../common-type.ts';
import { text, withNullable } from '../make-type.ts';
import type { SqlType } from '../sql-type.ts';
import { always, functionTable, nullableLikeFirst, type TypedCall } from './function-row.ts';

/** The type that holds all arguments; null where one of them is. */
function common({ types, nullable }: TypedCall): SqlType | undefined {
  const type = commonType(types);
  return type === 'none' ? undefined : withNullable(type, nullable);
}

/** The same, but null only where all are. */
function firstOf(call: TypedCall): SqlType | undefined {
  return withNullable(
    common(call),
    call.types.every((type) => type === undefined || type.nullable),
  );
}

/** `IF(b, i, 0)` may be null whatever its values are. */
function chosen({ types: [, ...values] }: TypedCall): SqlType | undefined {
  const type = commonType(values);
  return type === 'none' ? undefined : withNullable(type, true);
}

/** Functions that choose among values. */
export const conditionFunctions = functionTable([
  ['COALESCE', ['any', 'any*'], firstOf],
  ['IFNULL', ['any', 'any'], firstOf],
  ['NULLIF', ['any', 'any'], nullableLikeFirst],
  ['IF', ['condition', 'any', 'any'], chosen],
  ['GREATEST LEAST', ['ordered', 'ordered*'], common],
  ['TYPEOF', ['any', 'condition?'], always(text('VARCHAR'))],
]);
