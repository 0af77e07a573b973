// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of projects
import { expect, test } from 'vitest';
import { lines, projectWith, validateFiles } from './validate-support/validate-files.ts';

const secret = 'kept_private';
const environment = { COLUMN: secret };

const rules = projectWith(
  'rules:',
  '  security: {require_classification: true, sensitive_columns_require_masking: true}',
);
const source = lines(
  'sources:',
  '  - name: raw',
  '    topic: raw.v1',
  '    columns:',
  '      - {name: id, type: STRING, classification: internal}',
  '      - {name: "${COLUMN}", type: STRING, classification: sensitive}',
);

function messagesOf(diagnostics: Awaited<ReturnType<typeof validateFiles>>['diagnostics']) {
  return diagnostics.map(({ message, hint, related = [] }) =>
    [message, hint, ...related.map((other) => other.message)].join(' | '),
  );
}

test('a column is said as it is written where a variable is its name, however it is handed on', async () => {
  const models = lines(
    'models:',
    '  - name: all_of_it',
    '    sql: SELECT * FROM {{ source("raw") }}',
    '  - name: named',
    '    sql: SELECT `${COLUMN}`, ${COLUMN} AS other, x AS y, gone FROM {{ ref("all_of_it") }}',
    '    columns: [{name: "${COLUMN}", classification: internal}]',
    '    security: {classification: {other: public}}',
    '  - name: renamed',
    '    sql: WITH t (a, `${COLUMN}`) AS (SELECT * FROM {{ source("raw") }}) SELECT * FROM t UNION ALL SELECT * FROM t',
    '    access: public',
    '  - name: out',
    '    from: [{ref: all_of_it}, {ref: named}]',
    '    sink: {connector: http-sink, config: {a: b}}',
    '    columns: [{name: "${COLUMN}", classification: highly_sensitive}]',
  );
  const files = { 'stream_project.yml': rules, 'sources/s.yml': source, 'models/m.yml': models };
  const { diagnostics } = await validateFiles(files, { environment });
  const messages = messagesOf(diagnostics);
  expect(messages.filter((message) => message.includes(secret))).toEqual([]);
  expect(messages).toContainEqual(
    expect.stringContaining(
      'the sensitive column "${COLUMN}" reaches sink "out" unmasked, path: raw.${COLUMN} -> all_of_it.${COLUMN} -> out',
    ),
  );
  expect(messages).toContainEqual(
    expect.stringContaining('add "mask: {column: \'${COLUMN}\', method: hash}"'),
  );
  expect(messages).toContainEqual(
    expect.stringContaining('model "named": column "${COLUMN}" is declared internal'),
  );
});

test('a column whose name is a variable is never suggested, in whatever model it is', async () => {
  const files = {
    'sources/s.yml': source,
    'models/m.yml': lines(
      'models:',
      '  - {name: clean, sql: "SELECT * FROM {{ source(\'raw\') }}"}',
      '  - {name: next, key: kept_privat, sql: "SELECT id, kept_privat FROM {{ ref(\'clean\') }}"}',
      '  - {name: last, key: kept_privat, sql: "SELECT * FROM {{ ref(\'clean\') }}"}',
    ),
    'tests/t.yml': lines(
      'tests:',
      '  - name: t',
      '    model: clean',
      '    type: sample',
      '    assertions: [{not_null: {columns: [kept_privat]}}, {custom_sql: {sql: "SELECT kept_privat FROM {{ model }}"}}]',
    ),
  };
  const { diagnostics, names } = await validateFiles(files, { environment });
  expect(names).toEqual(['unknown-column', 'key-column', 'assertion-column', 'unknown-column']);
  expect(messagesOf(diagnostics).filter((message) => message.includes(secret))).toEqual([]);
});

test('a variable among the names is no reason to hide other columns', async () => {
  const files = {
    'sources/s.yml': source,
    'models/m.yml': lines('models:', '  - {name: clean, sql: "SELECT idd FROM {{ source(\'raw\') }}"}'),
  };
  const { diagnostics } = await validateFiles(files, { environment: { ...environment, HOME: 'id' } });
  expect(diagnostics.map(({ hint }) => hint)).toEqual(['did you mean "id"?']);
});
