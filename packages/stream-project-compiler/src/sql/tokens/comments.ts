import { endOfLine, type Scanner } from './scanner.ts';

/** Whether a comment starts here. The engine takes `//` for one as well, and `/*+` for the start of a hint. */
export function startsComment(text: string, at: number): boolean {
  const next = text[at + 1];
  if (text[at] === '-') return next === '-';
  return text[at] === '/' && (next === '/' || (next === '*' && text[at + 2] !== '+'));
}

/** Reads a comment; answers the offset behind it. */
export function readComment(scanner: Scanner, start: number): number {
  const { text, comments, report } = scanner;
  if (text[start + 1] !== '*') {
    const end = endOfLine(text, start);
    comments.push({ start, end });
    return end;
  }
  const close = text.indexOf('*/', start + 2);
  const end = close < 0 ? text.length : close + 2;
  comments.push({ start, end });
  if (close < 0) {
    const message = 'comment without its end, "*/" was expected';
    report({ code: 'sql-unterminated', message, start, end: start + 2 });
  }
  return end;
}
