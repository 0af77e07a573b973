import { describe, expect, test } from 'vitest';
import { classifiedSource, model } from '../../../test/lineage-support/classified-source.ts';
import { projectWith, validateFiles } from '../../../test/validate-support/validate-files.ts';

describe('rule security.sensitive_columns_require_masking', () => {
  const rules = projectWith('rules:', '  security: {sensitive_columns_require_masking: true}');

  async function columns(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
    const found = await validateFiles({
      'stream_project.yml': rules,
      'sources/s.yml': classifiedSource,
      ...files,
    });
    return found.diagnostics
      .filter(({ code }) => code === 'LV3302')
      .map(({ message }) => message.split(' is ')[0] ?? '');
  }

  const middle = model('middle', 'SELECT email FROM {{ source("raw") }}');
  const last = (...more: readonly string[]) =>
    model('last', 'SELECT email AS contact FROM {{ ref("middle") }}', ...more);

  test('looks at models that nothing in the project reads', async () => {
    expect(await columns({ 'models/a.yml': middle, 'models/b.yml': last() })).toEqual([
      'column "contact" of model "last"',
    ]);
  });

  test('looks at public models that others read as well', async () => {
    const open = model('middle', 'SELECT email FROM {{ source("raw") }}', 'access: public');
    expect(await columns({ 'models/a.yml': open, 'models/b.yml': last() })).toEqual([
      'column "email" of model "middle"',
      'column "contact" of model "last"',
    ]);
  });

  test('accepts a mask, for everybody or for roles, whatever its name', async () => {
    const mask = (more: string) => [
      'security:',
      `  policies: [{mask: {column: contact, method: hash${more}}}]`,
    ];
    expect(await columns({ 'models/a.yml': middle, 'models/b.yml': last(...mask('')) })).toEqual([]);
    expect(
      await columns({ 'models/a.yml': middle, 'models/b.yml': last(...mask(', for_roles: [a]')) }),
    ).toEqual([]);
  });

  test('does not accept a mask of another column of that name', async () => {
    const other = model(
      'other',
      'SELECT \'x\' AS email FROM {{ source("raw") }}',
      'security:',
      '  policies: [{mask: {column: email, method: hash}}]',
    );
    expect(await columns({ 'models/a.yml': middle, 'models/o.yml': other })).toEqual([
      'column "email" of model "middle"',
    ]);
  });

  test('says nothing about a source that nothing reads', async () => {
    expect(await columns({})).toEqual([]);
  });
});

describe('rule security.require_classification', () => {
  const rules = projectWith('rules:', '  security: {require_classification: true}');

  async function messages(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
    const found = await validateFiles({ 'stream_project.yml': rules, ...files });
    return found.diagnostics
      .filter(({ code }) => code === 'LV3303')
      .map(({ message }) => message.split(', but rule')[0] ?? '');
  }

  test('asks for a classification of every column of a source, save processing time', async () => {
    const columns =
      '[{name: a, type: INT}, {name: b, type: INT, classification: public}, {name: p, proctime: true}]';
    const files = {
      'sources/s.yml': `sources:\n  - name: raw\n    topic: raw.v1\n    columns: ${columns}\n`,
    };
    expect(await messages(files)).toEqual(['column "a" of source "raw" has no classification']);
  });

  test('takes columns of models for classified when those are that they are made of', async () => {
    const sql =
      'SELECT id, CONCAT(email, card) AS c, COUNT(*) AS n, 1 AS one FROM {{ source("raw") }} GROUP BY id, email, card';
    expect(await messages({ 'sources/s.yml': classifiedSource, 'models/m.yml': model('m', sql) })).toEqual(
      [],
    );
  });

  test('reports columns of models that are made of one that its source does not list', async () => {
    const files = {
      'sources/s.yml': 'sources:\n  - {name: raw, topic: raw.v1}\n',
      'models/m.yml': model(
        'm',
        'SELECT a AS b, c FROM {{ source("raw") }}',
        'columns: [{name: c, classification: public}]',
      ),
      'models/n.yml': model('n', 'SELECT b FROM {{ ref("m") }}'),
    };
    expect(await messages(files)).toEqual([
      'column "b" of model "m" has no classification, because source "raw" does not list "a"',
    ]);
  });

  test('says nothing about a classification that is wrong, which was reported', async () => {
    const columns = '[{name: a, type: INT, classification: secret}]';
    const files = {
      'sources/s.yml': `sources:\n  - name: raw\n    topic: raw.v1\n    columns: ${columns}\n`,
    };
    expect(await messages(files)).toEqual([]);
  });
});
