import { createPieces, type MadeText, type TextPiece } from './text-map.ts';

interface Line {
  readonly text: string;
  readonly offset: number;
}

/**
 * Where the text of a block scalar comes from, given the text: each line is the same as in the file, without indentation;
 * only what is between lines differs. Undefined when text and file do not match.
 */
export function blockPieces(
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
  value: string,
): { readonly text: string; readonly pieces: readonly TextPiece[] } | undefined {
  const lines = contentLines(text, start, end);
  const indent = indentOf(lines, value);
  const made = createPieces();
  let at = 0;
  let from = lines[0]?.offset ?? end;
  for (const line of lines) {
    const content = line.text.slice(indent);
    if (content === '') continue;
    const gap = gapAt(value, at, from === lines[0]?.offset);
    if (!value.startsWith(content, at + gap)) return undefined;
    if (gap > 0) made.push(value.slice(at, at + gap), from, line.offset + indent - from);
    at += gap;
    made.push(content, line.offset + indent, content.length);
    at += content.length;
    from = line.offset + line.text.length;
  }
  if (at < value.length) made.push(value.slice(at), from, Math.max(0, end - from));
  const result = made.result();
  return result.text === value ? result : undefined;
}

/** Between lines there is one blank, or nothing but line ends. */
function gapAt(value: string, at: number, first: boolean): number {
  let end = at;
  while (value[end] === '\n') end += 1;
  if (end > at) return end - at;
  return first ? 0 : 1;
}

function contentLines(text: string, start: number, end: number): readonly Line[] {
  const header = text.indexOf('\n', start);
  if (header === -1 || header >= end) return [];
  const lines: Line[] = [];
  for (let offset = header + 1; offset < end; ) {
    const next = text.indexOf('\n', offset);
    const stop = next === -1 || next > end ? end : next;
    lines.push({ text: text.slice(offset, text[stop - 1] === '\r' ? stop - 1 : stop), offset });
    offset = stop + 1;
  }
  return lines;
}

/** Blanks before each line that are no part of the text. */
function indentOf(lines: readonly Line[], value: string): number {
  const content = value.replace(/^\n+/, '');
  const first = lines.find(({ text }) => /[^ ]/.test(text));
  if (first === undefined || content === '') return Math.max(0, ...lines.map(({ text }) => text.length));
  const blanks = first.text.search(/[^ ]/);
  for (let indent = 0; indent < blanks; indent += 1) {
    if (content.startsWith(first.text.slice(indent))) return indent;
  }
  return blanks;
}

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
