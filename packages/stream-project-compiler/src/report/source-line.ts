import { printable } from '../diagnostics/quote.ts';

/** A line of a file as terminals show it, and what to underline. */
export interface ShownLine {
  readonly text: string;
  /** Cells before the underlined part, and its own cells: at least one. */
  readonly indent: number;
  readonly width: number;
}

/** Columns from 1, half-open. */
export interface Columns {
  readonly start: number;
  readonly end: number;
}

const TAB = 4;
const MAX_LENGTH = 160;
const BEFORE = 60;

const wide =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\p{RI}\u3000-\u303E\uFF01-\uFF60\uFFE0-\uFFE6]/u;
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * The part of a line around the columns: tabs as blanks, wide characters as two cells, what does not print as escapes, long
 * lines cut.
 */
export function showLine(line: string, { start, end }: Columns): ShownLine {
  const from = cutBefore(line, start);
  const to = Math.min(line.length, from + MAX_LENGTH);
  const head = from > 0 ? '…' : '';
  let text = head;
  let cells = head.length;
  let indent: number | undefined;
  let stop: number | undefined;
  for (const { segment, index } of graphemes.segment(line.slice(from, to))) {
    const column = from + index + 1;
    if (indent === undefined && column + segment.length > start) indent = cells;
    if (stop === undefined && column >= end) stop = cells;
    const shown = shownSegment(segment, cells);
    text += shown.text;
    cells += shown.cells;
  }
  const first = indent ?? cells;
  const last = stop ?? cells;
  return { text: to < line.length ? `${text}…` : text, indent: first, width: Math.max(1, last - first) };
}

function cutBefore(line: string, start: number): number {
  if (line.length <= MAX_LENGTH || start <= BEFORE) return 0;
  const from = Math.min(start - BEFORE, line.length - BEFORE);
  const low = line.charCodeAt(from) & 0xfc00;
  return low === 0xdc00 ? from + 1 : from;
}

function shownSegment(segment: string, cells: number): { readonly text: string; readonly cells: number } {
  if (segment === '\t') {
    const blanks = TAB - (cells % TAB);
    return { text: ' '.repeat(blanks), cells: blanks };
  }
  const text = printable(segment);
  if (text !== segment) return { text, cells: text.length };
  if (/^\p{M}+$/u.test(segment)) return { text, cells: 0 };
  return { text, cells: wide.test(segment) || segment.includes('\uFE0F') ? 2 : 1 };
}
