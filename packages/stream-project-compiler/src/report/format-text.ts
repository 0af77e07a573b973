import type { Span } from '@levada/stream-sql';
import type { Diagnostic, Severity } from '../diagnostics/diagnostic.ts';
import { lineWithoutSecrets } from '../diagnostics/hide-secrets.ts';
import { printable } from '../diagnostics/quote.ts';
import type { TextRange } from '../text/range.ts';
import { lineText, type SourceFile } from '../text/source-file.ts';

interface FormatTextOptions {
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
  const context = contextOf(options);
  return `${diagnostics.map((diagnostic) => finding(diagnostic, context)).join('\n')}\n${summary(diagnostics)}\n`;
}

function contextOf({ files = [], secrets = new Map(), color }: FormatTextOptions): Context {
  return {
    files: new Map(files.map((file) => [file.path, file])),
    secrets,
    paint: color === true ? (text, severity) => `${colors[severity]}${text}\u001B[0m` : (text) => text,
  };
}

/** One place with a text about it, as {@link formatText} shows places: `file:line:column  text`, and the line with what is meant underlined. */
export function formatPlace(range: TextRange, message: string, options: FormatTextOptions = {}): string {
  return [`${place(range)}  ${printable(message)}`, ...excerpt(range, contextOf(options))].join('\n');
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

/** A line of a file as terminals show it, and what to underline. */
interface ShownLine {
  readonly text: string;
  /** Cells before the underlined part, and its own cells: at least one. */
  readonly indent: number;
  readonly width: number;
}

/** Columns from 1, half-open. */
interface Columns {
  readonly start: number;
  readonly end: number;
}

const TAB = 4;
const MAX_LENGTH = 160;
const BEFORE = 60;

const wide =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\p{RI}\u3000-\u303E\uFF01-\uFF60\uFFE0-\uFFE6]/u;
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * The part of a line around the columns: tabs as blanks, wide characters as two cells, what does not print as escapes, long
 * lines cut.
 */
function showLine(line: string, { start, end }: Columns): ShownLine {
  const from = cutBefore(line, start);
  const to = Math.min(line.length, from + MAX_LENGTH);
  const head = from > 0 ? '…' : '';
  let text = head;
  let cells = head.length;
  let indent: number | undefined;
  let stop: number | undefined;
  for (const { segment, index } of graphemes.segment(line.slice(from, to))) {
    const column = from + index + 1;
    if (indent === undefined && column + segment.length > start) indent = cells;
    if (stop === undefined && column >= end) stop = cells;
    const shown = shownSegment(segment, cells);
    text += shown.text;
    cells += shown.cells;
  }
  const first = indent ?? cells;
  const last = stop ?? cells;
  return { text: to < line.length ? `${text}…` : text, indent: first, width: Math.max(1, last - first) };
}

function cutBefore(line: string, start: number): number {
  if (line.length <= MAX_LENGTH || start <= BEFORE) return 0;
  const from = Math.min(start - BEFORE, line.length - BEFORE);
  const low = line.charCodeAt(from) & 0xfc00;
  return low === 0xdc00 ? from + 1 : from;
}

function shownSegment(segment: string, cells: number): { readonly text: string; readonly cells: number } {
  if (segment === '\t') {
    const blanks = TAB - (cells % TAB);
    return { text: ' '.repeat(blanks), cells: blanks };
  }
  const text = printable(segment);
  if (text !== segment) return { text, cells: text.length };
  if (/^\p{M}+$/u.test(segment)) return { text, cells: 0 };
  return { text, cells: wide.test(segment) || segment.includes('\uFE0F') ? 2 : 1 };
}
