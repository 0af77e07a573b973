import type { Span } from '../text/span.ts';

/** One name of a column, table, alias, function, window or pattern variable. */
export interface Identifier extends Span {
  readonly kind: 'identifier';
  /** Without backticks. Names are case-sensitive. */
  readonly name: string;
  readonly quoted: boolean;
}

/** `{{ source("orders") }}` or `{{ ref("orders") }}`: the name of a table of the project. */
export interface Macro extends Span {
  readonly kind: 'macro';
  readonly macro: 'source' | 'ref';
  readonly name: string;
  /** Start of the name between the quotes. */
  readonly nameStart: number;
  readonly nameEnd: number;
}

/** A name with optional catalog and database: `a`, `a.b.c`. */
export interface TableName extends Span {
  readonly kind: 'table-name';
  readonly path: readonly Identifier[];
}
