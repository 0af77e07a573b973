import type { TextPiece } from '../text/text-map.ts';

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
