/** A parsed pattern. */
export type PatternNode =
  | { readonly kind: 'character'; readonly matches: (code: number) => boolean }
  | { readonly kind: 'sequence'; readonly items: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly options: readonly PatternNode[] }
  | {
      readonly kind: 'repeat';
      readonly item: PatternNode;
      readonly min: number;
      readonly max: number;
      /** Prefers few repetitions to many, which changes what groups capture. */
      readonly lazy: boolean;
    }
  /** A group that captures, numbered from 1 in the order of opening parentheses. */
  | { readonly kind: 'group'; readonly number: number; readonly item: PatternNode }
  /** `$` at the end of the pattern. */
  | { readonly kind: 'text-end' };

/** A pattern and the groups that capture. */
export interface ParsedPattern {
  readonly root: PatternNode;
  readonly groups: number;
  /** Numbers of named groups. */
  readonly names: ReadonlyMap<string, number>;
}

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

/** Characters with a meaning of their own. Anchors are known at the ends only, and nowhere taken for characters. */
const special: ReadonlySet<string> = new Set('*+?{}[]()|^$');

/** Reads one pattern, from left to right. */
class PatternReader {
  readonly #source: string;
  readonly #names = new Map<string, number>();
  #groups = 0;
  #anyCase = false;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  pattern(): ParsedPattern {
    this.#anyCase = this.#takeText('(?i)');
    this.#take('^');
    const root = this.#choice(0);
    if (this.#at < this.#source.length) throw this.#error('unexpected )');
    return { root, groups: this.#groups, names: this.#names };
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
      if (next === '$' && this.#at === this.#source.length - 1) {
        this.#at += 1;
        items.push({ kind: 'text-end' });
      } else items.push(this.#repeated(this.#atom(depth)));
    }
    return { kind: 'sequence', items };
  }

  #atom(depth: number): PatternNode {
    if (this.#take('(')) return this.#group(depth);
    if (this.#take('.')) return { kind: 'character', matches: (code) => code !== 0x0a && code !== 0x0d };
    if (this.#take('[')) return { kind: 'character', matches: this.#cased(this.#set()) };
    return { kind: 'character', matches: this.#cased(this.#character(special)) };
  }

  /** After the opening parenthesis. */
  #group(depth: number): PatternNode {
    const captures = !this.#takeText('?:');
    const name = captures && this.#takeText('?<') ? this.#groupName() : undefined;
    if (captures && this.#peek() === '?')
      throw this.#error('only (...), (?:...) and (?<name>...) are groups, and (?i) only begins a pattern');
    if (captures) this.#groups += 1;
    const number = this.#groups;
    if (name !== undefined) this.#names.set(name, number);
    const item = this.#choice(depth + 1);
    if (!this.#take(')')) throw this.#error('missing )');
    return captures ? { kind: 'group', number, item } : item;
  }

  #groupName(): string {
    const [text, name = ''] = /^([A-Za-z][A-Za-z0-9]*)>/.exec(this.#source.slice(this.#at)) ?? [];
    if (text === undefined || this.#names.has(name)) throw this.#error('expected a new name of a group');
    this.#at += text.length;
    return name;
  }

  /** With `(?i)`, ASCII letters stand for both of their cases, as in Java. */
  #cased(test: Test): Test {
    if (!this.#anyCase) return test;
    const isLetter = any(within('a', 'z'), within('A', 'Z'));
    return (code) => test(code) || (isLetter(code) && test(code ^ 0x20));
  }

  #repeated(item: PatternNode): PatternNode {
    const bounds = this.#bounds();
    if (bounds === undefined) return item;
    const lazy = this.#take('?');
    if (this.#bounds() !== undefined) throw this.#error('repeated twice');
    return { kind: 'repeat', item, ...bounds, lazy };
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

  #takeText(text: string): boolean {
    if (!this.#source.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  #error(what: string): PatternError {
    return new PatternError(`${what} at position ${this.#at + 1}`);
  }
}

/** The structure of a pattern. Throws a {@link PatternError} that says what is wrong, and where. */
export function parsePattern(source: string): ParsedPattern {
  return new PatternReader(source).pattern();
}
