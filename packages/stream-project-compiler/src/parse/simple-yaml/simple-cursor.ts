import type { Span } from '../../text/span.ts';
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
  /** Keys, values, signs and lines so far, at least as many as the lexer of the library makes. */
  count: number;
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

/** The character that is read next. */
export function codeAt(cursor: SimpleCursor): number {
  return cursor.text.charCodeAt(cursor.at);
}

/** Moves over blanks. */
export function skipBlanks(cursor: SimpleCursor): void {
  while (codeAt(cursor) === codes.space) cursor.at += 1;
}

/** Ends a line after a value: blanks and a comment may follow. False when something else does. */
export function endLine(cursor: SimpleCursor): boolean {
  const { text } = cursor;
  const before = cursor.at;
  skipBlanks(cursor);
  const code = codeAt(cursor);
  if (code === codes.hash && cursor.at > before) cursor.at = text.indexOf('\n', cursor.at);
  else if (code !== codes.lf) return false;
  cursor.at += 1;
  cursor.contentEnd = cursor.at;
  return toContent(cursor);
}

/**
 * From the beginning of a line to the next one that says something. False when comments between are indented in another way:
 * it takes the rules of the library to tell what they belong to.
 */
export function toContent(cursor: SimpleCursor): boolean {
  const { text } = cursor;
  let commented: number | undefined;
  for (;;) {
    cursor.lineStart = cursor.at;
    cursor.count += 2;
    skipBlanks(cursor);
    const indent = cursor.at - cursor.lineStart;
    const code = codeAt(cursor);
    if (code === codes.hash) {
      if (commented !== undefined && commented !== indent) return false;
      commented = indent;
      cursor.at = text.indexOf('\n', cursor.at) + 1;
    } else if (code === codes.lf) cursor.at += 1;
    else {
      cursor.indent = cursor.at < text.length ? indent : END;
      return commented === undefined || commented === Math.max(0, cursor.indent);
    }
  }
}

/** A scalar from its text in the file. */
export function scalarAt(span: Span, value: YamlScalar['value'], style: YamlScalar['style']): YamlScalar {
  return { kind: 'scalar', span, value, style };
}
