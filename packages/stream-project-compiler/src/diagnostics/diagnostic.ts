import type { TextRange } from '../text/range.ts';

/** How bad it is. A project with an error is not valid. */
export type Severity = 'error' | 'warning' | 'info';

/** The number of a kind of finding: `LV1301`. */
export type DiagnosticCode = `LV${number}`;

/** The meaning of a code. */
export interface CatalogueEntry {
  readonly code: DiagnosticCode;
  /** What was found, in a few words. */
  readonly title: string;
  /** Severity where no policy says otherwise. */
  readonly severity: Severity;
  /** A part of the project is missing afterwards, so no comment hides it and no policy lowers it. */
  readonly fixed?: true;
  /** One paragraph: what it means, why it matters, what to do. */
  readonly doc: string;
}

/** The codes of one stage, by their names: `unknown-key`. */
export type CodeTable = Readonly<Record<string, CatalogueEntry>>;

/** One finding of any stage: data, never thrown. */
export interface Diagnostic {
  /** Stable; the catalogue says what it means. */
  readonly code: DiagnosticCode;
  readonly severity: Severity;
  /** What is wrong, then what was expected. Never holds a secret, nor what a variable was replaced by. */
  readonly message: string;
  readonly range: TextRange;
  /** Keys and list indices from the top of the file: `models[0].advanced.topic`; empty for the file as a whole. */
  readonly path: string;
  /**
   * What it is about: `model:orders`, `source:x`, `test:x`, `exposure:x` (an index for those without a name: `models[2]`), a section
   * such as `runtime`, `file`, or the name of a variable.
   */
  readonly object: string;
  /** Other places that matter, each with a note. */
  readonly related?: readonly RelatedPlace[];
  /** What to do about it: `did you mean "description"?` */
  readonly hint?: string;
}

/** Another place that a finding is about. */
export interface RelatedPlace {
  readonly message: string;
  readonly range: TextRange;
}

/** The result of a stage, with its diagnostics. */
export interface StageResult<T> {
  readonly value: T;
  readonly diagnostics: readonly Diagnostic[];
}

/** Whether nothing is an error. */
export function isValid(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.every(({ severity }) => severity !== 'error');
}
