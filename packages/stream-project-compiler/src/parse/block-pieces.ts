import type { TextPiece } from '../text/text-map.ts';
import { createPieces } from './made-text.ts';

interface Line {
  readonly text: string;
  readonly offset: number;
}

/**
 * Where the text of a block scalar comes from, given what it is: each line stands in it as in the file, without indentation;
 * only what is between lines differs. Undefined when text and file do not fit together.
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
