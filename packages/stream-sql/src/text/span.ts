/** A piece of the text: offsets in UTF-16 code units, half-open. */
export interface Span {
  readonly start: number;
  readonly end: number;
}
