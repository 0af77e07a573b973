import { createSqlReport, type ReportSql, type SqlDiagnostic } from '../text/sql-diagnostic.ts';
import { continuesName, isDigit, isSpace, showCharacter, startsName } from './characters.ts';
import { readComment, readForeignComment, startsComment } from './comments.ts';
import { readTemplate, startsTemplate } from './macros.ts';
import { readDoubleQuoted, readQuotedName, readString } from './quoted-text.ts';
import type { Scanner } from './scanner.ts';
import { readSymbol } from './symbols.ts';
import type { StringForm, TokenizedSql } from './token.ts';

/**
 * Maximum number of tokens of one text. Real queries have less than a tenth. Each token takes some hundred bytes until the query
 * is parsed.
 */
export const MAX_SQL_TOKENS = 100_000;

/**
 * Splits a text into tokens of the engine's dialect, in linear time. Never throws: an invalid character is reported and becomes a
 * token of kind `invalid`.
 */
export function tokenizeSql(text: string): TokenizedSql & { readonly diagnostics: readonly SqlDiagnostic[] } {
  const { diagnostics, report } = createSqlReport();
  const { tokens, comments } = tokenize(text, report);
  return { tokens, comments, diagnostics };
}

/** As above, for a caller that collects diagnostics itself. `complete` is false if the text has too many tokens. */
export function tokenize(text: string, report: ReportSql): TokenizedSql & { readonly complete: boolean } {
  const scanner: Scanner = { text, tokens: [], comments: [], report };
  const { tokens, comments } = scanner;
  let at = 0;
  while (at < text.length && tokens.length <= MAX_SQL_TOKENS) at = readNext(scanner, at);
  const complete = tokens.length <= MAX_SQL_TOKENS;
  if (!complete) {
    const message = `more than ${MAX_SQL_TOKENS.toLocaleString('en')} words and symbols, the text is not read`;
    report({ code: 'sql-too-long', message, start: at, end: at });
  }
  tokens.push({ kind: 'end', value: '', start: text.length, end: text.length });
  return { tokens, comments, complete };
}

/** Reads white space, a comment or a token at `at`. Returns the offset after it, which is always greater. */
function readNext(scanner: Scanner, at: number): number {
  const { text } = scanner;
  const character = text[at] ?? '';
  if (isSpace(character)) return at + 1;
  if (startsName(character)) return readWord(scanner, at);
  if (isDigit(character) || (character === '.' && isDigit(text[at + 1]))) return readNumber(scanner, at);
  if (character === "'") return readString(scanner, { start: at, open: at, form: 'plain' });
  if (character === '`') return readQuotedName(scanner, at);
  if (character === '"') return readDoubleQuoted(scanner, at);
  if (startsComment(text, at)) return readComment(scanner, at);
  if (character === '#') return readForeignComment(scanner, at);
  if (startsTemplate(text, at)) return readTemplate(scanner, at);
  return readSymbol(scanner, at) ?? readInvalid(scanner, at);
}

const ASCII = /^[\w$]*$/;

function readWord(scanner: Scanner, start: number): number {
  const { text, tokens } = scanner;
  let end = start + 1;
  while (end < text.length && continuesName(text[end] ?? '')) end++;
  const value = text.slice(start, end);
  // JavaCC prefers the longer match: N'a' is one token, but n 'a' are two
  const form = text[end] === "'" ? stringForm(value) : undefined;
  if (form !== undefined) return readString(scanner, { start, open: end, form });
  if (text[end] === '&' && text[end + 1] === "'" && /^u$/i.test(value)) {
    return readString(scanner, { start, open: end + 1, form: 'unicode' });
  }
  tokens.push({ kind: 'word', value, keyword: ASCII.test(value) ? value.toUpperCase() : '', start, end });
  return end;
}

function stringForm(prefix: string): StringForm | undefined {
  if (/^n$/i.test(prefix)) return 'national';
  if (/^x$/i.test(prefix)) return 'binary';
  return /^_[\w:.-]+$/.test(prefix) ? 'charset' : undefined;
}

/** A run of invalid characters is one mistake. */
function readInvalid(scanner: Scanner, start: number): number {
  const { text, tokens, report } = scanner;
  const character = String.fromCodePoint(text.codePointAt(start) ?? 0);
  let end = start + character.length;
  while (text.startsWith(character, end)) end += character.length;
  const space = /\s|\u200b|\u2060|\ufeff/.test(character);
  // Characters that look like a space, or are invisible, were meant as space
  if (!space) tokens.push({ kind: 'invalid', value: text.slice(start, end), start, end });
  report({
    code: 'sql-character',
    message: `character ${showCharacter(character)}, which has no meaning here`,
    ...hintFor(character, space),
    start,
    end,
  });
  return end;
}

function hintFor(character: string, space: boolean): { hint?: string } {
  if (space) return { hint: 'put a space in its place, or nothing' };
  return /[\u2018\u2019\u201a\u201c\u201d\u00b4]/.test(character)
    ? { hint: "write a straight quote: '" }
    : {};
}

/** Reads `1`, `1.5`, `.5`, `1.` or `1e-3`. Returns the offset after it. */
function readNumber(scanner: Scanner, start: number): number {
  const { text, tokens } = scanner;
  let end = digitsEnd(text, start);
  let form: 'integer' | 'decimal' | 'approximate' = 'integer';
  if (text[end] === '.' && text[end + 1] !== '.') {
    form = 'decimal';
    end = digitsEnd(text, end + 1);
  }
  const exponent = exponentEnd(text, end);
  if (exponent !== undefined) {
    form = 'approximate';
    end = exponent;
  }
  tokens.push({ kind: 'number', form, value: text.slice(start, end), start, end });
  return end;
}

function digitsEnd(text: string, at: number): number {
  let end = at;
  while (isDigit(text[end])) end++;
  return end;
}

function exponentEnd(text: string, at: number): number | undefined {
  if (text[at] !== 'e' && text[at] !== 'E') return undefined;
  const sign = text[at + 1] === '+' || text[at + 1] === '-' ? 1 : 0;
  return isDigit(text[at + 1 + sign]) ? digitsEnd(text, at + 1 + sign) : undefined;
}
