/** A parsed pattern. */
export type PatternNode =
  | { readonly kind: 'character'; readonly matches: (code: number) => boolean }
  | { readonly kind: 'sequence'; readonly items: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly options: readonly PatternNode[] }
  | { readonly kind: 'repeat'; readonly item: PatternNode; readonly min: number; readonly max: number };

/** Says where a pattern is wrong. */
export class PatternError extends Error {}

/** Groups within groups that a pattern may have. */
const MAX_NESTING = 50;

/** Highest count in braces. */
const MAX_COUNT = 1000;

type Test = (code: number) => boolean;

const within = (from: string, to: string): Test => {
  const [low, high] = [from.charCodeAt(0), to.charCodeAt(0)];
  return (code) => code >= low && code <= high;
};
const any =
  (...tests: readonly Test[]): Test =>
  (code) =>
    tests.some((test) => test(code));
const not =
  (test: Test): Test =>
  (code) =>
    !test(code);
const exactly =
  (wanted: number): Test =>
  (code) =>
    code === wanted;

const digit = within('0', '9');
const word = any(within('a', 'z'), within('A', 'Z'), digit, exactly(0x5f));
const space = any(exactly(0x20), within('\t', '\r'));

/** Escapes that stand for a set; any other escaped character that is not a letter or digit stands for itself. */
const classes: ReadonlyMap<string, Test> = new Map([
  ['d', digit],
  ['D', not(digit)],
  ['w', word],
  ['W', not(word)],
  ['s', space],
  ['S', not(space)],
  ['t', exactly(0x09)],
  ['n', exactly(0x0a)],
  ['r', exactly(0x0d)],
]);

const special: ReadonlySet<string> = new Set(['*', '+', '?', '{', '}', '[', ']', '(', ')', '|']);

/** Reads one pattern, from left to right. */
class PatternReader {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  pattern(): PatternNode {
    this.#take('^');
    const node = this.#choice(0);
    if (this.#at < this.#source.length) throw this.#error('unexpected )');
    return node;
  }

  #choice(depth: number): PatternNode {
    if (depth > MAX_NESTING) throw this.#error(`groups nested deeper than ${MAX_NESTING}`);
    const options = [this.#sequence(depth)];
    while (this.#take('|')) options.push(this.#sequence(depth));
    return { kind: 'choice', options };
  }

  #sequence(depth: number): PatternNode {
    const items: PatternNode[] = [];
    for (let next = this.#peek(); next !== undefined && next !== '|' && next !== ')'; next = this.#peek()) {
      if (next === '$' && this.#at === this.#source.length - 1) this.#at += 1;
      else items.push(this.#repeated(this.#atom(depth)));
    }
    return { kind: 'sequence', items };
  }

  #atom(depth: number): PatternNode {
    if (this.#take('(')) {
      if (this.#take('?') && !this.#take(':')) throw this.#error('only (...) and (?:...) are groups');
      const node = this.#choice(depth + 1);
      if (!this.#take(')')) throw this.#error('missing )');
      return node;
    }
    if (this.#take('.')) return { kind: 'character', matches: (code) => code !== 0x0a && code !== 0x0d };
    if (this.#take('[')) return { kind: 'character', matches: this.#set() };
    return { kind: 'character', matches: this.#character(special) };
  }

  #repeated(item: PatternNode): PatternNode {
    const bounds = this.#bounds();
    if (bounds === undefined) return item;
    // Being lazy changes what a group captures, never whether the whole text fits.
    this.#take('?');
    if (this.#bounds() !== undefined) throw this.#error('repeated twice');
    return { kind: 'repeat', item, ...bounds };
  }

  #bounds(): { readonly min: number; readonly max: number } | undefined {
    if (this.#take('*')) return { min: 0, max: Number.POSITIVE_INFINITY };
    if (this.#take('+')) return { min: 1, max: Number.POSITIVE_INFINITY };
    if (this.#take('?')) return { min: 0, max: 1 };
    if (this.#peek() !== '{') return undefined;
    const [text, low = '', comma, high = ''] =
      /^\{(\d{1,4})(,)?(\d{1,4})?\}/.exec(this.#source.slice(this.#at, this.#at + 12)) ?? [];
    if (text === undefined) throw this.#error('expected {n}, {n,} or {n,m}');
    this.#at += text.length;
    const min = Number(low);
    const max = comma === undefined ? min : high === '' ? Number.POSITIVE_INFINITY : Number(high);
    if (min > MAX_COUNT || (max > MAX_COUNT && max !== Number.POSITIVE_INFINITY) || min > max) {
      throw this.#error(`counts must be in order and at most ${MAX_COUNT}`);
    }
    return { min, max };
  }

  #set(): Test {
    const negated = this.#take('^');
    const tests: Test[] = [];
    while (tests.length === 0 || this.#peek() !== ']') {
      if (this.#peek() === undefined) throw this.#error('missing ]');
      if (this.#peek() === '[' || this.#source.startsWith('&&', this.#at)) {
        throw this.#error('sets within sets are not supported, write \\[ or \\&');
      }
      tests.push(this.#setItem());
    }
    this.#at += 1;
    return negated ? not(any(...tests)) : any(...tests);
  }

  #setItem(): Test {
    const from = this.#peek();
    const test = this.#character(new Set());
    const isRange = this.#peek() === '-' && (this.#source[this.#at + 1] ?? ']') !== ']';
    if (!isRange || from === undefined || from === '\\') return test;
    this.#at += 1;
    const to = this.#peek();
    if (to === undefined || to === '\\' || to < from) throw this.#error('expected a range such as a-z');
    this.#at += 1;
    return within(from, to);
  }

  #character(refused: ReadonlySet<string>): Test {
    const next = this.#peek();
    if (next === undefined || refused.has(next)) throw this.#error(`unexpected ${next ?? 'end'}`);
    this.#at += 1;
    if (next !== '\\') return exactly(next.charCodeAt(0));
    const escaped = this.#peek();
    if (escaped === undefined) throw this.#error('nothing after \\');
    this.#at += 1;
    const known = classes.get(escaped);
    if (known === undefined && /[A-Za-z0-9]/.test(escaped))
      throw this.#error(`\\${escaped} is not supported`);
    return known ?? exactly(escaped.charCodeAt(0));
  }

  #peek(): string | undefined {
    return this.#source[this.#at];
  }

  #take(character: string): boolean {
    if (this.#source[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  #error(what: string): PatternError {
    return new PatternError(`${what} at position ${this.#at + 1}`);
  }
}

/** The structure of a pattern. Throws a {@link PatternError} that says what is wrong, and where. */
export function parsePattern(source: string): PatternNode {
  return new PatternReader(source).pattern();
}
