import type { ReportSql, SqlDiagnostic } from '../text/sql-diagnostic.ts';
import type { SymbolToken, Token } from '../tokens/token.ts';
import type { Identifier } from '../tree/names.ts';

/** Maximum nesting of parentheses, subqueries and operators. The rest of a deeper text is not parsed. */
export const MAX_SQL_DEPTH = 256;

/**
 * Maximum height of a tree. A chain of operators (`a + b + …`) adds height without nesting. Code that walks a tree recursively
 * can rely on it.
 */
export const MAX_SQL_HEIGHT = 1_500;

/** A position in the tokens of one text, and the state that the parser's functions share. */
export class TokenCursor {
  readonly #tokens: readonly Token[];
  readonly #report: ReportSql;
  /** Unquoted names that earlier versions of the engine reserve. */
  readonly earlierReserved: Identifier[] = [];
  #index = 0;
  #lastEnd = 0;
  #depth = 0;
  #height = 0;
  #failedAt = -1;
  #gaveUp = false;

  constructor(tokens: readonly Token[], report: ReportSql) {
    this.#tokens = tokens;
    this.#report = report;
  }

  get token(): Token {
    return this.peek(0);
  }

  /** Number of tokens passed. */
  get index(): number {
    return this.#index;
  }

  /** End of the last token passed. */
  get lastEnd(): number {
    return this.#lastEnd;
  }

  /** A token ahead of the cursor, or behind it. Beyond the text, the end token. */
  peek(distance: number): Token {
    const token = this.#tokens[this.#index + distance] ?? this.#tokens.at(-1);
    if (token === undefined) throw new Error('a text has one token at least, its end');
    return token;
  }

  /** Passes the current token. */
  advance(): Token {
    const { token } = this;
    this.#lastEnd = token.end;
    if (token.kind !== 'end') this.#index++;
    return token;
  }

  /** Whether these keywords come next. */
  atWords(...keywords: readonly string[]): boolean {
    for (let distance = 0; distance < keywords.length; distance++) {
      if (!this.isWord(distance, keywords[distance] ?? '')) return false;
    }
    return true;
  }

  isWord(distance: number, keyword: string): boolean {
    const token = this.peek(distance);
    return token.kind === 'word' && token.keyword === keyword;
  }

  /** Passes these keywords if they come next. */
  takeWords(...keywords: readonly string[]): boolean {
    if (!this.atWords(...keywords)) return false;
    for (let passed = 0; passed < keywords.length; passed++) this.advance();
    return true;
  }

  /** Passes the first of these keywords that comes next. */
  takeOneOf<T extends string>(keywords: readonly T[]): T | undefined {
    const { token } = this;
    if (token.kind !== 'word' || token.keyword === '') return undefined;
    return keywords.find((words) => words.startsWith(token.keyword) && this.takeWords(...words.split(' ')));
  }

  /** Passes these keywords, or reports what was found instead. */
  expectWords(...keywords: readonly string[]): boolean {
    const taken = this.takeWords(...keywords);
    if (!taken) this.fail(keywords.join(' '));
    return taken;
  }

  atSymbol(symbol: string, distance = 0): boolean {
    const token = this.peek(distance);
    return token.kind === 'symbol' && token.value === symbol;
  }

  takeSymbol(symbol: string): boolean {
    if (!this.atSymbol(symbol)) return false;
    this.advance();
    return true;
  }

  /** Passes this symbol, or reports what was found instead. */
  expectSymbol(symbol: SymbolToken['value']): boolean {
    const taken = this.takeSymbol(symbol);
    if (!taken) this.fail(`"${symbol}"`);
    return taken;
  }

  /**
   * Reports that something else was expected in place of the current token. Reports once for each token, because the callers of a
   * failed function would report the same place again.
   */
  fail(expected: string, hint?: string): void {
    const { token } = this;
    if (token.kind === 'invalid') this.#failedAt = this.#index;
    const shown = token.kind === 'end' ? 'end of the text' : `"${shortenToken(token)}"`;
    this.report({
      code: 'sql-syntax',
      message: `unexpected ${shown}, ${expected} was expected`,
      ...(hint === undefined ? {} : { hint }),
      start: token.start,
      end: token.end,
    });
  }

  /** Reports, unless the current token has been reported already. */
  report(diagnostic: SqlDiagnostic): void {
    if (this.#gaveUp || this.#failedAt === this.#index) return;
    this.#failedAt = this.#index;
    this.#report(diagnostic);
  }

  /** Reports a problem that does not stop parsing. */
  warnOf(diagnostic: SqlDiagnostic): void {
    if (!this.#gaveUp) this.#report(diagnostic);
  }

  /** Whether the last report was about the current token. */
  get failedHere(): boolean {
    return this.#gaveUp || this.#failedAt === this.#index;
  }

  /** Parses one level deeper. Gives the text up if it is too deep or its tree is too high. */
  parseNested<T>(parse: () => T): T {
    const heightBeside = this.#height;
    this.#height = 0;
    this.#depth++;
    if (this.#depth > MAX_SQL_DEPTH) this.#giveUp(`nesting deeper than ${MAX_SQL_DEPTH} levels`);
    const result = parse();
    this.#depth--;
    this.#height = Math.max(heightBeside, this.#height + 1);
    return result;
  }

  /** Adds the height of a node that has just been made above all others of this level. */
  grow(): void {
    this.#height++;
    if (this.#height > MAX_SQL_HEIGHT) this.#giveUp(`more than ${MAX_SQL_HEIGHT} operators in a row`);
  }

  #giveUp(message: string): void {
    if (this.#gaveUp) return;
    const { start, end } = this.token;
    this.#report({
      code: 'sql-too-deep',
      message: `${message}, the rest of the text is not read`,
      start,
      end,
    });
    this.#gaveUp = true;
    this.#index = this.#tokens.length - 1;
  }
}

function shortenToken({ kind, value }: Token): string {
  const text = value.length > 40 ? `${value.slice(0, 40)}…` : value;
  if (kind === 'string') return `'${text}'`;
  return kind === 'macro' ? `{{ ${text} }}` : text.replaceAll(/\s+/g, ' ');
}
