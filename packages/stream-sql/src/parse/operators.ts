import type { BinaryOperator } from '../tree/expression.ts';
import type { TokenCursor } from './token-cursor.ts';

/** Binding power of operators, as in the engine's planner. The lowest one accepts any expression. */
export const POWER = {
  MULTISET_SUM: 14,
  MULTISET_PRODUCT: 18,
  OR: 22,
  AND: 24,
  NOT: 26,
  IS: 28,
  COMPARISON: 30,
  LIKE: 32,
  SUM: 40,
  PRODUCT: 60,
  SIGN: 80,
} as const;

export interface OperatorRow {
  readonly power: number;
  readonly operator: BinaryOperator;
  /** Whether `ANY (…)` and `ALL (…)` may follow. */
  readonly quantified?: true;
}

/** Binary operators that are one symbol. All are left-associative. */
const SYMBOL_OPERATORS: ReadonlyMap<string, OperatorRow> = new Map(
  [
    { operator: '=', power: POWER.COMPARISON, quantified: true },
    { operator: '<>', power: POWER.COMPARISON, quantified: true },
    { operator: '<', power: POWER.COMPARISON, quantified: true },
    { operator: '<=', power: POWER.COMPARISON, quantified: true },
    { operator: '>', power: POWER.COMPARISON, quantified: true },
    { operator: '>=', power: POWER.COMPARISON, quantified: true },
    { operator: '+', power: POWER.SUM },
    { operator: '-', power: POWER.SUM },
    { operator: '*', power: POWER.PRODUCT },
    { operator: '/', power: POWER.PRODUCT },
    { operator: '%', power: POWER.PRODUCT },
    { operator: '||', power: POWER.PRODUCT },
  ].map((row) => [row.operator, row as OperatorRow]),
);

const WORD_OPERATORS: readonly OperatorRow[] = [
  { operator: 'IS NOT DISTINCT FROM', power: POWER.COMPARISON },
  { operator: 'IS DISTINCT FROM', power: POWER.COMPARISON },
  { operator: 'IMMEDIATELY PRECEDES', power: POWER.COMPARISON },
  { operator: 'IMMEDIATELY SUCCEEDS', power: POWER.COMPARISON },
  { operator: 'PRECEDES', power: POWER.COMPARISON },
  { operator: 'SUCCEEDS', power: POWER.COMPARISON },
  { operator: 'OVERLAPS', power: POWER.COMPARISON },
  { operator: 'CONTAINS', power: POWER.COMPARISON },
  { operator: 'EQUALS', power: POWER.COMPARISON },
  { operator: 'MEMBER OF', power: POWER.COMPARISON },
  { operator: 'SUBMULTISET OF', power: POWER.COMPARISON },
  { operator: 'NOT SUBMULTISET OF', power: POWER.COMPARISON },
  { operator: 'MULTISET UNION', power: POWER.MULTISET_SUM },
  { operator: 'MULTISET EXCEPT', power: POWER.MULTISET_SUM },
  { operator: 'MULTISET INTERSECT', power: POWER.MULTISET_PRODUCT },
];

/** Binary operators that are words, by the first word. */
const BY_FIRST_WORD: ReadonlyMap<string | undefined, readonly OperatorRow[]> = Map.groupBy(
  WORD_OPERATORS,
  ({ operator }) => operator.split(' ')[0],
);

/** The binary operator at the cursor; the cursor does not move. */
export function operatorAt(cursor: TokenCursor): OperatorRow | undefined {
  const { token } = cursor;
  if (token.kind === 'symbol') return SYMBOL_OPERATORS.get(token.value);
  if (token.kind !== 'word') return undefined;
  return BY_FIRST_WORD.get(token.keyword)?.find(({ operator }) => cursor.atWords(...operator.split(' ')));
}

export function takeOperator(cursor: TokenCursor, { operator }: OperatorRow): void {
  if (!cursor.takeSymbol(operator)) cursor.takeWords(...operator.split(' '));
}
