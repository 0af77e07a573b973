import { type Diagnostic, isValid, type Severity } from '../diagnostics/diagnostic.ts';
import type { Position } from '../text/range.ts';

/** The shape of {@link diagnosticsJson}; a number after the "/" that grows when a reader could break. */
export const diagnosticsJsonSchema = 'levada.project-diagnostics/1';

/** Findings for tools. Lines and columns count from 1, columns in UTF-16 code units. */
export interface DiagnosticsJson {
  readonly schema: typeof diagnosticsJsonSchema;
  /** No finding is an error. */
  readonly valid: boolean;
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
export function diagnosticsJson(diagnostics: readonly Diagnostic[]): DiagnosticsJson {
  return {
    schema: diagnosticsJsonSchema,
    valid: isValid(diagnostics),
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
export function formatJson(diagnostics: readonly Diagnostic[]): string {
  return `${JSON.stringify(diagnosticsJson(diagnostics), undefined, 2)}\n`;
}

function placeJson({ file, start, end }: Diagnostic['range']): PlaceJson {
  return { file, range: { start, end } };
}
