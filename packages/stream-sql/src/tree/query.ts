import type { Span } from '../text/span.ts';
import type { WindowSpecification } from './call.ts';
import type { Expression, Literal, Parameter } from './expression.ts';
import type { Identifier, Macro, TableName } from './names.ts';
import type { FromItem } from './table.ts';

/** A whole query, or one in parentheses. */
export interface Query extends Span {
  readonly kind: 'query';
  readonly with: readonly CommonTable[];
  readonly body: QueryBody;
  readonly orderBy: readonly OrderItem[];
  readonly limit: Limit | undefined;
}

/** A query in parentheses may have its own `WITH`, `ORDER BY` and `LIMIT`. */
export type QueryBody = Select | Values | ExplicitTable | SetOperation | Query;

/** `a (x, y) AS (SELECT …)` */
export interface CommonTable extends Span {
  readonly kind: 'common-table';
  readonly name: Identifier;
  readonly columns: readonly Identifier[];
  readonly query: Query;
}

/** Operands of one operator, left-associative: `a UNION ALL b UNION ALL c` has three. */
export interface SetOperation extends Span {
  readonly kind: 'set-operation';
  readonly operator: 'UNION' | 'INTERSECT' | 'EXCEPT';
  readonly quantifier: 'ALL' | 'DISTINCT' | undefined;
  readonly operands: readonly QueryBody[];
  /** Start of the first operator. */
  readonly operatorStart: number;
  readonly operatorEnd: number;
}

/** `VALUES (1, 'a'), (2, 'b')` */
export interface Values extends Span {
  readonly kind: 'values';
  readonly rows: readonly Expression[];
}

/** `TABLE t` */
export interface ExplicitTable extends Span {
  readonly kind: 'explicit-table';
  readonly table: TableName | Macro;
}

export interface Select extends Span {
  readonly kind: 'select';
  readonly hints: readonly Hint[];
  readonly quantifier: 'ALL' | 'DISTINCT' | undefined;
  readonly items: readonly SelectItem[];
  readonly from: FromItem | undefined;
  readonly where: Expression | undefined;
  readonly groupBy: GroupBy | undefined;
  readonly having: Expression | undefined;
  readonly windows: readonly NamedWindow[];
  readonly qualify: Expression | undefined;
}

/** `a + 1 AS b`, `t.*` */
export interface SelectItem extends Span {
  readonly kind: 'select-item';
  readonly expression: Expression;
  readonly alias: Identifier | undefined;
}

export interface GroupBy extends Span {
  readonly kind: 'group-by';
  readonly quantifier: 'ALL' | 'DISTINCT' | undefined;
  readonly items: readonly GroupingItem[];
}

export type GroupingItem = Expression | GroupingSets | EmptyGrouping;

/** `ROLLUP(a, b)`, `CUBE(a, b)`, `GROUPING SETS ((a), (a, b), ())` */
export interface GroupingSets extends Span {
  readonly kind: 'grouping-sets';
  readonly type: 'ROLLUP' | 'CUBE' | 'GROUPING SETS';
  readonly items: readonly GroupingItem[];
}

/** `()` */
export interface EmptyGrouping extends Span {
  readonly kind: 'empty-grouping';
}

/** `WINDOW w AS (…)` */
export interface NamedWindow extends Span {
  readonly kind: 'named-window';
  readonly name: Identifier;
  readonly window: WindowSpecification;
}

export interface OrderItem extends Span {
  readonly kind: 'order-item';
  readonly expression: Expression;
  readonly direction: 'ASC' | 'DESC' | undefined;
  readonly nulls: 'FIRST' | 'LAST' | undefined;
}

/** `LIMIT n OFFSET m`, `OFFSET m ROWS FETCH FIRST n ROWS ONLY`. */
export interface Limit extends Span {
  readonly kind: 'limit';
  /** Undefined for `LIMIT ALL` and for an offset alone. */
  readonly count: Literal | Parameter | undefined;
  readonly offset: Literal | Parameter | undefined;
}

/** One hint between hint marks: `OPTIONS('key' = 'value')`, `BROADCAST(a, b)`. */
export interface Hint extends Span {
  readonly kind: 'hint';
  readonly name: Identifier;
  readonly options: readonly HintOption[];
}

export interface HintOption extends Span {
  readonly kind: 'hint-option';
  readonly key: Identifier | Literal;
  readonly value: Literal | undefined;
}
