import type { Span } from '@levada/stream-sql';

/** A piece of a text, and the piece of the text before it that it was made from. Pieces follow each other without gaps. */
export interface TextPiece {
  readonly start: number;
  readonly length: number;
  readonly from: number;
  readonly fromLength: number;
  /** Character by character the same; any other piece stands for its origin as a whole. */
  readonly verbatim: boolean;
}

/** The span that a span of a made text comes from. An empty span stays empty. */
export function originOf(pieces: readonly TextPiece[], { start, end }: Span): Span {
  const first = pieceAt(pieces, start);
  if (first === undefined) return { start: 0, end: 0 };
  const from = within(first, start, 'start');
  if (end <= start) return { start: from, end: from };
  const last = pieceAt(pieces, end - 1) ?? first;
  return { start: from, end: Math.max(from, within(last, end, 'end')) };
}

/** The piece that holds a character; the last one for offsets beyond. */
function pieceAt(pieces: readonly TextPiece[], offset: number): TextPiece | undefined {
  let low = 0;
  let high = pieces.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((pieces[middle]?.start ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return pieces[low];
}

function within(piece: TextPiece, offset: number, edge: 'start' | 'end'): number {
  const { start, length, from, fromLength, verbatim } = piece;
  if (offset >= start + length) return from + fromLength;
  if (verbatim) return from + Math.max(0, offset - start);
  return edge === 'start' ? from : from + fromLength;
}

/** A text that grows by pieces. */
export interface MadeText {
  /** Adds a part, and where it comes from. Returns `fromLength`. */
  readonly push: (part: string, from: number, fromLength: number) => number;
  readonly result: () => { readonly text: string; readonly pieces: readonly TextPiece[] };
}

/** An empty text. Parts that are the same as their origin join when they follow each other; the caller gives equal lengths only for such. */
export function createPieces(): MadeText {
  const parts: string[] = [];
  const pieces: TextPiece[] = [];
  let length = 0;
  return {
    push: (part, from, fromLength) => {
      const verbatim = part.length === fromLength;
      const last = pieces.at(-1);
      if (verbatim && last?.verbatim === true && last.from + last.fromLength === from) {
        const joined = last.length + part.length;
        pieces[pieces.length - 1] = { ...last, length: joined, fromLength: joined };
      } else pieces.push({ start: length, length: part.length, from, fromLength, verbatim });
      parts.push(part);
      length += part.length;
      return fromLength;
    },
    result: () => ({ text: parts.join(''), pieces }),
  };
}
