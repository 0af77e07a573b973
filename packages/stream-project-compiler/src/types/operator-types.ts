import type { Binary, BinaryOperator, Unary } from '@levada/stream-sql';
import { commonNumber, decimalResults, limitedDecimal } from './common-type.ts';
import { checkComparison } from './comparable.ts';
import { joinedText } from './literal-type.ts';
import { plain, type SqlType, withNullable } from './sql-type.ts';
import { reportMismatch, type TypeWalk, typeWords } from './type-context.ts';
import { digitsOf, familyOf, isInteger, isNumeric, isText } from './type-families.ts';

type Operands = readonly [left: SqlType | undefined, right: SqlType | undefined];
type OperatorRule = (node: Binary, types: Operands, walk: TypeWalk) => SqlType | undefined;

const UNSUPPORTED: OperatorRule = () => undefined;

const OPERATORS: Readonly<Record<BinaryOperator, OperatorRule>> = {
  '=': comparison,
  '<>': comparison,
  '<': comparison,
  '<=': comparison,
  '>': comparison,
  '>=': comparison,
  'IS DISTINCT FROM': distinction,
  'IS NOT DISTINCT FROM': distinction,
  '+': arithmetic,
  '-': arithmetic,
  '*': arithmetic,
  '/': arithmetic,
  '%': arithmetic,
  '||': concatenation,
  OVERLAPS: truth,
  CONTAINS: truth,
  EQUALS: truth,
  PRECEDES: truth,
  SUCCEEDS: truth,
  'IMMEDIATELY PRECEDES': truth,
  'IMMEDIATELY SUCCEEDS': truth,
  'MEMBER OF': truth,
  'SUBMULTISET OF': truth,
  'NOT SUBMULTISET OF': truth,
  'MULTISET UNION': UNSUPPORTED,
  'MULTISET EXCEPT': UNSUPPORTED,
  'MULTISET INTERSECT': UNSUPPORTED,
};

/** The type of an operator between two values. */
export function binaryType(node: Binary, walk: TypeWalk): SqlType | undefined {
  const types: Operands = [walk.typeOf(node.left), walk.typeOf(node.right)];
  return OPERATORS[node.operator](node, types, walk);
}

/** Whether any of them may be null; unknown ones may. */
export function anyNullable(types: readonly (SqlType | undefined)[]): boolean {
  return types.some((type) => type === undefined || mayBeNull(type));
}

/** A row with a field that may be null cannot always be compared. */
function mayBeNull(type: SqlType): boolean {
  return type.nullable || (type.name === 'ROW' && type.fields.some((field) => field.type?.nullable ?? true));
}

function truth(_node: Binary, types: Operands): SqlType {
  return plain('BOOLEAN', anyNullable(types));
}

function comparison(node: Binary, types: Operands, walk: TypeWalk): SqlType {
  checkOperands(node, types, walk);
  return truth(node, types);
}

/** Two nulls are not distinct, so there is always an answer. */
function distinction(node: Binary, types: Operands, walk: TypeWalk): SqlType {
  checkOperands(node, types, walk);
  return plain('BOOLEAN', false);
}

/** Only equality of text and numbers is refused: for the order the engine converts. */
const EQUALITY: ReadonlySet<BinaryOperator> = new Set([
  '=',
  '<>',
  'IS DISTINCT FROM',
  'IS NOT DISTINCT FROM',
]);

function checkOperands({ operator, ...span }: Binary, [left, right]: Operands, walk: TypeWalk): void {
  checkComparison({ left, right, by: `"${operator}"`, equality: EQUALITY.has(operator) }, span, walk);
}

const VERBS: Readonly<Record<ArithmeticOperator, string>> = {
  '+': 'expected numbers, or a time and an interval',
  '-': 'expected numbers, or a time and an interval',
  '*': 'expected numbers',
  '/': 'expected numbers',
  '%': 'expected exact numbers',
};

function arithmetic(node: Binary, [left, right]: Operands, walk: TypeWalk): SqlType | undefined {
  if (left === undefined || right === undefined || left.name === 'NULL' || right.name === 'NULL')
    return undefined;
  const operator = node.operator as ArithmeticOperator;
  const result = arithmeticType(operator, left, right);
  if (result !== 'refused') return result;
  const message = `"${operator}" of ${typeWords(left)} and ${typeWords(right)}, ${VERBS[operator]}`;
  reportMismatch(walk, node, message, arithmeticHint(operator, left, right));
  return undefined;
}

const TIMES: ReadonlySet<string> = new Set(['date', 'time', 'timestamp']);

function arithmeticHint(operator: ArithmeticOperator, left: SqlType, right: SqlType): string {
  const [one, other] = [familyOf(left), familyOf(right)];
  if (operator === '+' && (one === 'text' || other === 'text')) {
    return 'write || to join text, or CAST to make a number of it';
  }
  if (operator === '-' && TIMES.has(one) && TIMES.has(other)) return 'write TIMESTAMPDIFF(SECOND, from, to)';
  if (TIMES.has(one) && other === 'number') return `write ${operator} INTERVAL '1' DAY`;
  return 'convert the operands with CAST';
}

function concatenation(node: Binary, [left, right]: Operands, walk: TypeWalk): SqlType | undefined {
  const wrong = [left, right].find((type) => type !== undefined && !isText(type) && type.name !== 'NULL');
  if (wrong !== undefined && familyOf(wrong) !== 'binary') {
    const message = `"||" of ${typeWords(wrong)}, expected text`;
    reportMismatch(walk, node, message, 'write CAST(... AS STRING)');
  }
  if (left === undefined || right === undefined) return undefined;
  return joinedText(left, right);
}

/** The type of a sign, or of NOT. */
export function unaryType(node: Unary, walk: TypeWalk): SqlType | undefined {
  const type = walk.typeOf(node.operand);
  if (node.operator === 'NOT') {
    expectCondition(node.operand, type, walk);
    return plain('BOOLEAN', type?.nullable ?? true);
  }
  if (type === undefined || isNumeric(type) || type.name === 'INTERVAL') return type;
  const message = `"${node.operator}" before ${typeWords(type)}, expected a number`;
  if (type.name !== 'NULL') reportMismatch(walk, node, message, 'make a number of it with CAST');
  return undefined;
}

/** Reports what is no condition where one must be. */
export function expectCondition(
  span: { readonly start: number; readonly end: number },
  type: SqlType | undefined,
  walk: TypeWalk,
): void {
  if (type === undefined || type.name === 'BOOLEAN' || type.name === 'NULL') return;
  const message = `${typeWords(type)} as a condition, expected BOOLEAN`;
  const hint = isNumeric(type) ? 'write a comparison, such as <> 0' : undefined;
  reportMismatch(walk, span, message, hint);
}

type ArithmeticOperator = '+' | '-' | '*' | '/' | '%';

/** `refused` where the engine does not take these types. */
type ArithmeticResult = SqlType | 'refused';

/** The result of an operator for two types. */
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
