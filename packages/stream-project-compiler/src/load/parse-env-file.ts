import { diagnose } from '../diagnostics/diagnose.ts';
import type { Diagnostic, StageResult } from '../diagnostics/diagnostic.ts';
import { rangeAt, type SourceFile } from '../text/source-file.ts';
import { loadCodes } from './load-codes.ts';

const start = /[ \t]*(?:export[ \t]+)?([A-Za-z_][A-Za-z0-9_]*)[ \t]*=/y;
const nothing = /[ \t]*(?:#[^\r\n]*)?(?=[\r\n]|$)/y;
const rest = /[^\r\n]*/y;
const control = /(?![\t\n\r])\p{Cc}/u;

/** The variables that a `.env` sets, and the mistakes in it. */
export interface ParsedEnvFile extends StageResult<ReadonlyMap<string, string>> {
  /** Names whose value cannot be read, which was reported as an error. */
  readonly broken: ReadonlySet<string>;
}

/**
 * Reads `.env`: `NAME=value` lines, with or without `export`, in no, single, double or back quotes. In double quotes `\n`, `\r`,
 * `\t`, `\"` and `\\` are escapes; quoted values may span lines. `#` begins a comment at the start of a line and after a blank.
 * Nothing is expanded or run: `$A` and `$(cmd)` are text. Of two values the last counts. Messages never hold a value.
 */
export function parseEnvFile(file: SourceFile): ParsedEnvFile {
  const values = new Map<string, string>();
  const broken = new Set<string>();
  const diagnostics: Diagnostic[] = [];
  const report = (name: keyof typeof loadCodes, span: { start: number; end: number }, message: string) => {
    diagnostics.push(diagnose(loadCodes[name], { message, range: rangeAt(file, span) }));
  };
  for (let at = 0; at < file.text.length; at = lineEnd(file.text, at)) {
    if (matchAt(nothing, file.text, at) !== undefined) continue;
    const found = matchAt(start, file.text, at);
    const line = { start: at, end: at + (matchAt(rest, file.text, at)?.[0].length ?? 0) };
    const name = found?.[1];
    if (found === undefined || name === undefined) {
      if (control.test(file.text.slice(line.start, line.end))) {
        report('env-character', line, 'the line contains a control character');
      } else report('env-line', line, 'the line sets no variable, expected NAME=value');
      at = line.end;
      continue;
    }
    const value = readEnvValue(file.text, at + found[0].length);
    at = value.end;
    const span = { start: line.start, end: value.end };
    if (value.kind === 'unterminated') {
      broken.add(name);
      report('env-quote', line, `unterminated quote in the value of "${name}"`);
    } else if (value.kind === 'followed') {
      report('env-line', span, `text follows the quoted value of "${name}", the line is ignored`);
    } else if (control.test(value.text)) {
      broken.add(name);
      report('env-character', span, `the value of "${name}" contains a control character`);
    } else {
      if (values.has(name))
        report('env-duplicate', line, `duplicate variable "${name}", the last value applies`);
      values.set(name, value.text);
    }
  }
  return { value: values, diagnostics, broken };
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}

/** Where the line after a place begins. */
function lineEnd(text: string, at: number): number {
  const end = at + (matchAt(rest, text, at)?.[0].length ?? 0);
  return text.startsWith('\r\n', end) ? end + 2 : end + 1;
}

/** A value of `.env`, and the offset after it (within its last line). */
type EnvValue =
  | { readonly kind: 'value'; readonly text: string; readonly end: number }
  /** Its quote has no end; `end` is that of its line. */
  | { readonly kind: 'unterminated'; readonly end: number }
  /** Text follows the closing quote on the same line. */
  | { readonly kind: 'followed'; readonly end: number };

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '"': '"', '\\': '\\', $: '$' };

/** Reads the value that begins after "=". */
function readEnvValue(text: string, from: number): EnvValue {
  let at = from;
  while (text[at] === ' ' || text[at] === '\t') at += 1;
  const quote = text[at];
  if (quote === '"' || quote === "'" || quote === '`') return quotedValue(text, at, quote);
  const end = endOfLine(text, at);
  const line = text.slice(at, end);
  const comment = at > from && line.startsWith('#') ? 0 : line.search(/[ \t]#/);
  return { kind: 'value', text: (comment === -1 ? line : line.slice(0, comment)).trimEnd(), end };
}

function quotedValue(text: string, start: number, quote: string): EnvValue {
  const close = closingQuote(text, start + 1, quote);
  if (close === -1) return { kind: 'unterminated', end: endOfLine(text, start) };
  const end = endOfLine(text, close);
  if (!/^[ \t]*(?:#.*)?$/.test(text.slice(close + 1, end))) return { kind: 'followed', end };
  const inner = text.slice(start + 1, close).replaceAll('\r\n', '\n');
  const value =
    quote === '"'
      ? inner.replaceAll(/\\([nrt"\\$])/g, (_, letter: string) => escapes[letter] ?? letter)
      : inner;
  return { kind: 'value', text: value, end };
}

function closingQuote(text: string, from: number, quote: string): number {
  let at = text.indexOf(quote, from);
  while (at !== -1 && quote === '"' && isEscaped(text, at, from)) at = text.indexOf(quote, at + 1);
  return at;
}

function isEscaped(text: string, at: number, from: number): boolean {
  let first = at;
  while (first > from && text[first - 1] === '\\') first -= 1;
  return (at - first) % 2 === 1;
}

function endOfLine(text: string, from: number): number {
  const found = text.slice(from).search(/[\r\n]/);
  return found === -1 ? text.length : from + found;
}
