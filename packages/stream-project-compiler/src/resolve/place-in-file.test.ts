import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { parseYaml } from '../parse/parse-yaml.ts';
import { createParseReport } from '../parse/read-context.ts';
import type { LeafNode } from '../parse/typed-node.ts';
import type { YamlScalar } from '../parse/yaml-tree.ts';
import { sourceFile } from '../text/source-file.ts';
import { scalarMap, scalarPieces } from './place-in-file.ts';

function scalarOf(text: string): YamlScalar | undefined {
  const file = sourceFile('a.yml', text);
  const { tree } = parseYaml(file, createParseReport(file));
  const value = tree?.kind === 'map' ? tree.entries[0]?.value : undefined;
  return value?.kind === 'scalar' && typeof value.value === 'string' ? value : undefined;
}

/** The file's text from which a word of the value was made. */
function originOfWord(text: string, word: string): string {
  const scalar = scalarOf(text);
  if (scalar === undefined) throw new Error('no text');
  const start = String(scalar.value).indexOf(word);
  expect(start).toBeGreaterThanOrEqual(0);
  const map = scalarMap({ scalar } as LeafNode, text);
  const span = map({ start, end: start + word.length });
  return text.slice(span.start, span.end);
}

test.each<readonly [string, string, string, string]>([
  ['plain', 'a: one two', 'two', 'two'],
  ['plain over lines', 'a: one\n  two\n\n  three\n', 'three', 'three'],
  ['single quotes', "a: 'it''s two'", 'two', 'two'],
  ['a doubled quote', "a: 'it''s'", "it's", "it''s"],
  ['double quotes', 'a: "one\\ttwo"', 'two', 'two'],
  ['an escape', 'a: "x\\u0041y"', 'A', '\\u0041'],
  ['a fold in double quotes', 'a: "one\n\n   two\\\n  three"', 'three', 'three'],
  ['a literal block', 'a: |\n  SELECT\n    b\n\n  FROM c\n', 'FROM', 'FROM'],
  ['a literal block with CRLF', 'a: |\r\n  SELECT\r\n  FROM c\r\n', 'FROM', 'FROM'],
  ['a literal block with an indicator', 'a: |2-\n    SELECT\n  FROM c\n', 'FROM', 'FROM'],
  ['a literal block after a comment', 'a: |+ # why\n\n\n  SELECT\n\n', 'SELECT', 'SELECT'],
  ['a folded block', 'a: >\n  SELECT b\n  FROM c\n\n  WHERE d\n    = 1\n  AND e\n', 'AND', 'AND'],
  ['over a line end of a folded block', 'a: >-\n  SELECT b\n  FROM c\n', 'b FROM', 'b\n  FROM'],
])('characters of %s are found in the file', (_, text, word, expected) => {
  expect(originOfWord(text, word)).toBe(expected);
});

test('the place of an empty value is its own', () => {
  const text = 'a: ""\n';
  const scalar = scalarOf(text);
  expect(scalarMap({ scalar } as LeafNode, text)({ start: 0, end: 0 })).toEqual({ start: 5, end: 5 });
});

test('places in a value that had variables are found too', () => {
  const text = ['a: |\n  SELECT $', '{COLUMNS}\n  FROM c\n'].join('');
  const scalar = scalarOf(text);
  if (scalar === undefined) throw new Error('no text');
  const replaced = { start: 7, length: 4, from: 7, fromLength: 10, verbatim: false };
  const before = { start: 0, length: 7, from: 0, fromLength: 7, verbatim: true };
  const after = { start: 11, length: 8, from: 17, fromLength: 8, verbatim: true };
  const interpolated = {
    text: 'SELECT x, y\nFROM c\n',
    variables: [],
    missing: [],
    malformed: [],
    pieces: [before, replaced, after],
  };
  const map = scalarMap({ scalar, interpolated } as unknown as LeafNode, text);
  const from = map({ start: 12, end: 16 });
  const columns = map({ start: 8, end: 9 });
  expect(text.slice(from.start, from.end)).toBe('FROM');
  expect(text.slice(columns.start, columns.end)).toHaveLength(10);
});

const units = fc.constantFrom(
  'a',
  'b',
  ' ',
  '  ',
  '\n',
  '\n',
  '\r\n',
  '\t',
  "''",
  '\\n',
  '\\x41',
  '\\\n',
  '#',
  ':',
  'é',
  '😀',
  '"',
  "'",
);
const styles: Readonly<Record<string, (body: string) => string>> = {
  plain: (body) => `a: x${body.replaceAll(/\n/g, '\n  ')}`,
  single: (body) => `a: '${body.replaceAll(/\n/g, '\n  ')}'`,
  double: (body) => `a: "${body.replaceAll(/\n/g, '\n  ')}"`,
  literal: (body) => `a: |\n  x${body.replaceAll(/\n/g, '\n  ')}\n`,
  'literal, indented': (body) => `a: |2+\n  ${body.replaceAll(/\n/g, '\n  ')}`,
  folded: (body) => `a: >-\n  x${body.replaceAll(/\n/g, '\n  ')}\n`,
  'folded, kept': (body) => `a: >+\n  ${body.replaceAll(/\n/g, '\n  ')}\n`,
};

test.each(Object.entries(styles))(
  '%s text is made of its pieces, which lie in order in the file',
  (_, write) => {
    let whole = 0;
    fc.assert(
      fc.property(fc.string({ unit: units, maxLength: 30 }), (body) => {
        const text = write(body);
        const scalar = scalarOf(text);
        if (scalar === undefined) return;
        expect(scalar.value).toBe((parse(text, { logLevel: 'silent' }) as { readonly a: string }).a);
        const { text: made, pieces } = scalarPieces(scalar, text);
        expect(made).toBe(scalar.value);
        if (pieces.length === 1 && pieces[0]?.verbatim === false && made.length > 1) whole += 1;
        let from = scalar.span.start;
        for (const piece of pieces) {
          expect(piece.from).toBeGreaterThanOrEqual(from);
          from = piece.from + piece.fromLength;
          const origin = text.slice(piece.from, from).replaceAll(/[\r\n]/g, ' ');
          const part = made.slice(piece.start, piece.start + piece.length).replaceAll('\n', ' ');
          expect(part).toBe(piece.verbatim ? origin : part);
        }
        expect(from).toBeLessThanOrEqual(scalar.span.end);
      }),
      { numRuns: 400 },
    );
    // The fallback for texts that cannot be distinguished is hardly ever taken.
    expect(whole).toBeLessThan(40);
  },
);
