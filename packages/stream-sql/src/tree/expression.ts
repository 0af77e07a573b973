import type { Span } from '../text/span.ts';
import type { Call } from './call.ts';
import type { DataType, IntervalQualifier } from './data-type.ts';
import type { Identifier, Macro } from './names.ts';
import type { Query } from './query.ts';

export interface Literal extends Span {
  readonly kind: 'literal';
  readonly type:
    | 'string'
    | 'binary'
    | 'integer'
    | 'decimal'
    | 'approximate'
    | 'boolean'
    | 'null'
    | 'date'
    | 'time'
    | 'timestamp'
    | 'timestamp_ltz';
  /** Strings and dates without quotes, numbers as written. `TRUE`, `FALSE`, `UNKNOWN` and `NULL` in upper case. */
  readonly value: string;
}

/** `INTERVAL '5' MINUTE`, `INTERVAL a DAY`. */
export interface IntervalExpression extends Span {
  readonly kind: 'interval';
  readonly negative: boolean;
  /** Nearly always a literal string. */
  readonly value: Expression;
  readonly qualifier: IntervalQualifier;
}

/** `a`, `t.a`, `t.r.f`. The schema determines whether the first names belong to a table or a column. */
export interface Column extends Span {
  readonly kind: 'column';
  readonly path: readonly Identifier[];
}

/** `*` or `t.*`. */
export interface Star extends Span {
  readonly kind: 'star';
  readonly qualifier: readonly Identifier[];
}

/** `?` */
export interface Parameter extends Span {
  readonly kind: 'parameter';
}

export type UnaryOperator = '+' | '-' | 'NOT';

export interface Unary extends Span {
  readonly kind: 'unary';
  readonly operator: UnaryOperator;
  readonly operand: Expression;
}

/** Any number of conditions: `a AND b AND c` has three operands. */
export interface Logical extends Span {
  readonly kind: 'logical';
  readonly operator: 'AND' | 'OR';
  readonly operands: readonly Expression[];
}

export type BinaryOperator =
  | '='
  | '<>'
  | '<'
  | '<='
  | '>'
  | '>='
  | '+'
  | '-'
  | '*'
  | '/'
  | '%'
  | '||'
  | 'IS DISTINCT FROM'
  | 'IS NOT DISTINCT FROM'
  | 'OVERLAPS'
  | 'CONTAINS'
  | 'EQUALS'
  | 'PRECEDES'
  | 'SUCCEEDS'
  | 'IMMEDIATELY PRECEDES'
  | 'IMMEDIATELY SUCCEEDS'
  | 'MEMBER OF'
  | 'SUBMULTISET OF'
  | 'NOT SUBMULTISET OF'
  | 'MULTISET UNION'
  | 'MULTISET EXCEPT'
  | 'MULTISET INTERSECT';

export interface Binary extends Span {
  readonly kind: 'binary';
  readonly operator: BinaryOperator;
  readonly left: Expression;
  readonly right: Expression;
  /** Of multiset operators, if written. */
  readonly quantifier: 'ALL' | 'DISTINCT' | undefined;
}

/** `a BETWEEN b AND c`. */
export interface Between extends Span {
  readonly kind: 'between';
  readonly negated: boolean;
  readonly symmetric: boolean;
  readonly operand: Expression;
  readonly low: Expression;
  readonly high: Expression;
}

/** `a IN (b, c)`, `a IN (SELECT …)`. */
export interface In extends Span {
  readonly kind: 'in';
  readonly negated: boolean;
  readonly operand: Expression;
  readonly candidates: readonly Expression[] | Query;
}

/** `a = ANY (SELECT …)`, `a > ALL (1, 2)`; `SOME` is `ANY`. */
export interface Quantified extends Span {
  readonly kind: 'quantified';
  readonly operator: BinaryOperator;
  readonly quantifier: 'ANY' | 'ALL';
  readonly operand: Expression;
  readonly candidates: readonly Expression[] | Query;
}

/** `a LIKE b ESCAPE c`, `a SIMILAR TO b`. */
export interface Like extends Span {
  readonly kind: 'like';
  readonly operator: 'LIKE' | 'SIMILAR TO' | 'ILIKE' | 'RLIKE';
  readonly negated: boolean;
  readonly operand: Expression;
  readonly pattern: Expression;
  readonly escape: Expression | undefined;
}

export type IsTest =
  | 'NULL'
  | 'TRUE'
  | 'FALSE'
  | 'UNKNOWN'
  | 'A SET'
  | 'EMPTY'
  | 'JSON VALUE'
  | 'JSON OBJECT'
  | 'JSON ARRAY'
  | 'JSON SCALAR';

/** `a IS NOT NULL`, `a IS JSON` (which is `JSON VALUE`). */
export interface Is extends Span {
  readonly kind: 'is';
  readonly negated: boolean;
  readonly test: IsTest;
  readonly operand: Expression;
}

/** `CASE a WHEN b THEN c ELSE d END`. */
export interface Case extends Span {
  readonly kind: 'case';
  readonly operand: Expression | undefined;
  readonly branches: readonly CaseBranch[];
  readonly otherwise: Expression | undefined;
}

export interface CaseBranch extends Span {
  readonly kind: 'case-branch';
  /** One condition; after `CASE a` it may be several values. */
  readonly when: readonly Expression[];
  readonly result: Expression;
}

/** `CAST(a AS INT)`, `TRY_CAST(a AS INT)`. */
export interface Cast extends Span {
  readonly kind: 'cast';
  readonly attempt: boolean;
  readonly operand: Expression;
  readonly type: DataType;
}

/** `(a, b)`, `ROW(a, b)`, `PERIOD(a, b)`. */
export interface Row extends Span {
  readonly kind: 'row';
  readonly fields: readonly Expression[];
}

/** `ARRAY[a, b]`, `MAP[k, v]`, `MULTISET[a]`, or with a query in parentheses. */
export interface Collection extends Span {
  readonly kind: 'collection';
  readonly type: 'ARRAY' | 'MAP' | 'MULTISET';
  readonly content: readonly Expression[] | Query;
}

/** `a[1]`, `m['k']`. */
export interface Element extends Span {
  readonly kind: 'element';
  readonly operand: Expression;
  readonly index: Expression;
}

/** `f(a).b`, `a[1].b`: a field of an operand that is not a column. */
export interface Field extends Span {
  readonly kind: 'field';
  readonly operand: Expression;
  readonly name: Identifier;
}

/** `(SELECT …)` as a value. */
export interface Subquery extends Span {
  readonly kind: 'subquery';
  readonly query: Query;
}

/** `EXISTS (SELECT …)`, `UNIQUE (SELECT …)`. */
export interface Exists extends Span {
  readonly kind: 'exists';
  readonly test: 'EXISTS' | 'UNIQUE';
  readonly query: Query;
}

/** Text that could not be parsed. It has been reported. */
export interface Invalid extends Span {
  readonly kind: 'invalid';
}

/** Anything with a value. A macro among them is misplaced, which has been reported. */
export type Expression =
  | Literal
  | IntervalExpression
  | Column
  | Star
  | Parameter
  | Unary
  | Logical
  | Binary
  | Between
  | In
  | Quantified
  | Like
  | Is
  | Case
  | Cast
  | Row
  | Collection
  | Element
  | Field
  | Subquery
  | Exists
  | Call
  | Macro
  | Invalid;
