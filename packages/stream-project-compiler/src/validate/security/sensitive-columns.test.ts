import { describe, expect, test } from 'vitest';
import { classifiedSource, model, sinkOf } from '../../../test/lineage-support/classified-source.ts';
import { lines, projectWith, validateFiles } from '../../../test/validate-support/validate-files.ts';
import { entryOf } from '../../report/catalogue.ts';

async function pathsOf(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const { diagnostics } = await validateFiles({ 'sources/s.yml': classifiedSource, ...files });
  return diagnostics
    .filter(({ code }) => code === 'LV3301')
    .map(({ message }) => message.slice(message.indexOf('path: ') + 'path: '.length));
}

describe('a sensitive column reaches a sink', () => {
  test.each([
    ['as it is', 'SELECT email FROM {{ source("raw") }}', 'raw.email -> m.email -> out'],
    [
      'under another name',
      'SELECT email AS contact FROM {{ source("raw") }}',
      'raw.email -> m.contact -> out',
    ],
    [
      'in an expression',
      'SELECT CONCAT(email, \'x\') AS c FROM {{ source("raw") }}',
      'raw.email -> m.c -> out',
    ],
    [
      'as the largest of a group',
      'SELECT id, MAX(email) AS c FROM {{ source("raw") }} GROUP BY id',
      'raw.email -> m.c -> out',
    ],
    [
      'through a common table',
      'WITH t AS (SELECT email AS e FROM {{ source("raw") }}) SELECT e FROM t',
      'raw.email -> m.e -> out',
    ],
    [
      'through a union',
      'SELECT id FROM {{ source("raw") }} UNION ALL SELECT CHAR_LENGTH(email) FROM {{ source("raw") }}',
      'raw.email -> m.id -> out',
    ],
    [
      'hashed in one branch only',
      'SELECT SHA256(email) AS e FROM {{ source("raw") }} UNION ALL SELECT email FROM {{ source("raw") }}',
      'raw.email -> m.e -> out',
    ],
    [
      'beside its hash',
      'SELECT CONCAT(SHA256(email), email) AS e FROM {{ source("raw") }}',
      'raw.email -> m.e -> out',
    ],
    [
      'as the most sensitive of several',
      'SELECT CONCAT(email, card) AS both_ FROM {{ source("raw") }}',
      'raw.card -> m.both_ -> out',
    ],
  ])('reports a sensitive column that reaches a sink %s', async (_how, sql, path) => {
    expect(await pathsOf({ 'models/m.yml': model('m', sql), 'models/out.yml': sinkOf('m') })).toEqual([path]);
  });

  test('one finding for each column', async () => {
    const files = {
      'models/m.yml': model('m', 'SELECT * FROM {{ source("raw") }}'),
      'models/out.yml': sinkOf('m'),
    };
    expect(await pathsOf(files)).toEqual(['raw.card -> m.card -> out', 'raw.email -> m.email -> out']);
  });

  test('right from its source', async () => {
    expect(await pathsOf({ 'models/out.yml': sinkOf('raw') })).toEqual([
      'raw.card -> out',
      'raw.email -> out',
    ]);
  });

  test('reports a sensitive column from the model that declares it', async () => {
    const files = {
      'models/m.yml': model(
        'm',
        'SELECT id FROM {{ source("raw") }}',
        'columns: [{name: id, classification: sensitive}]',
      ),
      'models/out.yml': sinkOf('m'),
    };
    expect(await pathsOf(files)).toEqual(['m.id -> out']);
  });

  test('although a model in between says that it is not, and hands it on', async () => {
    const files = {
      'models/m.yml': model(
        'm',
        'SELECT email FROM {{ source("raw") }}',
        'columns: [{name: email, classification: public}]',
      ),
      'models/out.yml': sinkOf('m'),
    };
    expect(await pathsOf(files)).toEqual(['raw.email -> m.email -> out']);
  });

  test('although it is masked for some roles', async () => {
    const files = {
      'models/m.yml': model(
        'm',
        'SELECT email FROM {{ source("raw") }}',
        'security:',
        '  policies: [{mask: {column: email, method: hash, for_roles: [analyst]}}]',
      ),
      'models/out.yml': sinkOf('m'),
    };
    expect(await pathsOf(files)).toEqual(['raw.email -> m.email -> out']);
  });

  test('reports a sensitive column that reaches a sink by the name of a topic', async () => {
    const files = {
      'models/m.yml': model('m', 'SELECT email FROM {{ source("raw") }}', 'advanced: {topic: {name: m.v1}}'),
      'models/out.yml': sinkOf('m.v1'),
    };
    expect(await pathsOf(files)).toEqual(['raw.email -> m.email -> out']);
    expect(await pathsOf({ 'models/out.yml': sinkOf('raw.v1') })).toHaveLength(2);
    expect(await pathsOf({ 'models/out.yml': sinkOf('other.v1') })).toEqual([]);
  });

  test('reports a sensitive column that the sink itself declares', async () => {
    const files = {
      'models/m.yml': model('m', 'SELECT id FROM {{ source("raw") }}'),
      'models/out.yml': sinkOf('m', 'columns: [{name: id, classification: sensitive}]'),
      'sources/s.yml': classifiedSource,
    };
    const { diagnostics } = await validateFiles(files);
    expect(diagnostics).toMatchObject([
      {
        code: 'LV3301',
        message: 'sink "out" declares the column "id" sensitive and writes it unmasked',
        path: 'models[0].columns[0].classification',
      },
    ]);
  });

  test('reports a sensitive column of a source whose columns have no types', async () => {
    const files = {
      'sources/s.yml':
        'sources:\n  - name: raw\n    topic: raw.v1\n    columns: [{name: email, classification: sensitive}]\n',
      'models/m.yml': model('m', 'SELECT id, email AS e FROM {{ source("raw") }}'),
      'models/out.yml': sinkOf('m'),
    };
    expect(await pathsOf(files)).toEqual(['raw.email -> m.e -> out']);
  });
});

test('a long path is shown without its middle', async () => {
  const links = Array.from({ length: 40 }, (_, index) =>
    lines(`  - name: m${index + 1}`, `    sql: SELECT email FROM {{ ref("m${index}") }}`),
  );
  const first = model('m0', 'SELECT email FROM {{ source("raw") }}');
  const files = {
    'sources/s.yml': classifiedSource,
    'models/m.yml': first + links.join(''),
    'models/out.yml': sinkOf('m40'),
  };
  const { diagnostics } = await validateFiles(files);
  const found = diagnostics.find(({ code }) => code === 'LV3301');
  expect(found?.message).toContain(
    'raw.email -> m0.email -> m1.email -> m2.email -> m3.email -> m4.email -> (30 more) -> m35.email ->',
  );
  expect(found?.related).toHaveLength(12);
});

test.each([
  ['a warning without the rule', [], true, 'sensitive-column-unmasked warning'],
  [
    'a warning where the rule is off',
    ['rules:', '  security: {sensitive_columns_require_masking: false}'],
    true,
    'sensitive-column-unmasked warning',
  ],
  [
    'an error where the rule asks for masks',
    ['rules:', '  security: {sensitive_columns_require_masking: true}'],
    false,
    'rule-sensitive-requires-masking error',
  ],
])('a sensitive column that reaches a sink is %s', async (_what, rules, isValid, finding) => {
  const { valid, diagnostics } = await validateFiles({
    'stream_project.yml': projectWith(...rules),
    'sources/s.yml': classifiedSource,
    'models/m.yml': model('m', 'SELECT email FROM {{ source("raw") }}'),
    'models/out.yml': sinkOf('m'),
  });
  expect(valid).toBe(isValid);
  expect(diagnostics.map(({ code, severity }) => `${entryOf(code).name} ${severity}`)).toEqual([finding]);
});

test('lists the first of many columns and counts the others', async () => {
  const columns = Array.from({ length: 50 }, (_, index) => `{name: c${index}, classification: sensitive}`);
  const { diagnostics } = await validateFiles({
    'stream_project.yml': projectWith('rules:', '  security: {sensitive_columns_require_masking: true}'),
    'sources/s.yml': lines(
      'sources:',
      '  - name: raw',
      '    topic: raw.v1',
      `    columns: [${columns.join(', ')}]`,
    ),
    'models/out.yml': sinkOf('raw'),
    'models/m.yml': model('m', 'SELECT * FROM {{ source("raw") }}'),
  });
  const security = diagnostics.filter(({ code }) => code.startsWith('LV33')).map(({ message }) => message);
  expect(security).toHaveLength(42);
  expect(security).toContain('30 more sensitive columns reach sink "out" unmasked');
  expect(security).toContain(
    '30 more columns of model "m" are sensitive and not masked, but rule "security.sensitive_columns_require_masking" requires masks',
  );
});

describe('nothing sensitive reaches a sink', () => {
  test.each([
    ['a column that only filters', 'SELECT id FROM {{ source("raw") }} WHERE email IS NOT NULL'],
    ['a column that only groups', 'SELECT COUNT(*) AS n FROM {{ source("raw") }} GROUP BY email'],
    ['how many there are', 'SELECT id, COUNT(DISTINCT email) AS n FROM {{ source("raw") }} GROUP BY id'],
    ['a hash', 'SELECT SHA256(email) AS h FROM {{ source("raw") }}'],
    [
      'a hash that is cut',
      'SELECT CAST(LEFT(SHA256(LOWER(email)), 8) AS STRING) AS h FROM {{ source("raw") }}',
    ],
    ['another column', 'SELECT id, amount FROM {{ source("raw") }}'],
    ['a constant of its name', 'SELECT \'x\' AS email FROM {{ source("raw") }}'],
  ])('reports nothing when all that reaches the sink is %s', async (_what, sql) => {
    expect(await pathsOf({ 'models/m.yml': model('m', sql), 'models/out.yml': sinkOf('m') })).toEqual([]);
  });

  test.each(['hash', 'redact', 'partial', 'tokenize', 'null'])(
    'is not reported after the mask %s',
    async (method) => {
      const files = {
        'models/m.yml': model(
          'm',
          'SELECT email FROM {{ source("raw") }}',
          'security:',
          `  policies: [{mask: {column: email, method: ${method}}}]`,
        ),
        'models/next.yml': model('next', 'SELECT email AS contact FROM {{ ref("m") }}'),
        'models/out.yml': sinkOf('next'),
      };
      expect(await pathsOf(files)).toEqual([]);
    },
  );

  test('accepts a sensitive column that the sink itself masks', async () => {
    const mask = ['security:', '  policies: [{mask: {column: email, method: redact}}]'];
    const files = {
      'models/m.yml': model('m', 'SELECT email FROM {{ source("raw") }}'),
      'models/out.yml': sinkOf('m', ...mask),
    };
    expect(await pathsOf(files)).toEqual([]);
  });

  test('accepts a sensitive column whose expression is declared harmless', async () => {
    const files = {
      'models/m.yml': model(
        'm',
        "SELECT REGEXP_REPLACE(email, '^.*@', '') AS domain FROM {{ source(\"raw\") }}",
        'columns: [{name: domain, classification: internal}]',
      ),
      'models/out.yml': sinkOf('m'),
    };
    expect(await pathsOf(files)).toEqual([]);
  });

  test('reports nothing sensitive when a mask cannot be read, which is reported', async () => {
    const files = {
      'models/m.yml': model(
        'm',
        'SELECT email FROM {{ source("raw") }}',
        'security:',
        '  policies: [{mask: {column: email, method: hide}}]',
      ),
      'models/out.yml': sinkOf('m'),
    };
    expect(await pathsOf(files)).toEqual([]);
  });
});

describe('an exposure', () => {
  const email = model('m', 'SELECT email FROM {{ source("raw") }}');
  const masked = model(
    'm',
    'SELECT email FROM {{ source("raw") }}',
    'security:',
    '  policies: [{mask: {column: email, method: hash, for_roles: [analyst, support]}}]',
  );

  function board(...more: readonly string[]): string {
    return lines(
      'exposures:',
      '  - name: board',
      '    type: dashboard',
      ...more.map((line) => `    ${line}`),
    );
  }

  test('reports an exposure that consumes a sensitive column of a model', async () => {
    const files = { 'models/m.yml': email, 'exposures/e.yml': board('consumes: [{ref: m}]') };
    expect(await pathsOf(files)).toEqual(['raw.email -> m.email -> board']);
  });

  test('reports an exposure that consumes a sensitive column of a source', async () => {
    const files = { 'exposures/e.yml': board('consumes: [{source: raw}, {source: raw}]') };
    expect(await pathsOf(files)).toEqual(['raw.card -> board', 'raw.email -> board']);
  });

  test('does not report an exposure that only produces a sensitive column', async () => {
    expect(await pathsOf({ 'exposures/e.yml': board('produces: [{source: raw}]') })).toEqual([]);
  });

  test('does not report an exposure of a sink, because the sink is reported', async () => {
    const files = {
      'models/m.yml': email,
      'models/out.yml': sinkOf('m'),
      'exposures/e.yml': board('consumes: [{ref: out}]'),
    };
    expect(await pathsOf(files)).toEqual(['raw.email -> m.email -> out']);
  });

  test.each([
    ['whose roles all have a mask is not', 'access: {roles: [analyst, support]}', []],
    [
      'with a role that has no mask is',
      'access: {roles: [analyst, boss]}',
      ['raw.email -> m.email -> board'],
    ],
    ['that does not say its roles is', 'access: {purpose: sales}', ['raw.email -> m.email -> board']],
  ])('knows whether an exposure sees masks: one %s reported', async (_which, access, paths) => {
    const files = { 'models/m.yml': masked, 'exposures/e.yml': board('consumes: [{ref: m}]', access) };
    expect(await pathsOf(files)).toEqual(paths);
  });
});
