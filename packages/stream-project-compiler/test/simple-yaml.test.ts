import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { generateProject } from '../bench/generate-project.ts';
import { createParseReport } from '../src/parse/parse-report.ts';
import { parseAnyYaml } from '../src/parse/parse-yaml.ts';
import { readSimpleYaml } from '../src/parse/simple-yaml/read-simple-yaml.ts';
import type { YamlNode } from '../src/parse/yaml-tree.ts';
import { sourceFile } from '../src/text/source-file.ts';
import { corpusProjects } from './project-support/corpus.ts';

const corpus = corpusProjects.flatMap(({ folder }) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.ya?ml$/.test(path))
    .map((path) => readFileSync(join(folder, path), 'utf8')),
);
const generated = [...generateProject({ models: 40 }).values()];

/** A text as it is read here, and by the library; neither unless it is simple. A mistake that the library finds is one of ours. */
function readings(text: string): { readonly simple?: YamlNode; readonly library?: YamlNode | undefined } {
  const simple = readSimpleYaml(text);
  if (simple === undefined) return {};
  const file = sourceFile('a.yml', text);
  const report = createParseReport(file);
  const { tree, count } = parseAnyYaml(file, report);
  expect(report.diagnostics).toEqual([]);
  expect(simple.count).toBeGreaterThanOrEqual(count);
  return { simple: simple.tree, library: tree };
}

const taken: Readonly<Record<string, string>> = {
  'values below keys': 'a:\n  b: 1\n  c:\n    d: x\ne: y\n',
  'a list as deep as its key': 'a:\n- b: 1\n  c: 2\n- 3\nd: 4\n',
  'a list below its key': 'a:\n  - b: 1\n    c:\n      - d\n  -   e: 1\n      f: 2\n',
  'lists and maps on one line': 'a: [1, "b", {c: d, "e": []}] # f\ng: {}\n',
  'comments and empty lines': '# a\n\nb: 1 # c\n# d\n\ne:\n  # f\n  g: h#i\n',
  'texts of several lines': 'a: |\n  b\n\n    c\n\n\nd: >-\n  e\n  f\ng:\n  - |-\n    h: i\n',
  'quoted texts': 'a: "b: c # d"\n"e f": \'"\'\n',
  'numbers, truth and nothing': 'a: [7, 1.5, 007, true, FALSE, null, Null, 2025-01-01, 10m, 1.2.3]\n',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the project
  'text that looks like more': 'a: ${B:-c}\nd: e:f\ng: http://h/?i=j\nk: (l)\nm: n, o\n',
  'a marker at the beginning': '---\na: 1\n',
};

const left: Readonly<Record<string, string>> = {
  'anchors and aliases': 'a: &b 1\nc: *b\n',
  tags: 'a: !!str 1\n',
  'merge keys': 'a:\n  <<: {b: 1}\n',
  'escaped texts': 'a: "b\\n"\n',
  'duplicate keys': 'a: 1\na: 2\n',
  'duplicate keys on one line': 'a: {b: 1, b: 2}\n',
  'missing values': 'a:\nb: 1\n',
  'texts that go on': 'a: b\n  c\n',
  'quotes that go on': 'a: "b\n  c"\n',
  'brackets that go on': 'a: [b,\n  c]\n',
  'indentation that does not fit': 'a:\n    b: 1\n  c: 2\n',
  'comments indented in another way': 'a:\n  b: 1\n  # c\nd: 2\n',
  'colons within text': 'a: b: c\n',
  'rare numbers': 'a: 0x1F\n',
  'further documents': 'a: 1\n---\nb: 2\n',
  'a list at the top': '- a\n',
  'a file without its last line break': 'a: 1',
  tabs: 'a:\t1\n',
  'line ends of other systems': 'a: 1\r\n',
  'an empty file': '\n',
  'more values than files may have': `a: [${'1,'.repeat(290_000)} 1]\n`,
  'more entries than files may have': `a: [${'[],'.repeat(150_000)} []]\n`,
  'more lines than files may have': `a: |\n${'  b\n'.repeat(250_001)}c: |\n${'  d\n'.repeat(250_001)}`,
  'deep nesting': `a: ${'['.repeat(30)}${']'.repeat(30)}\n`,
};

const lines = [
  'a: 1',
  'b:',
  'c: [1, {d: 2}] # e',
  'f: |',
  'g: >-',
  '"h": "i"',
  'l: m: n',
  '- 1',
  '- r: 2',
  '- s:',
  '- |',
  '- [t]',
  '- - u',
  '-',
  'v w',
  '# y',
  '',
  'z: - 1',
];
const pieces = [
  ' ',
  '\n',
  '\n  ',
  '- ',
  '#',
  ' # a\n',
  '# b\n',
  ...': , [ ] { } " \' | > ~ ! & * ? % \\ --- <<:'.split(' '),
];

describe('simple YAML', () => {
  it.each(Object.entries(taken))('holds %s', (_, text) => {
    const { simple, library } = readings(text);
    expect(simple).toBeDefined();
    expect(simple).toEqual(library);
  });

  it.each(Object.entries(left))('leaves %s to the library', (_, text) => {
    expect(readSimpleYaml(text)).toBeUndefined();
  });

  test('is what nearly all files of the corpus are written in, and is read as the library reads it', () => {
    for (const text of [...corpus, ...generated]) {
      const { simple, library } = readings(text);
      expect(simple).toEqual(library);
    }
    const simple = corpus.filter((text) => readSimpleYaml(text) !== undefined);
    expect(simple.length / corpus.length).toBeGreaterThan(0.9);
  });

  test('is read as the library reads it, whatever lines follow each other', () => {
    const line = fc.tuple(fc.nat(3), fc.constantFrom(...lines));
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 8 }), (drawn) => {
        const text = drawn.map(([depth, words]) => `${'  '.repeat(depth)}${words}\n`).join('');
        const { simple, library } = readings(text);
        expect(simple).toEqual(library);
      }),
      { numRuns: 3000 },
    );
  });

  test('is read as the library reads it, wherever a piece is put into a file', () => {
    const excerpt = fc.tuple(fc.constantFrom(...corpus, ...generated), fc.nat()).map(([text, at]) => {
      const start = text.indexOf('\n', at % text.length) + 1;
      return text.slice(start, text.indexOf('\n', start + 300) + 1);
    });
    const edit = fc.tuple(fc.nat(), fc.nat(4), fc.constantFrom('', ...pieces));
    fc.assert(
      fc.property(excerpt, fc.array(edit, { maxLength: 2 }), (text, edits) => {
        const changed = edits.reduce((before, [place, length, piece]) => {
          const at = place % (before.length + 1);
          return before.slice(0, at) + piece + before.slice(at + length);
        }, `models:\n${text}`);
        const { simple, library } = readings(changed);
        expect(simple).toEqual(library);
      }),
      { numRuns: 2000 },
    );
  });
});
