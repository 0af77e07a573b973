import type { TextRange } from '../text/range.ts';
import type { CatalogueEntry, Diagnostic, RelatedPlace } from './diagnostic.ts';

/** The facts of one finding beyond its code. */
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

/** A diagnostic of the kind that an entry describes, with its severity. */
export function diagnose(
  { code, severity }: Pick<CatalogueEntry, 'code' | 'severity'>,
  finding: Finding,
): Diagnostic {
  const { message, range, path = '', object = 'file', related = [], hint } = finding;
  return {
    code,
    severity,
    message,
    range,
    path,
    object,
    ...(related.length > 0 ? { related } : {}),
    ...(hint === undefined ? {} : { hint }),
  };
}
