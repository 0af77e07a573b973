import type { Span } from '../text/span.ts';
import type { DataType } from './data-type.ts';
import type { Expression } from './expression.ts';
import type { Identifier, Macro, TableName } from './names.ts';
import type { OrderItem, Query } from './query.ts';

/**
 * A function call in any form: `f(a)`, `COUNT(*)`, `EXTRACT(HOUR FROM ts)`, `CURRENT_DATE`. A keyword between arguments belongs
 * to the argument after it.
 */
export interface Call extends Span {
  readonly kind: 'call';
  /** With catalog and database, if given. Case does not matter for functions. */
  readonly name: readonly Identifier[];
  /** `COUNT(DISTINCT a)`. */
  readonly quantifier: 'ALL' | 'DISTINCT' | undefined;
  readonly arguments: readonly Argument[];
  /** `ARRAY_AGG(a ORDER BY b)`, `LISTAGG(a) WITHIN GROUP (ORDER BY b)`. */
  readonly orderBy: readonly OrderItem[];
  readonly json: JsonClauses | undefined;
  /** `WITHIN DISTINCT (a)`. */
  readonly withinDistinct: readonly Expression[];
  readonly nulls: 'IGNORE' | 'RESPECT' | undefined;
  /** `FILTER (WHERE a)`. */
  readonly filter: Expression | undefined;
  /** `OVER (…)` or `OVER w`. */
  readonly over: WindowSpecification | Identifier | undefined;
  /** `RUNNING` or `FINAL` before the call, in MATCH_RECOGNIZE. */
  readonly semantics: 'RUNNING' | 'FINAL' | undefined;
}

export interface Argument extends Span {
  readonly kind: 'argument';
  /** `SIZE => …` */
  readonly name: Identifier | undefined;
  /** Keywords before the argument: `FROM`, `FOR`, `IN`, `PLACING`, `TO`, `USING`, `BOTH`, `LEADING`, `TRAILING`, `KEY`, `VALUE`. */
  readonly keyword: string | undefined;
  readonly value: Expression | TimeUnit | TableArgument | ModelArgument | DefaultArgument | Query;
}

/** `HOUR` in `EXTRACT(HOUR FROM ts)`. */
export interface TimeUnit extends Span {
  readonly kind: 'time-unit';
  /** In upper case. */
  readonly unit: string;
}

/** Argument of a table function: `TABLE t PARTITION BY k`, or a query. */
export interface TableArgument extends Span {
  readonly kind: 'table-argument';
  readonly table: TableName | Macro | Query;
  readonly partitionBy: readonly Expression[];
  readonly orderBy: readonly OrderItem[];
}

/** `MODEL m`, argument of a machine-learning function. */
export interface ModelArgument extends Span {
  readonly kind: 'model-argument';
  readonly model: TableName | Macro;
}

/** `DEFAULT` as an argument. */
export interface DefaultArgument extends Span {
  readonly kind: 'default';
}

/** Clauses of a JSON function after its arguments. */
export interface JsonClauses extends Span {
  readonly kind: 'json-clauses';
  readonly passing: readonly JsonPassing[];
  readonly returning: DataType | undefined;
  /** `WITH UNCONDITIONAL ARRAY WRAPPER` */
  readonly wrapper: 'WITHOUT' | 'CONDITIONAL' | 'UNCONDITIONAL' | undefined;
  readonly behaviours: readonly JsonBehaviour[];
}

/** `PASSING a AS b` */
export interface JsonPassing extends Span {
  readonly kind: 'json-passing';
  readonly value: Expression;
  readonly name: Identifier;
}

/** `NULL ON EMPTY`, `DEFAULT 1 ON ERROR`, `ABSENT ON NULL`. */
export interface JsonBehaviour extends Span {
  readonly kind: 'json-behaviour';
  readonly action:
    | 'NULL'
    | 'ERROR'
    | 'ABSENT'
    | 'TRUE'
    | 'FALSE'
    | 'UNKNOWN'
    | 'EMPTY ARRAY'
    | 'EMPTY OBJECT'
    | 'DEFAULT';
  /** Value after `DEFAULT`. */
  readonly value: Expression | undefined;
  readonly on: 'EMPTY' | 'ERROR' | 'NULL';
}

/** `(w PARTITION BY a ORDER BY b ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)` */
export interface WindowSpecification extends Span {
  readonly kind: 'window-specification';
  /** The named window that this one extends. */
  readonly base: Identifier | undefined;
  readonly partitionBy: readonly Expression[];
  readonly orderBy: readonly OrderItem[];
  readonly frame: WindowFrame | undefined;
}

export interface WindowFrame extends Span {
  readonly kind: 'window-frame';
  readonly unit: 'ROWS' | 'RANGE';
  readonly lower: FrameBound;
  /** Second bound of `BETWEEN … AND …`. */
  readonly upper: FrameBound | undefined;
  /** `ALLOW PARTIAL`, `DISALLOW PARTIAL`. */
  readonly partial: boolean | undefined;
}

export interface FrameBound extends Span {
  readonly kind: 'frame-bound';
  readonly bound: 'UNBOUNDED PRECEDING' | 'PRECEDING' | 'CURRENT ROW' | 'FOLLOWING' | 'UNBOUNDED FOLLOWING';
  readonly offset: Expression | undefined;
}
