import { commonNumber } from './common-type.ts';
import { decimalResults, limitedDecimal } from './decimal-types.ts';
import { withNullable } from './make-type.ts';
import type { SqlType } from './sql-type.ts';
import { digitsOf, familyOf, isInteger, isNumeric } from './type-families.ts';

export type ArithmeticOperator = '+' | '-' | '*' | '/' | '%';

/** `refused` where the engine does not take these types. */
export type ArithmeticResult = SqlType | 'refused';

/** What an operator gives of two types. */
export function arithmeticType(
  operator: ArithmeticOperator,
  left: SqlType,
  right: SqlType,
): ArithmeticResult {
  const nullable = left.nullable || right.nullable;
  if (isNumeric(left) && isNumeric(right)) return ofNumbers(operator, left, right, nullable);
  const moved = withInterval(operator, left, right);
  return moved === undefined ? 'refused' : withNullable(moved, nullable);
}

function ofNumbers(
  operator: ArithmeticOperator,
  left: SqlType,
  right: SqlType,
  nullable: boolean,
): ArithmeticResult {
  const [a, b] = [digitsOf(left), digitsOf(right)];
  if (operator === '%' && (a === undefined || b === undefined)) return 'refused';
  if (isInteger(left) && isInteger(right)) {
    return operator === '%' ? withNullable(right, nullable) : commonNumber(left, right, nullable);
  }
  if (a === undefined || b === undefined) return commonNumber(left, right, nullable);
  return limitedDecimal(decimalResults[operator](a, b), nullable);
}

/** Times are moved by intervals, intervals are added up and multiplied. */
function withInterval(operator: ArithmeticOperator, left: SqlType, right: SqlType): SqlType | undefined {
  const [one, other] = [familyOf(left), familyOf(right)];
  if (operator === '*') {
    if (one === 'interval' && other === 'number') return left;
    return one === 'number' && other === 'interval' ? right : undefined;
  }
  if (operator !== '+' && operator !== '-') return undefined;
  if (other === 'interval' && MOVABLE.has(one)) return left;
  return operator === '+' && one === 'interval' && MOVABLE.has(other) ? right : undefined;
}

const MOVABLE: ReadonlySet<string> = new Set(['date', 'time', 'timestamp', 'interval']);
