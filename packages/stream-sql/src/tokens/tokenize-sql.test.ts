import { describe, expect, it } from 'vitest';
import { tokenizeSql } from './tokenize-sql.ts';

/** Kind and value of each token but the last. */
function tokensOf(text: string): string[] {
  return tokenizeSql(text)
    .tokens.slice(0, -1)
    .map(({ kind, value }) => `${kind} ${value}`);
}

describe('tokenizeSql', () => {
  it.each([
    ['a_1$ B', ['word a_1$', 'word B']],
    ['`a b` `a``b`', ['quoted a b', 'quoted a`b']],
    ["'it''s' ''", ["string it's", 'string ']],
    ["'two\nlines'", ['string two\nlines']],
    [
      "N'a' U&'\\0041' _utf8'b' X'0A' n 'c'",
      ['string a', 'string \\0041', 'string b', 'string 0A', 'word n', 'string c'],
    ],
    [
      '1 1.5 .5 1. 1e3 1.5E-3 1a',
      [
        'number 1',
        'number 1.5',
        'number .5',
        'number 1.',
        'number 1e3',
        'number 1.5E-3',
        'number 1',
        'word a',
      ],
    ],
    [
      'a<=b<>c>=d||e=>f',
      [
        'word a',
        'symbol <=',
        'word b',
        'symbol <>',
        'word c',
        'symbol >=',
        'word d',
        'symbol ||',
        'word e',
        'symbol =>',
        'word f',
      ],
    ],
    [
      '? [ ] { } ( ) , ; . : % ^ |',
      '? [ ] { } ( ) , ; . : % ^ |'.split(' ').map((symbol) => `symbol ${symbol}`),
    ],
    ['/*+ A */', ['symbol /*+', 'word A', 'symbol */']],
    ['{{ source("a") }}', ['macro a']],
    ["{{ref('b')}}", ['macro b']],
    ['{{- ref("a") -}}', ['macro a']],
    ["{{+source('b')-}}", ['macro b']],
    ['{{\n ref (\t"c" )\n}}', ['macro c']],
    ['größe 日本', ['word größe', 'word 日本']],
  ])('%j is split into tokens', (text, expected) => {
    expect(tokensOf(text)).toEqual(expected);
    expect(tokenizeSql(text).diagnostics).toEqual([]);
  });

  it('comments are listed with their places, apart from the tokens', () => {
    const text = 'a -- one\n/* two */ b {# thr\nee #} // four';
    expect(tokensOf(text)).toEqual(['word a', 'word b']);
    expect(tokenizeSql(text).comments.map(({ start, end }) => text.slice(start, end))).toEqual([
      '-- one',
      '/* two */',
      '{# thr\nee #}',
      '// four',
    ]);
  });

  it('a macro in a macro comment is not a token', () => {
    const text = 'SELECT id {# FROM {{ ref("old") }} {% if x %} #} FROM {{ ref("new") }}';
    const { tokens, diagnostics } = tokenizeSql(text);
    expect(tokens.flatMap((token) => (token.kind === 'macro' ? [token.value] : []))).toEqual(['new']);
    expect(diagnostics).toEqual([]);
  });

  it('macros and comments in strings, quoted names and comments are not tokens', () => {
    const text = "'{{ ref(\"a\") }} -- ' `{{ x }}/*` /* {{ ref('b') }} ' */";
    expect(tokensOf(text)).toEqual(['string {{ ref("a") }} -- ', 'quoted {{ x }}/*']);
    expect(tokenizeSql(text).diagnostics).toEqual([]);
  });

  it('a macro token has its place and that of its name', () => {
    const text = 'FROM {{ source( "orders" ) }}';
    expect(tokenizeSql(text).tokens[1]).toMatchObject({
      macro: 'source',
      start: 5,
      end: 29,
      nameStart: 17,
      nameEnd: 23,
    });
  });

  it('the last token is an empty one at the end of the text', () => {
    expect(tokenizeSql('a ').tokens.at(-1)).toEqual({ kind: 'end', value: '', start: 2, end: 2 });
  });

  it('a word with letters beyond ASCII is not a keyword', () => {
    expect(tokenizeSql('ſelect').tokens[0]).toMatchObject({ kind: 'word', value: 'ſelect', keyword: '' });
  });
});
