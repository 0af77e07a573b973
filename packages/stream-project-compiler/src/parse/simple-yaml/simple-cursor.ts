import type { Span } from '@levada/stream-sql';
import { yamlLimits } from '../read-yaml-tokens.ts';
import type { YamlScalar } from '../yaml-tree.ts';

/** Where the reading of a simple file stands. Readers move it on; after one that gave up it is worth nothing. */
export interface SimpleCursor {
  readonly text: string;
  /** The next character to read. */
  at: number;
  /** Where the line that is read begins. */
  lineStart: number;
  /** Blanks before what follows on the line at which a reader ended; {@link END} after the last line. */
  indent: number;
  /** Where the last line with a value ends, its line break included. */
  contentEnd: number;
  /** Maps and lists around. */
  depth: number;
  /** Pieces so far, as `yamlLimits.tokens` counts them, or a few more. */
  count: number;
  /** Signs that make entries so far, as `yamlLimits.entries` counts them. */
  entries: number;
  /** Lines so far. */
  lines: number;
}

/** No further line. */
export const END = -1;

export const codes = {
  lf: 0x0a,
  space: 0x20,
  doubleQuote: 0x22,
  hash: 0x23,
  singleQuote: 0x27,
  comma: 0x2c,
  dash: 0x2d,
  colon: 0x3a,
  greater: 0x3e,
  openBracket: 0x5b,
  backslash: 0x5c,
  closeBracket: 0x5d,
  openBrace: 0x7b,
  bar: 0x7c,
  closeBrace: 0x7d,
} as const;

/** At the beginning of a line, after what marks the beginning of a document, which counts. */
export function cursorAt(text: string, at: number): SimpleCursor {
  return { text, at, lineStart: at, indent: 0, contentEnd: at, depth: 0, count: 2, entries: 0, lines: 0 };
}

/** The file comes near the bounds of files, which the library's tokens are counted for. */
export function isTooLarge({ count, entries, lines }: SimpleCursor): boolean {
  return count > yamlLimits.tokens || entries > yamlLimits.entries || lines > yamlLimits.lines;
}

/** The character that is read next. */
export function codeAt(cursor: SimpleCursor): number {
  return cursor.text.charCodeAt(cursor.at);
}

/** Moves over blanks. */
export function skipBlanks(cursor: SimpleCursor): void {
  if (codeAt(cursor) !== codes.space) return;
  cursor.count += 1;
  while (codeAt(cursor) === codes.space) cursor.at += 1;
}

function skipComment(cursor: SimpleCursor): void {
  cursor.count += 1;
  cursor.at = cursor.text.indexOf('\n', cursor.at);
}

/** Ends a line after a value: blanks and a comment may follow. False when something else does. */
export function endLine(cursor: SimpleCursor): boolean {
  const before = cursor.at;
  skipBlanks(cursor);
  const code = codeAt(cursor);
  if (code === codes.hash && cursor.at > before) skipComment(cursor);
  else if (code !== codes.lf) return false;
  cursor.at += 1;
  cursor.contentEnd = cursor.at;
  return toContent(cursor);
}

/**
 * From the beginning of a line to the next one that says something. False when comments between are indented in another way,
 * because it takes the rules of the library to tell what they belong to, and in files that are too large.
 */
export function toContent(cursor: SimpleCursor): boolean {
  const { text } = cursor;
  let commented: number | undefined;
  for (;;) {
    cursor.lineStart = cursor.at;
    cursor.count += 1;
    cursor.lines += 1;
    skipBlanks(cursor);
    const indent = cursor.at - cursor.lineStart;
    const code = codeAt(cursor);
    if (code === codes.hash) {
      if (commented !== undefined && commented !== indent) return false;
      commented = indent;
      skipComment(cursor);
      cursor.at += 1;
    } else if (code === codes.lf) cursor.at += 1;
    else {
      cursor.indent = cursor.at < text.length ? indent : END;
      if (isTooLarge(cursor)) return false;
      return commented === undefined || commented === Math.max(0, cursor.indent);
    }
  }
}

/** A scalar from its text in the file. */
export function scalarAt(span: Span, value: YamlScalar['value'], style: YamlScalar['style']): YamlScalar {
  return { kind: 'scalar', span, value, style };
}
