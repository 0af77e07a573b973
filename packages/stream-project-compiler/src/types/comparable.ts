import type { SqlType } from './sql-type.ts';
import { familyOf, isNumeric, isText, type TypeFamily } from './type-families.ts';

/** Families whose values the engine converts when they are compared with text. */
const LIKE_TEXT: ReadonlySet<TypeFamily> = new Set(['boolean', 'date', 'time', 'timestamp']);

/** Whether the engine compares them with `<`, `IN` or `BETWEEN`, for which it makes numbers of text. */
export function orderable(one: SqlType, other: SqlType): boolean {
  if (comparable(one, other)) return true;
  return (isText(one) && isNumeric(other)) || (isNumeric(one) && isText(other));
}

/**
 * Whether the engine compares values of these types with `=`. It converts numbers into other numbers and text into times, but no text
 * into numbers. `NULL` can be compared with everything.
 */
export function comparable(one: SqlType, other: SqlType): boolean {
  const [a, b] = [familyOf(one), familyOf(other)];
  if (a === b || a === 'null' || b === 'null') return true;
  return (a === 'text' && LIKE_TEXT.has(b)) || (b === 'text' && LIKE_TEXT.has(a));
}
