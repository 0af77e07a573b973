const delimiters: ReadonlySet<string> = new Set([':', ',', '{', '}', '[', ']', '"']);

/**
 * A literal as tokens: each delimiter without a backslash, and the texts between delimiters. Corresponds to the parser of
 * Connect's `Values`.
 */
export class LiteralTokens {
  readonly original: string;
  #at = 0;
  #next: string | undefined;
  #previous: string | undefined;

  constructor(original: string) {
    this.original = original;
  }

  get hasNext(): boolean {
    return this.#next !== undefined || this.#at < this.original.length;
  }

  /** The last token. */
  get previous(): string | undefined {
    return this.#previous;
  }

  /** The current position, for a later rewind. */
  mark(): number {
    return this.#at - (this.#next?.length ?? 0);
  }

  rewindTo(mark: number): void {
    this.#at = mark;
    this.#next = undefined;
    this.#previous = undefined;
  }

  next(): string {
    const token = this.#next ?? this.#read();
    this.#previous = token;
    this.#next = undefined;
    return token;
  }

  /** The text of the next tokens. Undefined, without reading any, if there are fewer. */
  take(count: number): string | undefined {
    const begin = this.mark();
    for (let i = 0; i < count; i += 1) {
      if (!this.hasNext) {
        this.rewindTo(begin);
        return undefined;
      }
      this.next();
    }
    return this.original.slice(begin, this.#at);
  }

  /** Reads the next token if it is the expected one, ignoring blanks around it. */
  consume(expected: string): boolean {
    if (!this.hasNext) return false;
    this.#next ??= this.#read();
    while (this.#next.trim() === '' && this.#at < this.original.length) this.#next = this.#read();
    if (this.#next.trim() !== expected) return false;
    this.#next = undefined;
    return true;
  }

  #read(): string {
    const begin = this.#at;
    let escaped = false;
    for (; this.#at < this.original.length; this.#at += 1) {
      const character = this.original[this.#at] as string;
      if (delimiters.has(character) && !escaped) {
        if (begin === this.#at) this.#at += 1;
        break;
      }
      escaped = character === '\\' && !escaped;
    }
    return this.original.slice(begin, this.#at);
  }
}
