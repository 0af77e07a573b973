import type { Span } from '@levada/stream-sql';
import type { Diagnostic, Severity } from '../diagnostics/diagnostic.ts';
import { lineWithoutSecrets } from '../diagnostics/hide-secrets.ts';
import { printable } from '../diagnostics/quote.ts';
import type { TextRange } from '../text/range.ts';
import { lineText, type SourceFile } from '../text/source-file.ts';
import { showLine } from './source-line.ts';

/** What text output needs beside the findings. */
export interface FormatTextOptions {
  /** Files whose lines are shown; a place in any other file is shown without its line. */
  readonly files?: readonly SourceFile[];
  /** Pieces of files, by path, that are shown as stars. */
  readonly secrets?: ReadonlyMap<string, readonly Span[]>;
  /** Escape sequences for terminals. Default: none. */
  readonly color?: boolean;
}

interface Context {
  readonly files: ReadonlyMap<string, SourceFile>;
  readonly secrets: ReadonlyMap<string, readonly Span[]>;
  readonly paint: (text: string, severity: Severity) => string;
}

const colors: Readonly<Record<Severity, string>> = {
  error: '\u001B[31m',
  warning: '\u001B[33m',
  info: '\u001B[36m',
};

/**
 * Findings for people: `file:line:column  severity  code  message`, the line with what is meant underlined, related places, and
 * a last line that counts. Empty when there are none.
 */
export function formatText(diagnostics: readonly Diagnostic[], options: FormatTextOptions = {}): string {
  if (diagnostics.length === 0) return '';
  const context: Context = {
    files: new Map((options.files ?? []).map((file) => [file.path, file])),
    secrets: options.secrets ?? new Map(),
    paint:
      options.color === true ? (text, severity) => `${colors[severity]}${text}\u001B[0m` : (text) => text,
  };
  return `${diagnostics.map((diagnostic) => finding(diagnostic, context)).join('\n')}\n${summary(diagnostics)}\n`;
}

function finding(diagnostic: Diagnostic, context: Context): string {
  const { code, severity, message, range, hint, related = [] } = diagnostic;
  const advice = hint === undefined ? '' : ` — ${hint}`;
  const head = `${place(range)}  ${context.paint(severity, severity)}  ${code}  ${message}${advice}`;
  const others = related.map((other) => [
    `  ${place(other.range)}  ${other.message}`,
    ...excerpt(other.range, context),
  ]);
  return [head, ...excerpt(range, context), ...others.flat()].join('\n');
}

function place({ file, start }: TextRange): string {
  return `${printable(file)}:${start.line}:${start.column}`;
}

/** The line and its underline; a place over several lines is underlined to the end of the first. */
function excerpt(range: TextRange, { files, secrets }: Context): readonly string[] {
  const file = files.get(range.file);
  if (file === undefined || file.secret === true || file.text === '') return [];
  const { start, end } = range;
  const line = lineWithoutSecrets(file, start.line, secrets.get(range.file) ?? []);
  const stop =
    end.line > start.line ? Math.max(start.column, lineText(file, start.line).length) + 1 : end.column;
  const shown = showLine(line, { start: start.column, end: stop });
  const number = String(start.line);
  const gutter = ' '.repeat(number.length);
  return [
    `  ${number} | ${shown.text}`.trimEnd(),
    `  ${gutter} | ${' '.repeat(shown.indent)}${'^'.repeat(shown.width)}`,
  ];
}

function summary(diagnostics: readonly Diagnostic[]): string {
  const severities: readonly Severity[] = ['error', 'warning', 'info'];
  const counts = severities.flatMap((severity) => {
    const count = diagnostics.filter((diagnostic) => diagnostic.severity === severity).length;
    return count === 0 ? [] : [`${count} ${severity === 'info' || count === 1 ? severity : `${severity}s`}`];
  });
  const files = new Set(diagnostics.map(({ range }) => range.file)).size;
  return `${counts.join(', ')} in ${files} ${files === 1 ? 'file' : 'files'}`;
}
