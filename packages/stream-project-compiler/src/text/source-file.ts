import type { Span } from '@levada/stream-sql';
import type { Position, TextRange } from './range.ts';

/** One file of a project, decoded: without the mark of byte order that it may begin with. */
export interface SourceFile {
  /** Path below the project's folder, with "/" between: `models/orders.yml`. */
  readonly path: string;
  readonly text: string;
  /** Its lines are never printed: files of variables. */
  readonly secret?: true;
  /** Offset of each line's first character. Computed at the first call. */
  readonly lineStarts: () => Uint32Array;
}

/** A file from its text. Lines end with LF, CRLF or CR. */
export function sourceFile(path: string, text: string, options: { readonly secret?: true } = {}): SourceFile {
  let starts: Uint32Array | undefined;
  return {
    path,
    text,
    ...options,
    lineStarts: () => {
      starts ??= lineStarts(text);
      return starts;
    },
  };
}

/** The place of an offset; offsets beyond the text are at its end. */
export function positionAt(file: SourceFile, offset: number): Position {
  const starts = file.lineStarts();
  const within = Math.max(0, Math.min(offset, file.text.length));
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((starts[middle] ?? 0) <= within) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: within - (starts[low] ?? 0) + 1 };
}

/** The offset of a place; places beyond a line are at its end, before the line break. */
export function offsetAt(file: SourceFile, { line, column }: Position): number {
  const starts = file.lineStarts();
  if (line < 1) return 0;
  if (line > starts.length) return file.text.length;
  const start = starts[line - 1] ?? 0;
  return Math.min(start + Math.max(0, column - 1), start + lineText(file, line).length);
}

/** The place of a span. */
export function rangeAt(file: SourceFile, { start, end }: Span): TextRange {
  return { file: file.path, start: positionAt(file, start), end: positionAt(file, Math.max(start, end)) };
}

/** The text of a line, counted from 1, without its line break; empty for a line that does not exist. */
export function lineText(file: SourceFile, line: number): string {
  const starts = file.lineStarts();
  const start = starts[line - 1];
  if (start === undefined) return '';
  let end = starts[line] ?? file.text.length;
  if (end > start && file.text[end - 1] === '\n') end -= 1;
  if (end > start && file.text[end - 1] === '\r') end -= 1;
  return file.text.slice(start, end);
}

/** Two passes: a list of numbers would hold eight times the memory of a file of empty lines. */
function lineStarts(text: string): Uint32Array {
  let count = 1;
  for (let at = nextLine(text, 0); at !== -1; at = nextLine(text, at)) count += 1;
  const starts = new Uint32Array(count);
  let line = 1;
  for (let at = nextLine(text, 0); at !== -1; at = nextLine(text, at)) {
    starts[line] = at;
    line += 1;
  }
  return starts;
}

const LF = 10;
const CR = 13;

/** Where the line after a place begins; -1 in the last one. */
function nextLine(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === LF) return at + 1;
    if (code === CR) return text.charCodeAt(at + 1) === LF ? at + 2 : at + 1;
  }
  return -1;
}
