import type { Span } from '../text/span.ts';

/** Prefix of a string literal: `'a'`, `N'a'`, `U&'a'`, `_utf8'a'`, `X'0A'`. */
export type StringForm = 'plain' | 'national' | 'unicode' | 'charset' | 'binary';

/** `1`, `1.5`, `1e3`. */
export type NumberForm = 'integer' | 'decimal' | 'approximate';

/** An unquoted word: a keyword or a name. */
export interface WordToken extends Span {
  readonly kind: 'word';
  /** As written. */
  readonly value: string;
  /** In upper case, for comparison with keywords. Empty for words with letters beyond ASCII, which are never keywords. */
  readonly keyword: string;
}

/** A name in backticks. */
export interface QuotedToken extends Span {
  readonly kind: 'quoted';
  /** Without the backticks; doubled ones are made single. */
  readonly value: string;
}

export interface StringToken extends Span {
  readonly kind: 'string';
  readonly form: StringForm;
  /** Without the quotes; doubled ones are made single. `U&` escapes are not decoded. */
  readonly value: string;
}

export interface NumberToken extends Span {
  readonly kind: 'number';
  readonly form: NumberForm;
  /** As written. */
  readonly value: string;
}

/** An operator or mark, including `/*+` and the end of a hint. */
export interface SymbolToken extends Span {
  readonly kind: 'symbol';
  readonly value: string;
}

/** `{{ source("orders") }}` or `{{ ref("orders") }}`. */
export interface MacroToken extends Span {
  readonly kind: 'macro';
  readonly macro: 'source' | 'ref';
  /** The name between the quotes. */
  readonly value: string;
  readonly nameStart: number;
  readonly nameEnd: number;
}

/** Text that is not a token. It has been reported. */
export interface InvalidToken extends Span {
  readonly kind: 'invalid';
  readonly value: string;
}

/** Empty, at the end of the text. */
export interface EndToken extends Span {
  readonly kind: 'end';
  readonly value: '';
}

export type Token =
  | WordToken
  | QuotedToken
  | StringToken
  | NumberToken
  | SymbolToken
  | MacroToken
  | InvalidToken
  | EndToken;

/** The tokens of a text and its comments. */
export interface TokenizedSql<T extends Token = Token> {
  /** In order of the text. The last one has the kind `end`. */
  readonly tokens: readonly T[];
  /** Every comment with its marks, in order of the text. Hints are not comments. */
  readonly comments: readonly Span[];
}
