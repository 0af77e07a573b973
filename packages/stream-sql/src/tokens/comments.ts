import { endOfLine, type Scanner } from './scanner.ts';

/**
 * Whether a comment starts here. The engine also accepts `//`; `/*+` starts a hint instead. `{# #}` is a comment of the macros
 * and never reaches the engine.
 */
export function startsComment(text: string, at: number): boolean {
  const next = text[at + 1];
  if (text[at] === '-') return next === '-';
  if (text[at] === '{') return next === '#';
  return text[at] === '/' && (next === '/' || (next === '*' && text[at + 2] !== '+'));
}

/** Ends of comments that may span lines. */
const CLOSE: Readonly<Record<string, string>> = { '/*': '*/', '{#': '#}' };

/** Reads a `#` comment of other dialects and YAML. Returns the offset of the end of the line. */
export function readForeignComment({ text, comments, report }: Scanner, start: number): number {
  report({
    code: 'sql-dialect',
    message: '"#" begins no comment in SQL, "--" was expected',
    hint: 'write -- in its place',
    fix: '--',
    start,
    end: start + 1,
  });
  const end = endOfLine(text, start);
  comments.push({ start, end });
  return end;
}

/** Reads a comment; returns the offset after it. */
export function readComment(scanner: Scanner, start: number): number {
  const { text, comments, report } = scanner;
  const close = CLOSE[text.slice(start, start + 2)];
  if (close === undefined) {
    const end = endOfLine(text, start);
    comments.push({ start, end });
    return end;
  }
  const found = text.indexOf(close, start + 2);
  const end = found < 0 ? text.length : found + 2;
  comments.push({ start, end });
  if (found < 0) {
    const message = `comment without its end, "${close}" was expected`;
    report({ code: 'sql-unterminated', message, start, end: start + 2 });
  }
  return end;
}
