import type { TextRange } from '../text/range.ts';
import { codeOf, type DiagnosticName, entryOf } from './catalogue.ts';
import type { Diagnostic, RelatedPlace } from './diagnostic.ts';

/** What one finding says beyond its code. */
export interface Finding {
  readonly message: string;
  readonly range: TextRange;
  /** Default: the file as a whole. */
  readonly path?: string;
  /** Default: `file`. */
  readonly object?: string;
  readonly related?: readonly RelatedPlace[] | undefined;
  readonly hint?: string | undefined;
}

/** A diagnostic of a kind, with the severity that the catalogue gives it. */
export function diagnose(name: DiagnosticName, finding: Finding): Diagnostic {
  const code = codeOf(name);
  const { message, range, path = '', object = 'file', related = [], hint } = finding;
  return {
    code,
    severity: entryOf(code).severity,
    message,
    range,
    path,
    object,
    ...(related.length > 0 ? { related } : {}),
    ...(hint === undefined ? {} : { hint }),
  };
}
