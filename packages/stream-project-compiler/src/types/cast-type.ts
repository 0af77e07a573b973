import type { Cast } from '@levada/stream-sql';
import { castable } from './castable.ts';
import { withNullable } from './make-type.ts';
import type { SqlType } from './sql-type.ts';
import { isNumeric, isTime } from './type-families.ts';
import { typeOfDataType } from './type-of-data-type.ts';
import { reportMismatch, type TypeWalk, typeWords } from './type-walk.ts';
import { checkConstruct } from './unknown-function.ts';

/** `CAST(a AS INT)`; what TRY_CAST gives may always be null. */
export function castType(
  { operand, type: written, attempt, ...span }: Cast,
  walk: TypeWalk,
): SqlType | undefined {
  const [from, to] = [walk.typeOf(operand), typeOfDataType(written)];
  if (from !== undefined && to !== undefined && !castable(from, to)) {
    const message = `CAST of ${typeWords(from)} to ${typeWords(to)}, which the engine does not convert`;
    reportMismatch(walk, span, message, castHint(from, to));
  }
  if (to?.name === 'VARIANT') checkConstruct('the type VARIANT', written, walk);
  return withNullable(to, attempt || (from?.nullable ?? true));
}

function castHint(from: SqlType, to: SqlType): string {
  if (isNumeric(from) && isTime(to)) return 'write TO_TIMESTAMP_LTZ(..., 3) for milliseconds, 0 for seconds';
  if (isTime(from) && isNumeric(to)) return 'write UNIX_TIMESTAMP(CAST(... AS STRING)) for seconds';
  return 'convert it to STRING first, or choose another type';
}
