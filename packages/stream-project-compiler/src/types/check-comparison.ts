import type { Span } from '@levada/stream-sql';
import { comparable, orderable } from './comparable.ts';
import type { SqlType } from './sql-type.ts';
import { isNumeric, isText } from './type-families.ts';
import { reportMismatch, type TypeWalk, typeWords } from './type-walk.ts';

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
  const message = `${typeWords(left)} compared with ${typeWords(right)} by ${by}, types that can be compared were expected`;
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
