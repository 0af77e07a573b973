import type { Span } from '../text/span.ts';
import type { Call } from './call.ts';
import type { Expression } from './expression.ts';
import type { MatchRecognize } from './match-recognize.ts';
import type { Identifier, Macro, TableName } from './names.ts';
import type { Hint, Query } from './query.ts';

/** An item of `FROM`. */
export type FromItem = Table | Join;

/** Joined tables, left-associative. A comma is a join too. */
export interface Join extends Span {
  readonly kind: 'join';
  readonly type: 'INNER' | 'LEFT' | 'RIGHT' | 'FULL' | 'CROSS' | 'COMMA';
  readonly natural: boolean;
  readonly left: FromItem;
  readonly right: FromItem;
  /** `ON` */
  readonly condition: Expression | undefined;
  /** `USING` */
  readonly using: readonly Identifier[];
  /** Start of the keywords of the join, or of the comma. */
  readonly operatorStart: number;
  readonly operatorEnd: number;
}

/** One table with its clauses. */
export interface Table extends Span {
  readonly kind: 'table';
  readonly source: TableSource;
  readonly lateral: boolean;
  readonly hints: readonly Hint[];
  /** `FOR SYSTEM_TIME AS OF o.ts`, which makes the join temporal. */
  readonly asOf: Expression | undefined;
  readonly matchRecognize: MatchRecognize | undefined;
  readonly alias: Identifier | undefined;
  /** `AS t (a, b)` */
  readonly columns: readonly Identifier[];
}

export type TableSource = TableName | Macro | DerivedTable | TableFunction | Unnest;

/** `(SELECT …)` */
export interface DerivedTable extends Span {
  readonly kind: 'derived-table';
  readonly query: Query;
}

/** `TABLE(f(…))` or `f(…)` */
export interface TableFunction extends Span {
  readonly kind: 'table-function';
  readonly call: Call;
}

/** `UNNEST(a) WITH ORDINALITY` */
export interface Unnest extends Span {
  readonly kind: 'unnest';
  readonly collections: readonly Expression[];
  readonly ordinality: boolean;
}
