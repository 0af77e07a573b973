import type { Span } from './span.ts';

/** Codes of mistakes with their titles. Codes are stable; messages are not. */
export const sqlDiagnosticTitles = {
  'sql-character': 'A character that no statement of the engine may hold',
  'sql-unterminated': 'A string, quoted name, comment, hint or macro without its end',
  'sql-double-quotes': 'Double quotes, which the engine takes for neither strings nor names',
  'sql-template': 'A template expression other than the macros source and ref',
  'sql-syntax': 'A text that the grammar of the engine does not allow',
  'sql-reserved-word': 'A reserved word used as a name without backticks',
  'sql-dialect': 'An operator or clause of another SQL dialect',
  'sql-type': 'A type that the engine does not have',
  'sql-statement': 'A statement that is not a query, or more than one statement',
  'sql-recursive': 'A recursive common table expression',
  'sql-folded-comment': 'A comment that takes in the lines below it, because they are folded into one',
  'sql-too-deep': 'Nesting beyond the limit',
  'sql-too-many': 'More mistakes than are reported',
  'sql-too-long': 'A text with more tokens than are read',
} as const satisfies Record<string, string>;

export type SqlDiagnosticCode = keyof typeof sqlDiagnosticTitles;

/** One mistake in a text, with its place. Every diagnostic of the parser is an error. */
export interface SqlDiagnostic extends Span {
  readonly code: SqlDiagnosticCode;
  /** The mistake, then what was expected. */
  readonly message: string;
  /** A correction in words. */
  readonly hint?: string;
  /** Replacement for the text from `start` to `end`. Absent unless it is certain. */
  readonly fix?: string;
}

/** Receives the diagnostics of one text. */
export type ReportSql = (diagnostic: SqlDiagnostic) => void;

/** Later diagnostics are nearly always consequences of the first. */
export const MAX_SQL_DIAGNOSTICS = 100;

/** A list of diagnostics that ends at {@link MAX_SQL_DIAGNOSTICS} with one that says so. */
export function createSqlReport(): { diagnostics: SqlDiagnostic[]; report: ReportSql } {
  const diagnostics: SqlDiagnostic[] = [];
  const report: ReportSql = (diagnostic) => {
    if (diagnostics.length < MAX_SQL_DIAGNOSTICS) diagnostics.push(diagnostic);
    else if (diagnostics.length === MAX_SQL_DIAGNOSTICS) {
      const { start, end } = diagnostic;
      diagnostics.push({
        code: 'sql-too-many',
        message: `more than ${MAX_SQL_DIAGNOSTICS} mistakes, the rest is not reported`,
        start,
        end,
      });
    }
  };
  return { diagnostics, report };
}
