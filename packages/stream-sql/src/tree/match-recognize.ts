import type { Span } from '../text/span.ts';
import type { Expression } from './expression.ts';
import type { Identifier } from './names.ts';
import type { OrderItem } from './query.ts';

export interface MatchRecognize extends Span {
  readonly kind: 'match-recognize';
  readonly partitionBy: readonly Expression[];
  readonly orderBy: readonly OrderItem[];
  readonly measures: readonly Measure[];
  readonly rowsPerMatch: 'ONE' | 'ALL' | undefined;
  readonly afterMatch: AfterMatch | undefined;
  /** `^` before the pattern. */
  readonly anchoredStart: boolean;
  /** `$` after the pattern. */
  readonly anchoredEnd: boolean;
  readonly pattern: RowPattern;
  /** `WITHIN INTERVAL '1' HOUR` */
  readonly within: Expression | undefined;
  readonly subsets: readonly PatternSubset[];
  readonly definitions: readonly PatternDefinition[];
}

/** `LAST(B.price) AS p` */
export interface Measure extends Span {
  readonly kind: 'measure';
  readonly expression: Expression;
  readonly alias: Identifier;
}

/** `AFTER MATCH SKIP …` */
export interface AfterMatch extends Span {
  readonly kind: 'after-match';
  readonly skip: 'NEXT ROW' | 'PAST LAST ROW' | 'FIRST' | 'LAST';
  /** The `v` in `TO FIRST v` and `TO LAST v`. */
  readonly variable: Identifier | undefined;
}

/** `S = (A, B)` */
export interface PatternSubset extends Span {
  readonly kind: 'pattern-subset';
  readonly name: Identifier;
  readonly variables: readonly Identifier[];
}

/** `B AS B.price > A.price` */
export interface PatternDefinition extends Span {
  readonly kind: 'pattern-definition';
  readonly variable: Identifier;
  readonly condition: Expression;
}

export interface PatternVariable extends Span {
  readonly kind: 'pattern-variable';
  readonly name: Identifier;
}

/** `A B C` (sequence), `A | B` (alternation), `PERMUTE(A, B)`. */
export interface PatternGroup extends Span {
  readonly kind: 'pattern-group';
  readonly type: 'sequence' | 'alternation' | 'permutation';
  readonly items: readonly RowPattern[];
}

/** `A*`, `A{2,3}?` */
export interface PatternRepetition extends Span {
  readonly kind: 'pattern-repetition';
  readonly item: RowPattern;
  readonly min: number;
  /** Undefined if unbounded. */
  readonly max: number | undefined;
  readonly greedy: boolean;
}

/** `{- A -}` */
export interface PatternExclusion extends Span {
  readonly kind: 'pattern-exclusion';
  readonly item: RowPattern;
}

export type RowPattern =
  | PatternVariable
  | PatternGroup
  | PatternRepetition
  | PatternExclusion
  | PatternInvalid;

/** A pattern that could not be parsed. It has been reported. */
export interface PatternInvalid extends Span {
  readonly kind: 'pattern-invalid';
}
