import type { DiagnosticName } from '../../src/index.ts';
import { projectFile } from '../project-support/run-project.ts';
import { type CodeFixture, fragment, models } from './code-fixture.ts';

const variable = (inner: string): string => ['$', '{', inner, '}'].join('');
const team = variable('TEAM');
const withDefault = variable('TEAM:-text');
const noVariable = variable('A-B');

/** Codes of fields and variables. */
export const fieldFixtures: Readonly<Partial<Record<DiagnosticName, readonly CodeFixture[]>>> = {
  'unknown-key': [
    {
      files: models('- name: a', '  descripton: x', '  sql: SELECT 1'),
      shows:
        'models/m.yml:3:3  error  LV1301  unknown key "descripton" in model "a" — did you mean "description"?\n  3 |   descripton: x\n    |   ^^^^^^^^^^',
    },
    {
      files: models('- name: a', '  topic: {name: x}', '  sql: SELECT 1'),
      shows: 'unknown key "topic" in model "a" — it belongs in "advanced.topic"',
    },
    {
      files: fragment('runtime: {}\n'),
      shows: 'unknown key "runtime" — "runtime" belongs in stream_project.yml',
    },
    {
      files: models('- __proto__: {x: 1}', '  name: a', '  sql: SELECT 1'),
      shows: 'unknown key "__proto__" in model "a"',
    },
  ],
  'cut-value': [
    {
      files: fragment(
        'sources:\n  - name: s\n    topic: t.v1\n    columns:\n      - {name: a, type: DECIMAL(12, 2)}\n',
      ),
      shows:
        'models/m.yml:5:25  error  LV1380  "columns[0].type" of source "s" is split by its commas — put it in quotes: "DECIMAL(12, 2)"',
    },
    {
      files: fragment(
        'sources:\n  - name: s\n    topic: t.v1\n    columns:\n      - {name: a, type: ROW<b INT, c MAP<INT, INT>, d INT>}\n',
      ),
      shows: 'put it in quotes: "ROW<b INT, c MAP<INT, INT>, d INT>"',
    },
  ],
  'planned-key': [
    {
      files: models('- name: a', '  sql: SELECT 1', '  advanced: {engine: {checkpoint_timeout_ms: 5}}'),
      shows:
        'LV1302  "advanced.engine.checkpoint_timeout_ms" of model "a" is planned and not supported yet — remove the key',
    },
  ],
  'parsed-only': [
    {
      files: models('- name: a', '  sql: SELECT 1', '  advanced: {engine: {state_backend: rocksdb}}'),
      shows: 'info  LV1303  "advanced.engine.state_backend" of model "a" has no effect yet',
    },
  ],
  'missing-key': [
    {
      files: { 'stream_project.yml': 'project: {name: shop}\n' },
      shows: 'stream_project.yml:1:1  error  LV1304  the file is missing the required key "runtime"',
    },
    {
      files: models('- name: a'),
      shows:
        'models/m.yml:2:3  error  LV1304  model "a" is missing "sql": a model needs "sql", unless it is a sink\n  2 | - name: a\n    |   ^^^^',
    },
    { files: models('- sql: SELECT 1'), shows: 'LV1304  "models[0]" is missing the required key "name"' },
  ],
  'wrong-type': [
    {
      files: { 'stream_project.yml': projectFile.replace('name: shop', 'name: shop\n  version: 1.0') },
      shows:
        'stream_project.yml:3:12  error  LV1305  "project.version" is "1.0" without quotes, expected text — put the value in quotes\n  3 |   version: 1.0\n    |            ^^^',
    },
    {
      files: fragment('models: text\n'),
      shows: 'models/m.yml:1:9  error  LV1305  "models" is "text", expected a list',
    },
    {
      files: fragment('sources: {a: {}}\n'),
      shows: '"sources" is an object, expected a list — begin each entry with "- "',
    },
    {
      files: fragment('- models\n'),
      shows:
        'models/m.yml:1:1  error  LV1305  the file is a list, expected an object with keys such as "models"',
    },
    {
      files: models('-'),
      shows: 'LV1305  "models[0]" has no value, expected an object — give it a value, or remove the key',
    },
    {
      files: models('- name: a', '  columns:', '  sql: SELECT 1'),
      shows: 'models/m.yml:3:3  error  LV1305  "columns" of model "a" has no value, expected a list',
    },
    {
      files: fragment('exposures:\n- {name: e, type: api, consumes: [ref("orders")]}\n'),
      shows: '"consumes[0]" of exposure "e" is "ref("orders")", expected an object',
    },
  ],
  'bad-enum': [
    {
      files: models('- name: a', '  sql: SELECT 1', '  access: Public'),
      shows:
        'LV1306  "access" of model "a" is "Public", expected one of "private", "protected", "public" — did you mean "public"?',
    },
  ],
  'invalid-value': [
    {
      files: models('- name: a b', '  sql: SELECT 1'),
      shows: 'LV1307  "name" of model "a b" is "a b", expected a name of at most 128 characters',
    },
    { files: models('- name: a', '  sql: ""'), shows: '"sql" of model "a" is empty, expected SQL' },
    {
      files: models('- name: a', '  sql: SELECT 1', '  advanced: {topic: {partitions: 0}}'),
      shows:
        '"advanced.topic.partitions" of model "a" is "0" without quotes, expected an integer from 1 to 100000',
    },
    {
      files: models('- name: a', '  sql: SELECT 1', '  deprecation: {v1: {sunset_date: 2025-02-30}}'),
      shows: '"deprecation.v1.sunset_date" of model "a" is "2025-02-30", a day or time that does not exist',
    },
    {
      files: models('- name: a', '  sql: SELECT 1', '  advanced: {topic: {config: {"a b": 1}}}'),
      shows: 'invalid key "a b" in "advanced.topic.config" of model "a", expected a configuration key',
    },
  ],
  'unusual-value': [
    {
      files: { 'stream_project.yml': projectFile.replace('name: shop', 'name: shop\n  version: v2') },
      shows: 'warning  LV1308  "project.version" is "v2", expected a semantic version such as "1.0.0"',
    },
  ],
  'conflicting-keys': [
    {
      files: models(
        '- name: a',
        '  sql: SELECT 1',
        '  from: b',
        '  sink: {connector: jdbc-sink, config: {}}',
      ),
      shows:
        'models/m.yml:5:3  error  LV1309  model "a": a model has "sql" or "sink", not both\n  5 |   sink: {connector: jdbc-sink, config: {}}\n    |   ^^^^\n  models/m.yml:3:3  the other key',
    },
    {
      files: models(
        '- name: a',
        '  sql: SELECT 1',
        '  advanced: {engine: {start: resume, start_timestamp_ms: 5}}',
      ),
      shows:
        'models/m.yml:4:38  error  LV1309  "advanced.engine" of model "a": a job begins at "start" or at "start_timestamp_ms", not both\n',
    },
  ],
  'one-key': [
    {
      files: fragment('exposures:\n- {name: e, type: api, consumes: [{ref: a, source: b}]}\n'),
      shows: 'LV1310  "consumes[0]" of exposure "e" has both "ref" and "source", expected one of them',
    },
    {
      files: fragment('exposures:\n- {name: e, type: api, consumes: [{}]}\n'),
      shows:
        'LV1310  "consumes[0]" of exposure "e" is empty, expected an object with one of the keys "ref", "source"',
    },
  ],
  'unresolved-variable': [
    {
      files: models('- name: a', '  sql: SELECT 1', `  owner: ${team}`, `  group: ${team}`),
      shows: `models/m.yml:4:10  error  LV1320  the variable "TEAM" is not set in the environment — set it, or write ${withDefault} for a default\n  4 |   owner: ${team}\n    |          ^^^^^^^\n  models/m.yml:5:10  also used here`,
    },
    {
      files: models('- name: a', '  sql: SELECT 1', '  confg:', `    inner: [{deep: "${team}"}]`),
      shows: 'models/m.yml:5:20  error  LV1320  the variable "TEAM" is not set in the environment',
    },
    {
      files: models('- name: a', '  sql: SELECT 1', `  tags: ${team}`),
      shows: 'models/m.yml:4:9  error  LV1320  the variable "TEAM" is not set in the environment',
    },
  ],
  'variable-syntax': [
    {
      files: models('- name: a', '  sql: SELECT 1', `  owner: ${noVariable}`),
      shows: `models/m.yml:4:10  warning  LV1321  "${noVariable}" is not a valid variable and is kept as text`,
    },
  ],
  'too-many-findings': [
    {
      files: models(...Array.from({ length: 600 }, () => '- 5')),
      shows: 'error  LV1390  the file has more than 500 findings, the rest is not reported',
    },
  ],
  'secret-in-clear': [
    {
      files: models(
        '- name: a',
        '  from: b',
        '  sink: {connector: jdbc-sink, config: {connection.password: hunter2}}',
      ),
      shows: [
        `models/m.yml:4:62  error  LV1360  "sink.config.connection.password" of model "a" contains a secret in clear text, expected a variable such as "${variable('CONNECTION_PASSWORD')}" — write "${variable('CONNECTION_PASSWORD')}" where the secret is, and set it in the environment or in .env`,
        '  4 |   sink: {connector: jdbc-sink, config: {connection.password: *********',
      ].join('\n'),
    },
  ],
};
