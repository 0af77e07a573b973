import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { corpusProjects } from '../../test/project-support/corpus.ts';
import { sourceFile } from '../text/source-file.ts';
import { formatYaml } from './format-yaml.ts';

function formatted(text: string): string {
  const result = formatYaml(sourceFile('models/a.yml', text));
  return result.kind === 'formatted' ? result.text : result.kind;
}

test.each([
  [
    'indents by two blanks, list entries too',
    'a:\n    b:\n    - c\n    -   d: 1\n        e: 2\n',
    'a:\n  b:\n    - c\n    - d: 1\n      e: 2\n',
  ],
  ['leaves one space after ":" and none before it', 'a :   1\nb:\t2\n', 'a: 1\nb: 2\n'],
  [
    'takes blanks from ends of lines, and empty lines but one',
    '\n\na: 1   \n\n\n\nb: 2 \n\n\n',
    'a: 1\n\nb: 2\n',
  ],
  ['writes line feeds, and one at the end', 'a: 1\r\nb: 2', 'a: 1\nb: 2\n'],
  [
    'leaves quotes, order, numbers and nulls as they are written',
    `b: 'x'\na: "y"\nc: 0o17\nd: ~\ne:\n`,
    `b: 'x'\na: "y"\nc: 0o17\nd: ~\ne:\n`,
  ],
  [
    'indents comments as what follows them',
    'a:\n# one\n    b: 1\n    # two\n    c: 2\n# three\nd: 3\n',
    'a:\n  # one\n  b: 1\n  # two\n  c: 2\n# three\nd: 3\n',
  ],
  [
    'keeps a comment at the end of its block',
    'a:\n    b: 1\n    # c: 2\nd: 3\n    # end\n',
    'a:\n  b: 1\n  # c: 2\nd: 3\n# end\n',
  ],
  [
    'keeps comments after values on their lines',
    'a: 1   # one\nb:  # two\n    c: 2\n',
    'a: 1   # one\nb:  # two\n  c: 2\n',
  ],
  [
    'moves block scalars as they are',
    'm:\n    sql: |\n        SELECT a,\n               b   \n\n        FROM t\n    d: >-\n       x\n        y\n',
    'm:\n  sql: |\n    SELECT a,\n           b   \n\n    FROM t\n  d: >-\n    x\n     y\n',
  ],
  [
    'keeps what headers of block scalars say of indentation',
    'a:\n    b: |2\n        x\n      y\nb:   1\n',
    'a:\n  b: |2\n      x\n    y\nb: 1\n',
  ],
  ['keeps the empty lines that "+" keeps', 'a: |+\n  x\n\n\nb:   1\n', 'a: |+\n  x\n\n\nb: 1\n'],
  [
    'moves further lines of plain and quoted text',
    'm:\n      - a: x\n            y\n        b: "p\n          q"\n',
    'm:\n  - a: x\n      y\n    b: "p\n      q"\n',
  ],
  [
    'leaves lines within brackets as they are, moved with the first',
    'm:\n    - a: [1,\n         2 , 3]\n      b: {x:   1}\n',
    'm:\n  - a: [1,\n       2 , 3]\n    b: {x:   1}\n',
  ],
  [
    'keeps anchors, aliases and merge keys',
    'a: &x   {b: 1}\nc:  *x\nd:\n    <<: *x\n',
    'a: &x {b: 1}\nc: *x\nd:\n  <<: *x\n',
  ],
  ['keeps the mark of a document', '---\na:   1\n', '---\na: 1\n'],
  ['keeps files of comments, and empty ones', '# a\n\n\n#   b\n', '# a\n\n#   b\n'],
  ['keeps an empty file', '', ''],
])('%s', (_, before, after) => {
  expect(formatted(before)).toBe(after);
  expect(formatted(after)).toBe(after);
});

test('a file that is no YAML is unreadable, with its findings', () => {
  const result = formatYaml(sourceFile('models/a.yml', 'a: [1\nb: 2\n'));
  expect(result).toMatchObject({ kind: 'unreadable', diagnostics: [{ severity: 'error' }] });
});

test('deep nesting is unreadable and ends nothing', () => {
  expect(formatted('['.repeat(100_000))).toBe('unreadable');
});

const corpusFiles = corpusProjects.flatMap(({ folder }) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.yml'))
    .map((path) => readFileSync(`${folder}/${path}`, 'utf8')),
);

test('every file of the corpus that can be read has a layout', () => {
  const results = corpusFiles.map((text) => formatYaml(sourceFile('a.yml', text)).kind);
  expect(results.length).toBeGreaterThan(90);
  expect(results.filter((kind) => kind === 'left')).toEqual([]);
  expect(results.filter((kind) => kind === 'formatted').length).toBeGreaterThan(90);
});

test('a file that is indented otherwise has the same layout', () => {
  const plain = corpusFiles.filter((text) => !/[|>][+-]?\n|["'][^"'\n]*\n|[[{][^\]}\n]*\n/.test(text));
  expect(plain.length).toBeGreaterThan(5);
  fc.assert(
    fc.property(fc.constantFrom(...plain), fc.integer({ min: 1, max: 5 }), (text, factor) => {
      const layout = formatted(text);
      const other = layout.replace(/^(?: {2})+/gm, (blanks) => ' '.repeat((blanks.length / 2) * factor));
      // Entries of lists take two columns themselves, so that less does not hold their keys.
      const sameDash = factor < 2 ? layout : other.replace(/^( *)- /gm, `$1-${' '.repeat(factor - 1)}`);
      expect(formatted(sameDash)).toBe(layout);
    }),
    { numRuns: 60 },
  );
});
