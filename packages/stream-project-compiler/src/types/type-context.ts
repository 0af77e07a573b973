import type {
  Call,
  Column,
  Expression,
  Identifier,
  Query,
  Span,
  WindowSpecification,
} from '@levada/stream-sql';
import type { EngineDialect } from './functions/engine-dialect.ts';
import { typeName } from './print-type.ts';
import type { SqlType } from './sql-type.ts';
import type { typeCodes } from './type-codes.ts';

/** What an expression does not contain itself. */
export interface TypeContext {
  /** The type of a name, with the fields after it: of `t.r.f` it is that of `f`. */
  readonly column: (node: Column) => SqlType | undefined;
  /** Asked once for every query of the expression. The type is that of its one column; of `EXISTS`, which asks for `rows`, it does not matter. */
  readonly subquery: (query: Query, of?: 'rows') => SqlType | undefined;
  /** The type of a call that the engine does not define: of functions of users, and of machine learning. Default: unknown. */
  readonly call?: (node: Call) => SqlType | undefined;
  /** How many columns a query of the expression has; undefined when that cannot be determined, which is the default. */
  readonly width?: (query: Query) => number | undefined;
  /** The window that `OVER w` means. Default: unknown. */
  readonly window?: (name: Identifier) => WindowSpecification | undefined;
  /** Whether GROUPING SETS leave a part of the expression out in some of their rows, so that it is null there. Default: no part. */
  readonly leftOut?: (part: Expression) => boolean;
  /** Whether the query of the expression has GROUP BY: then each aggregate is over one row at least. Default: false. */
  readonly grouped?: boolean;
  /** A name as messages may show it: what a variable was replaced by is not shown, nor guessed about. Default: the name. */
  readonly shown?: (name: Identifier) => string;
  /** The dialect of the engine on which the expression runs. Default: the newest that is known, with user-defined functions. */
  readonly dialect?: EngineDialect;
  /** Receives the mistakes, each once. Default: they are dropped. */
  readonly report?: (mistake: TypeMistake) => void;
}

/** Something that the types alone prove: the engine refuses it. */
export interface TypeMistake extends Span {
  readonly name: keyof typeof typeCodes | 'later-version';
  /** What is wrong, then what was expected. */
  readonly message: string;
  /** What to write instead. */
  readonly hint?: string;
  /** The project says too little to be sure. */
  readonly unsure?: true;
}

/** One pass over an expression: every part of it is looked at once. */
export interface TypeWalk extends TypeContext {
  readonly typeOf: (expression: Expression) => SqlType | undefined;
  /** A walk over the single rows of a group, as for the arguments of aggregates. */
  readonly ofRows: () => TypeWalk;
}

/** Says that the engine refuses these types. */
export function reportMismatch(walk: TypeWalk, { start, end }: Span, message: string, hint?: string): void {
  const mistake: TypeMistake = { name: 'type-mismatch', message, start, end };
  walk.report?.(hint === undefined ? mistake : { ...mistake, hint });
}

/** A type as messages name it: without what hardly ever matters, such as the length of text and the fields of rows. */
export function typeWords(type: SqlType | undefined): string {
  if (type === undefined) return '?';
  if ('length' in type) return type.name.endsWith('BINARY') ? 'BYTES' : 'STRING';
  if ('fields' in type) return 'ROW';
  if ('element' in type) return `${type.name}<${typeWords(type.element)}>`;
  if ('key' in type) return `MAP<${typeWords(type.key)}, ${typeWords(type.value)}>`;
  return typeName(type);
}
