import { isReservedWord } from '../text/reserved-words.ts';
import { continuesName, startsName } from './characters.ts';
import { endOfLine, type Scanner } from './scanner.ts';
import type { StringForm } from './token.ts';

/** End of a quoted text: after its closing quote, or where the search for it stopped. */
interface QuotedEnd {
  readonly end: number;
  readonly closed: boolean;
}

/** Strings may span lines. A string without a closing quote ends with its line. */
function endOfString(text: string, open: number): QuotedEnd {
  for (let at = text.indexOf("'", open + 1); at >= 0; at = text.indexOf("'", at + 2)) {
    if (text[at + 1] !== "'") return { end: at + 1, closed: true };
  }
  return { end: endOfLine(text, open), closed: false };
}

/** Names cannot span lines. A doubled quote stands for one. */
function endOfName(text: string, open: number): QuotedEnd {
  const quote = text[open];
  for (let at = open + 1; at < text.length; at++) {
    const character = text[at];
    if (character === '\n' || character === '\r') return { end: at, closed: false };
    if (character !== quote) continue;
    if (text[at + 1] !== quote) return { end: at + 1, closed: true };
    at++;
  }
  return { end: text.length, closed: false };
}

/** The text between the quotes, with doubled quotes made single. */
function content(text: string, open: number, { end, closed }: QuotedEnd): string {
  const quote = text[open] ?? '';
  return text.slice(open + 1, closed ? end - 1 : end).replaceAll(quote + quote, quote);
}

interface StringStart {
  /** At its prefix, if it has one. */
  readonly start: number;
  readonly open: number;
  readonly form: StringForm;
}

/**
 * End of a string that an apostrophe closed too early, as in `'it's'`: the apostrophe is between letters, and the line has one
 * quote too many. Reports it. A reserved word may follow a string directly, as in `'1'DAY`.
 */
function endAfterApostrophe({ text, report }: Scanner, open: number, end: number): QuotedEnd | undefined {
  const isInWord = continuesName(text[end - 2] ?? '') && startsName(text[end] ?? '') && end - 2 > open;
  if (!isInWord || isReservedWord(wordAt(text, end).toUpperCase())) return undefined;
  const rest = text.slice(end, Math.min(endOfLine(text, end), end + MAX_LINE));
  if ((rest.split("'").length - 1) % 2 === 0) return undefined;
  report({
    code: 'sql-unterminated',
    message: 'the quote within a word ends the string, two were expected',
    hint: "write '' for a quote inside of a string",
    fix: "''",
    start: end - 1,
    end,
  });
  return endOfString(text, end - 1);
}

function wordAt(text: string, start: number): string {
  let end = start;
  while (end - start < MAX_LINE && continuesName(text[end] ?? '')) end++;
  return text.slice(start, end);
}

/** The search on the rest of the line stops here, so that lines with many strings take linear time. */
const MAX_LINE = 500;

/** Reads `'…'`. Returns the offset after it. */
export function readString(scanner: Scanner, { start, open, form }: StringStart): number {
  const first = endOfString(scanner.text, open);
  const found = first.closed ? (endAfterApostrophe(scanner, open, first.end) ?? first) : first;
  const { end } = found;
  scanner.tokens.push({ kind: 'string', form, value: content(scanner.text, open, found), start, end });
  if (!found.closed) {
    scanner.report({
      code: 'sql-unterminated',
      message: 'string without its closing quote, "\'" was expected',
      hint: "a quote inside of a string is written twice: ''",
      start,
      end,
    });
  }
  return end;
}

/** Reads a name in backticks. Returns the offset after it. */
export function readQuotedName(scanner: Scanner, start: number): number {
  const found = endOfName(scanner.text, start);
  const { end } = found;
  const value = content(scanner.text, start, found);
  scanner.tokens.push({ kind: 'quoted', value, start, end });
  if (!found.closed) {
    scanner.report({
      code: 'sql-unterminated',
      message: 'quoted name without its closing backtick, "`" was expected on the same line',
      hint: 'a backtick inside of a name is written twice: ``',
      start,
      end,
    });
  } else if (value === '') {
    const message = 'empty name, one character at least was expected between the backticks';
    scanner.report({ code: 'sql-syntax', message, start, end });
  }
  return end;
}

/** Reads `"…"` of other dialects as a name, so that the rest can be parsed. Returns the offset after it. */
export function readDoubleQuoted(scanner: Scanner, start: number): number {
  const found = endOfName(scanner.text, start);
  const { end } = found;
  const value = content(scanner.text, start, found);
  scanner.tokens.push({ kind: 'quoted', value, start, end });
  scanner.report({
    code: 'sql-double-quotes',
    message: 'double quotes, which stand for neither a string nor a name',
    hint: `write '${value.replaceAll("'", "''")}' for a string, \`${value.replaceAll('`', '``')}\` for a name`,
    start,
    end,
  });
  return end;
}
