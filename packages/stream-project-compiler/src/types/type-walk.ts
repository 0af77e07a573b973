import type { Span } from '../sql/span.ts';
import type { Expression } from '../sql/tree/expression.ts';
import { printType } from './print-type.ts';
import type { SqlType } from './sql-type.ts';
import type { TypeContext, TypeMistake } from './type-context.ts';

/** One pass over an expression: every part of it is looked at once. */
export interface TypeWalk extends TypeContext {
  readonly typeOf: (expression: Expression) => SqlType | undefined;
}

/** Says that the engine refuses these types. */
export function reportMismatch(walk: TypeWalk, { start, end }: Span, message: string, hint?: string): void {
  const mistake: TypeMistake = { name: 'type-mismatch', message, start, end };
  walk.report?.(hint === undefined ? mistake : { ...mistake, hint });
}

/** A type as messages name it: how long a text is hardly ever matters. */
export function typeWords(type: SqlType): string {
  if (type.name === 'CHAR' || type.name === 'VARCHAR') return 'STRING';
  if (type.name === 'BINARY' || type.name === 'VARBINARY') return 'BYTES';
  return printType(type, { notNull: false });
}
