import type { Expression, Span } from '@levada/stream-sql';
import { printType } from './print-type.ts';
import type { SqlType } from './sql-type.ts';
import type { TypeContext, TypeMistake } from './type-context.ts';

/** One pass over an expression: every part of it is looked at once. */
export interface TypeWalk extends TypeContext {
  readonly typeOf: (expression: Expression) => SqlType | undefined;
  /** The same over the single rows of a group, as the arguments of aggregates are. */
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
  return printType(type, { notNull: false });
}
