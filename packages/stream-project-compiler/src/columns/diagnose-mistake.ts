import { diagnose } from '../diagnostics/diagnose.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { RangeOf } from '../resolve/place-in-file.ts';
import { mistakeCodes } from './column-codes.ts';
import type { ColumnMistake } from './query-context.ts';

/** Where the SQL of a mistake stands. */
export interface MistakePlace {
  readonly rangeOf: RangeOf;
  readonly path: string;
  readonly object: string;
}

/** The finding of a mistake in SQL. What is not sure is no error. */
export function diagnoseMistake(
  { name, message, hint, unsure, at, start, end }: ColumnMistake,
  { rangeOf, path, object }: MistakePlace,
): Diagnostic {
  const place = at ?? { range: rangeOf({ start, end }), path, object };
  const found = diagnose(mistakeCodes[name], {
    message,
    hint,
    range: place.range,
    path: place.path,
    object: place.object,
  });
  return unsure === true && found.severity === 'error' ? { ...found, severity: 'warning' } : found;
}
