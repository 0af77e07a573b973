import { limitedDecimal } from '../common-type.ts';
import { arithmeticType } from '../operator-types.ts';
import { decimal, plain, type SqlType, withNullable } from '../sql-type.ts';
import { always, functionTable, gives, like, type TypedCall } from './function-row.ts';

const DOUBLE = plain('DOUBLE');

/** A decimal without its fraction; other numbers stay. */
function withoutFraction({ types: [type], nullable }: TypedCall): SqlType | undefined {
  return type?.name === 'DECIMAL' ? decimal(type.precision, 0, nullable) : withNullable(type, nullable);
}

/** `ROUND(n, 1)`: how many digits remain after the decimal point, and one more before it where digits are rounded away. */
function rounded({ types: [type], node, nullable }: TypedCall): SqlType | undefined {
  if (type?.name !== 'DECIMAL') return withNullable(type, nullable);
  const digits = node.arguments.length === 1 ? 0 : writtenInteger(node.arguments[1]?.value);
  if (digits === undefined || digits >= type.scale) return withNullable(type, nullable);
  const kept = Math.max(digits, 0);
  return limitedDecimal({ precision: type.precision - type.scale + 1 + kept, scale: kept }, nullable);
}

function remainder({ types: [left, right] }: TypedCall): SqlType | undefined {
  if (left === undefined || right === undefined) return undefined;
  const type = arithmeticType('%', left, right);
  return type === 'refused' ? undefined : type;
}

/** A number written as such, with its sign; undefined for what is computed. */
function writtenInteger(
  value: TypedCall['node']['arguments'][number]['value'] | undefined,
): number | undefined {
  if (value?.kind === 'unary' && value.operator === '-') {
    const digits = writtenInteger(value.operand);
    return digits === undefined ? undefined : -digits;
  }
  return value?.kind === 'literal' && value.type === 'integer' ? Number(value.value) : undefined;
}

/** Functions over numbers. */
export const numberFunctions = functionTable([
  ['ABS SIGN', ['number'], like(0)],
  ['MOD', ['exact', 'exact'], remainder],
  ['SQRT EXP LN LOG10 LOG2 DEGREES RADIANS', ['number'], gives(DOUBLE)],
  ['SIN COS TAN COT ASIN ACOS ATAN SINH COSH TANH', ['number'], gives(DOUBLE)],
  ['POWER ATAN2', ['number', 'number'], gives(DOUBLE)],
  ['LOG', ['number', 'number?'], gives(DOUBLE)],
  ['ROUND TRUNCATE', ['number', 'int?'], rounded],
  ['CEIL CEILING FLOOR', ['number'], withoutFraction],
  ['PI E', [], always(plain('DOUBLE', false))],
  ['RAND', ['int?'], gives(DOUBLE)],
  ['RAND_INTEGER', ['int', 'int?'], gives(plain('INT'))],
]);
