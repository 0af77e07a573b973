import type { Span } from '@levada/stream-sql';
import { type CST, Lexer, Parser } from 'yaml';
import type { ParseReport } from './read-context.ts';

/** Bounds of one file. */
export const yamlLimits = {
  /** Lists and maps within each other. */
  depth: 64,
  lines: 500_000,
  /** Keys, values, punctuation, comments, blanks and line ends. */
  tokens: 850_000,
  /** Signs that make entries of lists and maps, each of which takes several hundred bytes. */
  entries: 300_000,
  /** Values that aliases and merge keys stand for. */
  aliased: 100_000,
} as const;

/** The first document's tokens, and comments that speak to the compiler. */
export interface YamlTokens {
  readonly tokens: readonly CST.Token[];
  /** How many pieces the file has, as `yamlLimits.tokens` counts them. */
  readonly count: number;
  readonly comments: readonly Span[];
  /** Nothing follows the first document; if something does, that was reported. */
  readonly whole: boolean;
}

/** What the lexer sends before the text of a scalar. */
const SCALAR = '\u001F';
const collections: ReadonlySet<string> = new Set(['block-map', 'block-seq', 'flow-collection']);
const entrySigns: ReadonlySet<string> = new Set(['-', '?', ':', ',', '[', '{']);
/** Made when it is needed: how numbers are written in a language takes 10 ms to find out. */
const tooMany = () =>
  `the file has too many values, expected at most ${yamlLimits.tokens.toLocaleString('en')} keys, values and punctuation marks, and ${yamlLimits.entries.toLocaleString('en')} entries`;
const MAX_CHARACTERS_REPORTED = 10;

const forbidden = /(?![\t\n\r\u0085])\p{Cc}|[\uFFFE\uFFFF]|\r(?!\n)/gu;

/**
 * Splits a file into the library's tokens, up to the bounds of depth and number: what composes the tokens into values
 * recurses, and on some versions of Node dies of deep nesting. Undefined when a bound or a forbidden character was reported.
 */
export function readYamlTokens(text: string, report: ParseReport): YamlTokens | undefined {
  if (hasForbiddenCharacter(text, report) || hasTooManyLines(text, report)) return undefined;
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  const comments: Span[] = [];
  let count = 0;
  let entries = 0;
  let previous = '';
  for (const lexeme of new Lexer().lex(text)) {
    const start = parser.offset;
    if (lexeme.startsWith('#') && previous !== SCALAR && lexeme.includes('levada-disable')) {
      comments.push({ start, end: start + lexeme.length });
    }
    for (const token of parser.next(lexeme)) tokens.push(token);
    count += 1;
    if (isTooDeep(parser.stack)) {
      const message = `nesting deeper than ${yamlLimits.depth}`;
      report.add('yaml-too-deep', { span: { start, end: start + 1 }, message });
      return undefined;
    }
    if (entrySigns.has(lexeme) && previous !== SCALAR) entries += 1;
    if (count > yamlLimits.tokens || entries > yamlLimits.entries) {
      report.add('yaml-too-many', { span: { start, end: start }, message: tooMany() });
      return undefined;
    }
    previous = lexeme;
  }
  for (const token of parser.end()) tokens.push(token);
  const kept = firstDocument(tokens, text, report);
  return { tokens: kept, count, comments, whole: kept.at(-1) === tokens.at(-1) };
}

function isTooDeep(stack: readonly CST.Token[]): boolean {
  if (stack.length <= yamlLimits.depth) return false;
  return stack.filter(({ type }) => collections.has(type)).length > yamlLimits.depth;
}

function hasForbiddenCharacter(text: string, report: ParseReport): boolean {
  let found = 0;
  for (const match of text.matchAll(forbidden)) {
    found += 1;
    const span = { start: match.index, end: match.index + 1 };
    const code = match[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    const what = match[0] === '\r' ? 'a line end of CR alone' : `the control character U+${code}`;
    report.add('yaml-character', { span, message: `the file contains ${what}, which YAML does not allow` });
    if (found === MAX_CHARACTERS_REPORTED) break;
  }
  return found > 0;
}

/** Lines cost nothing to count and much to read. */
function hasTooManyLines(text: string, report: ParseReport): boolean {
  let lines = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    lines += 1;
    if (lines <= yamlLimits.lines) continue;
    const message = `the file has more than ${yamlLimits.lines.toLocaleString('en')} lines`;
    report.add('yaml-too-many', { span: { start: at, end: at }, message });
    return true;
  }
  return false;
}

/** Without directives that change the meaning, and without what follows the first document. */
function firstDocument(
  tokens: readonly CST.Token[],
  text: string,
  report: ParseReport,
): readonly CST.Token[] {
  const kept: CST.Token[] = [];
  let documents = 0;
  for (const token of tokens) {
    if (token.type === 'directive' && documents === 0 && !keepsMeaning(token.source)) {
      const span = { start: token.offset, end: token.offset + token.source.length };
      report.add('yaml-version', { span, message: 'the directive is not supported, files are YAML 1.2' });
      continue;
    }
    if (token.type === 'document') documents += 1;
    if (documents > 1) {
      const start = token.offset;
      const span = { start, end: Math.min(start + 3, text.length) };
      report.add('yaml-documents', { span, message: 'a second document begins here, expected one document' });
      break;
    }
    kept.push(token);
  }
  return kept;
}

function keepsMeaning(directive: string): boolean {
  return /^%(?:YAML[ \t]+1\.2|TAG[ \t])/.test(directive);
}
