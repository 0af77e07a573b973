import { BodyError } from './rest-error.ts';

/** A JSON value that still knows its kind and place, and numbers as they were written. */
export type JsonNode = { readonly at: number } & (
  | { readonly kind: 'object'; readonly entries: ReadonlyMap<string, JsonNode> }
  | { readonly kind: 'array'; readonly items: readonly JsonNode[] }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'number'; readonly text: string }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'null' }
);

/** Deepest nesting that is read. */
const MAX_DEPTH = 64;
/** Most keys of one object. */
const MAX_KEYS = 5000;

const numberToken = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const stringToken =
  /"[\x20\x21\x23-\x5b\x5d-\uffff]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[\x20\x21\x23-\x5b\x5d-\uffff]*)*"/y;
const blank = /[ \t\r\n]*/y;

/**
 * Reads RFC 8259 JSON, bounded in depth and keys. Of duplicate keys the last counts, as in Kafka Connect. Throws a {@link BodyError} that names line and
 * column.
 */
export function parseJson(text: string): JsonNode {
  const reader = new JsonReader(text);
  const node = reader.value(0);
  reader.end();
  return node;
}

class JsonReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(depth: number): JsonNode {
    this.#skipBlank();
    if (depth > MAX_DEPTH) throw this.#problem(`nesting is deeper than ${MAX_DEPTH} levels`);
    const at = this.#at;
    switch (this.#text.charAt(at)) {
      case '{':
        return { at, kind: 'object', entries: this.#object(depth) };
      case '[':
        return { at, kind: 'array', items: this.#array(depth) };
      case '"':
        return { at, kind: 'string', value: this.#string() };
      case 't':
        return this.#word('true', { at, kind: 'boolean', value: true });
      case 'f':
        return this.#word('false', { at, kind: 'boolean', value: false });
      case 'n':
        return this.#word('null', { at, kind: 'null' });
      default:
        return { at, kind: 'number', text: this.#token(numberToken) };
    }
  }

  end(): void {
    this.#skipBlank();
    if (this.#at < this.#text.length) throw this.#unexpected();
  }

  #object(depth: number): ReadonlyMap<string, JsonNode> {
    const entries = new Map<string, JsonNode>();
    let count = 0;
    this.#list('}', () => {
      const at = this.#at;
      const key = this.#string();
      count += 1;
      if (count > MAX_KEYS) throw this.#problem(`more than ${MAX_KEYS} keys in one object`, at);
      this.#skipBlank();
      this.#take(':');
      entries.set(key, this.value(depth + 1));
    });
    return entries;
  }

  #array(depth: number): readonly JsonNode[] {
    const items: JsonNode[] = [];
    this.#list(']', () => items.push(this.value(depth + 1)));
    return items;
  }

  #list(close: string, item: () => void): void {
    this.#at += 1;
    this.#skipBlank();
    if (this.#text[this.#at] === close) {
      this.#at += 1;
      return;
    }
    for (;;) {
      this.#skipBlank();
      item();
      this.#skipBlank();
      if (this.#text[this.#at] === close) break;
      this.#take(',');
    }
    this.#at += 1;
  }

  #string(): string {
    const value = JSON.parse(this.#token(stringToken)) as string;
    if (!value.isWellFormed()) throw this.#problem('half of a surrogate pair in a string');
    return value;
  }

  #word(word: string, node: JsonNode): JsonNode {
    if (!this.#text.startsWith(word, this.#at)) throw this.#unexpected();
    this.#at += word.length;
    return node;
  }

  #token(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const token = pattern.exec(this.#text)?.[0];
    if (token === undefined) throw this.#unexpected();
    this.#at += token.length;
    return token;
  }

  #take(char: string): void {
    if (this.#text[this.#at] !== char) throw this.#unexpected();
    this.#at += 1;
  }

  #skipBlank(): void {
    blank.lastIndex = this.#at;
    blank.exec(this.#text);
    this.#at = blank.lastIndex;
  }

  #unexpected(): BodyError {
    const char = this.#text[this.#at];
    if (char === undefined)
      return this.#problem('unexpected end of the body', this.#at, 'Unexpected end-of-input');
    const code = char.charCodeAt(0);
    const shown = code < 32 || code > 126 ? `(CTRL-CHAR, code ${code})` : `('${char}' (code ${code}))`;
    return this.#problem(
      `unexpected character ${shown}`,
      this.#at,
      `Unexpected character ${shown}: expected a valid value`,
    );
  }

  #problem(what: string, at = this.#at, strict = what): BodyError {
    return new BodyError(`request body is not valid JSON: ${what} at ${place(this.#text, at)}`, strict);
  }
}

/** `line L column C` of an index, both from 1. */
export function place(text: string, at: number): string {
  const before = text.slice(0, at);
  const line = before.split('\n').length;
  return `line ${line} column ${at - before.lastIndexOf('\n')}`;
}
