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
    '4:18 invalid YAML: missing closing quote " — end the text with the quote that it begins with',
  ]);
});

test('a line that is indented too little is shown at its text', async () => {
  expect(await saidOf(...model, '   owner: me')).toEqual([
    '4:4 invalid YAML: a line without "- " in a list — begin each entry with "- ", or check how far the line is indented',
  ]);
});

test.each([
  [3, '6:4', '3 spaces', '2 spaces or 6 spaces'],
  [4, '6:5', '4 spaces', '6 spaces or 2 spaces'],
  [5, '6:6', '5 spaces', '6 spaces or 2 spaces'],
])(
  'says where the other entries are for one that is indented by %d spaces',
  async (count, at, own, others) => {
    const text = [
      'sources:',
      '  - name: a',
      '    topic: a.v1',
      '    columns:',
      '      - {name: id, type: STRING}',
    ];
    expect(await saidOf(...text, `${' '.repeat(count)}- {name: b, type: INT}`)).toEqual([
      `${at} invalid YAML: a list entry that is indented by ${own}, unlike those before it — indent it by ${others}, as the entries of its list`,
    ]);
  },
);

test('names of other tools are not reported although they look like folders of the project', async () => {
  const { names } = await validateFiles({
    'sources/s.yml': source,
    'resources/application.yml': 'server: {port: 80}\n',
    'hosts/all.yml': 'all: {children: {models: x}}\n',
    'test.yml': 'steps: []\n',
  });
  expect(names).toEqual([]);
});

test('a misnamed folder is reported when any of its files has definitions', async () => {
  const { names } = await validateFiles({
    'sources/s.yml': source,
    'model/a.yml': '# later\n',
    'model/b.yaml': '"models": []\n',
  });
  expect(names).toEqual(['folder-not-read']);
});

test('says that a variable in a map on one line needs quotes', async () => {
  const sink = '    sink: {connector: jdbc-sink, config: {connection.url: $' + '{DB_URL}}}';
  expect(await saidOf('models:', '  - name: m', '    from: [{source: s}]', sink)).toEqual([
    '4:60 invalid YAML: a "{" within a value of a map or list on one line — put the value in quotes, such as "$' +
      '{NAME}"',
  ]);
});

test('a type without quotes is one mistake, and its column is there', async () => {
  const text = [
    'sources:',
    '  - name: a',
    '    topic: a.v1',
    '    columns: [{name: n, type: DECIMAL(12, 2), classification: public}, {name: id, type: STRING}]',
    'models:',
    '  - name: m',
    '    sql: SELECT n FROM {{ source("a") }}',
  ];
  expect(await saidOf(...text)).toEqual([
    '4:31 "columns[0].type" of source "a" is split by its commas — put it in quotes: "DECIMAL(12, 2)"',
  ]);
});

test.each([
  ['    from: {{ ref("x") }}', '3:11', 'ref', '[{ref: x}]'],
  ["    from: [{{ source('refunds') }}]", '3:12', 'source', '{source: refunds}'],
  ['    from:\n      - {{ ref("x") }}', '4:9', 'ref', '{ref: x}'],
])('says what to write for a macro in the place of a name: %s', async (from, at, kind, instead) => {
  const sink = '    sink: {connector: jdbc-sink, config: {a: b}}';
  expect(await saidOf('models:', '  - name: m', from, sink)).toEqual([
    `${at} macro "${kind}" without quotes: "{" starts a map in YAML — write ${instead}`,
  ]);
});

test.each([
  ['a text after >', ['    sql: >', '      SELECT id -- the key', '      FROM {{ source("s") }}'], '4:17'],
  ['a text without a mark', ['    sql: SELECT id -- the key', '      FROM {{ source("s") }}'], '3:20'],
  ['a text in quotes', ["    sql: 'SELECT id -- the key", '      FROM {{ source("s") }}', "      '"], '3:21'],
])('a comment that YAML folds is the only mistake of %s', async (_, text, at) => {
  expect(await saidOf('models:', '  - name: m', ...text)).toEqual([
    `${at} the comment includes the lines after it, because YAML folds them into one — write "|" before the SQL, which keeps lines apart`,
  ]);
});

test.each([
  ['at its end', ['    sql: >', '      SELECT id', '      FROM {{ source("s") }} -- all']],
  ['before a blank line', ['    sql: >', '      SELECT id -- the key', '', '      FROM {{ source("s") }}']],
  ['that has an end', ['    sql: >', '      SELECT id /* the', '      key */ FROM {{ source("s") }}']],
  ['after |', ['    sql: |', '      SELECT id -- the key', '      FROM {{ source("s") }}']],
])('a comment %s stays what it is', async (_, text) => {
  expect(await saidOf('models:', '  - name: m', ...text)).toEqual([]);
});

test.each([
  ["a = 'it's'", '6:20', 'the quote within a word ends the string, two were expected'],
  ["a = 'it's a dog' AND b = 'c'", '6:20', 'the quote within a word ends the string, two were expected'],
  ["a = 'b' # AND 'it's", '6:21', '"#" begins no comment in SQL, "--" was expected'],
])('%s is one mistake', async (condition, at, says) => {
  const text = ['models:', '  - name: m', '    sql: |', '      SELECT id', '      FROM {{ source("s") }}'];
  const said = await saidOf(...text, `      WHERE ${condition}`);
  expect(said).toEqual([expect.stringContaining(`${at} ${says}`)]);
});

test.each([
  ['strings side by side', `SELECT 'a'AS b, 'it''s'AS c FROM {{ source("s") }}`],
  ['an apostrophe in a comment', `SELECT id, INTERVAL '1'DAY AS d FROM {{ source("s") }} -- it's a day`],
  ['a string that spans lines', `SELECT 'a'AS b, 'first\n      second' AS c FROM {{ source("s") }}`],
])('finds no apostrophe too many in SQL with %s', async (_, sql) => {
  expect(await saidOf('models:', '  - name: m', '    sql: |', `      ${sql}`)).toEqual([]);
});

test('shows an entry after a blank line in its place', async () => {
  const said = await saidOf('models:', '  m:', '    owner: me', '', '  - name: n');
  expect(said).toEqual([expect.stringMatching(/^5:3 invalid YAML: a key within a value/)]);
});

test('SQL that begins with a macro in one line is reported once', async () => {
  expect(await saidOf('models:', '  - name: m', '    sql: {{ source("s") }}')).toEqual([
    '3:10 macro "source" without quotes: "{" starts a map in YAML — write "|" and the SQL on the lines below',
  ]);
});

test('reports the key to which unindented keys belong', async () => {
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
