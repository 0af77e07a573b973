import type { TextPiece } from '../text/text-map.ts';
import { createPieces, type MadeText } from './made-text.ts';

const fold = /[ \t]*(?:\r?\n[ \t]*)+/y;
const escapedBreak = /\\(?:\r?\n[ \t]*)+/y;
const escapeSequence = /\\(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|[^\r\n])/y;
const run = /[^ \t\r\n\\']+|[ \t]+|[\\']/y;

const escapes: Readonly<Record<string, string>> = {
  '0': '\0',
  a: '\u0007',
  b: '\b',
  t: '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
  e: '\u001B',
  N: '\u0085',
  _: '\u00A0',
  L: '\u2028',
  P: '\u2029',
};

/** The text of a plain or quoted scalar, made from the characters between `start` and `end` of a file, quotes left out. */
export function flowPieces(
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
  style: 'plain' | 'single' | 'double',
): { readonly text: string; readonly pieces: readonly TextPiece[] } {
  const made = createPieces();
  const until = text.slice(0, end);
  for (let at = start; at < end; ) at += step(made, until, at, style);
  return made.result();
}

function step(made: MadeText, text: string, at: number, style: string): number {
  const folded = matchAt(fold, text, at);
  if (folded !== undefined) return made.push(broken(folded), at, folded.length);
  if (style === 'double' && text[at] === '\\') {
    const joined = matchAt(escapedBreak, text, at);
    if (joined !== undefined) return made.push('\n'.repeat(breaks(joined) - 1), at, joined.length);
    const escaped = matchAt(escapeSequence, text, at) ?? '\\';
    return made.push(unescaped(escaped), at, escaped.length);
  }
  if (style === 'single' && text.startsWith("''", at)) return made.push("'", at, 2);
  const same = matchAt(run, text, at) ?? text.charAt(at);
  return made.push(same, at, same.length);
}

/** One line break is a blank; of several, the first is dropped. */
function broken(folded: string): string {
  const count = breaks(folded);
  return count === 1 ? ' ' : '\n'.repeat(count - 1);
}

function breaks(text: string): number {
  return text.split('\n').length - 1;
}

function unescaped(escaped: string): string {
  const letter = escaped.charAt(1);
  if (letter === 'x' || letter === 'u' || letter === 'U') {
    const code = Number.parseInt(escaped.slice(2), 16);
    return Number.isNaN(code) || code > 0x10ffff ? '' : String.fromCodePoint(code);
  }
  return escapes[letter] ?? letter;
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}
