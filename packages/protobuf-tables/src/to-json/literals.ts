/** Position of a text in the literals: its first word, and its size in bytes. */
export interface Literal {
  readonly word: number;
  readonly size: number;
}

/**
 * Texts that are written often, padded to words of eight bytes, so that they are copied as doubles. No word of valid UTF-8 is a
 * NaN, which a copy might change: the byte after a leading byte of four is never 0x7f or above 0xbf.
 */
export class Literals {
  readonly #known = new Map<string, Literal>();
  readonly #chunks: Buffer[] = [];
  #words = 0;

  /** The position of a text, which is added if it is new. */
  add(text: string): Literal {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const bytes = Buffer.from(text);
    const padded = Buffer.alloc((bytes.length + 7) & ~7);
    bytes.copy(padded);
    const literal = { word: this.#words, size: bytes.length };
    this.#known.set(text, literal);
    this.#chunks.push(padded);
    this.#words += padded.length / 8;
    return literal;
  }

  words(): Float64Array {
    const words = new Float64Array(this.#words);
    Buffer.from(words.buffer).set(Buffer.concat(this.#chunks));
    return words;
  }
}
