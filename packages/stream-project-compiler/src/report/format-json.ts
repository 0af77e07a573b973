import { type Diagnostic, isValid, type Severity } from '../diagnostics/diagnostic.ts';
import type { Hole } from '../test-jobs/project-holes.ts';
import type { Position } from '../text/range.ts';

/** The shape of {@link diagnosticsJson}; a number after the "/" that grows when a reader could break. */
export const diagnosticsJsonSchema = 'levada.project-diagnostics/1';

/** Findings for tools. Lines and columns count from 1, columns in UTF-16 code units. */
export interface DiagnosticsJson {
  readonly schema: typeof diagnosticsJsonSchema;
  /** No finding is an error. */
  readonly valid: boolean;
  /** It is valid, and every job that it asks for can be written. */
  readonly complete: boolean;
  /** Models and tests without a job. */
  readonly holes: readonly Hole[];
  readonly diagnostics: readonly DiagnosticJson[];
}

interface PlaceJson {
  readonly file: string;
  readonly range: { readonly start: Position; readonly end: Position };
}

interface DiagnosticJson extends PlaceJson {
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly path: string;
  readonly object: string;
  readonly hint?: string;
  readonly related?: readonly (PlaceJson & { readonly message: string })[];
}

/** Findings as data for `JSON.stringify`. */
export function diagnosticsJson(
  diagnostics: readonly Diagnostic[],
  holes: readonly Hole[] = [],
): DiagnosticsJson {
  const valid = isValid(diagnostics);
  return {
    schema: diagnosticsJsonSchema,
    valid,
    complete: valid && holes.length === 0,
    holes,
    diagnostics: diagnostics.map(({ code, severity, message, range, path, object, hint, related }) => ({
      code,
      severity,
      message,
      ...placeJson(range),
      path,
      object,
      ...(hint === undefined ? {} : { hint }),
      ...(related === undefined
        ? {}
        : { related: related.map((other) => ({ message: other.message, ...placeJson(other.range) })) }),
    })),
  };
}

/** Findings as JSON text with a line end. */
export function formatJson(diagnostics: readonly Diagnostic[], holes: readonly Hole[] = []): string {
  return `${JSON.stringify(diagnosticsJson(diagnostics, holes), undefined, 2)}\n`;
}

function placeJson({ file, start, end }: Diagnostic['range']): PlaceJson {
  return { file, range: { start, end } };
}
