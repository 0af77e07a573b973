import type { Span } from '../text/span.ts';

/** One name: of a column, table, alias, function, window or pattern variable. */
export interface Identifier extends Span {
  readonly kind: 'identifier';
  /** Without backticks. Names are case-sensitive. */
  readonly name: string;
  /** Whether it is in backticks. */
  readonly quoted: boolean;
}

/** `{{ source("orders") }}` or `{{ ref("orders") }}`, the name of a table of the project. */
export interface Macro extends Span {
  readonly kind: 'macro';
  readonly macro: 'source' | 'ref';
  readonly name: string;
  /** Where the name between the quotes is. */
  readonly nameStart: number;
  readonly nameEnd: number;
}

/** A name with or without the catalog and database before it: `a`, `a.b.c`. */
export interface TableName extends Span {
  readonly kind: 'table-name';
  readonly path: readonly Identifier[];
}
