import type { Span } from '@levada/stream-sql';
import type { SqlType } from './sql-type.ts';
import { reportMismatch, type TypeWalk, typeWords } from './type-context.ts';
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

interface Comparison {
  readonly left: SqlType | undefined;
  readonly right: SqlType | undefined;
  /** As the message names it: `"="`. */
  readonly by: string;
  /** Equality is asked, for which the engine converts less. */
  readonly equality: boolean;
}

/** Reports two types that the engine does not compare. */
export function checkComparison({ left, right, by, equality }: Comparison, span: Span, walk: TypeWalk): void {
  if (left === undefined || right === undefined) return;
  if (equality ? comparable(left, right) : orderable(left, right)) return;
  const message = `${typeWords(left)} compared with ${typeWords(right)} by ${by}, expected types that can be compared`;
  reportMismatch(walk, span, message, comparisonHint(left, right));
}

function comparisonHint(left: SqlType, right: SqlType): string {
  if (isText(left) && isNumeric(right)) {
    return `write CAST(... AS ${typeWords(right)}) on the left, or quotes on the right`;
  }
  if (isNumeric(left) && isText(right)) {
    return `write the right side without quotes, or CAST(... AS ${typeWords(left)})`;
  }
  return 'convert one side with CAST';
}
