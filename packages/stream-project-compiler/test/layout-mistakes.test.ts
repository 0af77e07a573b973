import { expect, test } from 'vitest';
import { lines, validateFiles } from './validate-support/validate-files.ts';

const source = 'sources: [{name: s, topic: s.v1}]\n';

/** What is said of one file of models and tests, each finding with its place. */
async function saidOf(...text: readonly string[]): Promise<readonly string[]> {
  const { diagnostics } = await validateFiles({ 'sources/s.yml': source, 'models/m.yml': lines(...text) });
  return diagnostics.map(({ range, message, hint }) => {
    const { line, column } = range.start;
    return `${line}:${column} ${message} — ${hint ?? ''}`;
  });
}

const model = ['models:', '  - name: m', '    sql: SELECT id FROM {{ source("s") }}'] as const;

test('a quote without its end is shown where it begins', async () => {
  expect(await saidOf(...model, '    description: "what it is', '    owner: me')).toEqual([
    '4:18 not YAML: missing closing quote " — end the text with the quote that it begins with',
  ]);
});

test('a line that is indented too little is shown at its text', async () => {
  expect(await saidOf(...model, '   owner: me')).toEqual([
    '4:4 not YAML: a line without "- " in a list — begin each entry with "- ", or check how far the line is indented',
  ]);
});

test('an entry behind a blank line is shown where it stands', async () => {
  const said = await saidOf('models:', '  m:', '    owner: me', '', '  - name: n');
  expect(said).toEqual([expect.stringMatching(/^5:3 not YAML: a key within a value/)]);
});

test('SQL that begins with a macro in one line is reported once', async () => {
  expect(await saidOf('models:', '  - name: m', '    sql: {{ source("s") }}')).toEqual([
    '3:11 the key is no text — put a value that begins with "{" in quotes, or write "|" and the value on the lines below',
  ]);
});

test('of keys that are not indented the one that they belong to is reported', async () => {
  const tests = [
    'tests:',
    '  - name: t',
    '    model: m',
    '    type: sample',
    '    assertions:',
    '      - range:',
    '        column: id',
    '        min: 1',
  ];
  expect(await saidOf(...model, ...tests)).toEqual([
    '9:9 "assertions[0].range" of test "t" has no value — indent "column", "min" further than "range"',
  ]);
});

test('a value in place of a list says how lists are written', async () => {
  expect(await saidOf(...model, '    tags: daily')).toEqual([
    '4:11 "tags" of model "m" is "daily", expected a list — begin each entry with "- "',
  ]);
});

test('nothing is missing that a second document may define', async () => {
  const first = ['models:', '  - name: m', '    sql: SELECT id FROM {{ ref("n") }}', '---', 'models:'];
  expect(await saidOf(...first, '  - name: n', '    sql: SELECT id FROM {{ source("s") }}')).toEqual([
    '4:1 a second document begins here, expected one document — ',
  ]);
});

test('an object of merged keys alone is one', async () => {
  const said = await saidOf(
    'models:',
    '  - name: m',
    '    sql: SELECT id FROM {{ source("s") }}',
    '    advanced: {topic: &t {}}',
    '  - name: n',
    '    advanced: {topic: {<<: *t}}',
    '    owner: [me]',
  );
  expect(said).toEqual(['7:5 "owner" of model "n" is a list, expected text — ']);
});
