import { describe, expect, it } from 'vitest';
import { compile, entryOf, loadProject } from '../src/index.ts';
import { projectJobs } from '../src/jobs/project-jobs.ts';
import { memoryFileSystem } from './project-support/memory-file-system.ts';
import { compileFiles } from './resolve-support/compile-files.ts';
import { projectWith } from './validate-support/validate-files.ts';

const columns = [
  { name: 'id', type: 'STRING' },
  { name: 'segment', type: 'STRING' },
  { name: 'region', type: 'STRING NULL' },
  { name: 'code', type: 'STRING NOT NULL' },
  { name: 'amount', type: 'INT' },
  { name: 'share', type: 'INT NULL' },
  { name: 'at', type: 'TIMESTAMP(3)' },
];
const sources = [
  { name: 'orders', topic: 'orders.v1', columns },
  { name: 'users', topic: 'users.v1', columns },
];

/** A model with more keys. */
type Model = Readonly<Record<string, unknown>> & { readonly sql: string };

async function compiled(...models: readonly Model[]) {
  const written = models.map(({ sql, ...more }, at) => ({
    name: at === models.length - 1 ? 'm' : `m${at}`,
    ...more,
    sql: sql.replace(/@@(\w+)/g, '{{ ref("$1") }}').replace(/@(\w+)/g, '{{ source("$1") }}'),
  }));
  const { inferred, diagnostics } = await compileFiles({
    'stream_project.yml': projectWith(),
    'models/m.yml': JSON.stringify({ sources, models: written }),
  });
  return {
    diagnostics: diagnostics.filter(({ code }) => entryOf(code).name === 'null-in-key'),
    job: projectJobs(inferred).models.get('m'),
  };
}

async function saidOf(...models: readonly Model[]): Promise<readonly string[]> {
  return (await compiled(...models)).diagnostics.map(({ message, hint }) => `${message} — ${hint}`);
}

const joined = (where = '') =>
  `SELECT u.segment, COUNT(*) AS n FROM @orders o LEFT JOIN @users u ON o.id = u.id ${where} GROUP BY u.segment`;
const appendedNumber = 'SELECT id, share AS n FROM @orders';
const appended = 'SELECT id, segment, region, code FROM @orders';

describe('a key that can be null is reported', () => {
  it.each([
    [
      'of an outer join',
      { key: 'segment', sql: joined() },
      `key "segment" of model "m" can be null, where LEFT JOIN finds no row for it: rows with such a key are not written to its topic — write COALESCE(..., 'none') AS segment, and the same in GROUP BY, with a value that no row has, or leave such rows out with WHERE ... IS NOT NULL`,
    ],
    [
      'that rows are written by and the model does not name',
      { sql: joined() },
      expect.stringMatching(/^key "segment" of model "m" can be null, where LEFT JOIN/),
    ],
    [
      'of an aggregate',
      { key: 'most', sql: 'SELECT MAX(amount) AS most FROM @orders' },
      'key "most" of model "m" can be null, where MAX has no values: rows with such a key are not written to its topic — write COALESCE(..., -1) AS most, with a value that no row has, or leave such rows out with HAVING MAX(...) IS NOT NULL',
    ],
    [
      'that ROLLUP leaves out',
      { key: 'segment', sql: 'SELECT segment, COUNT(*) AS n FROM @orders GROUP BY ROLLUP(segment)' },
      `key "segment" of model "m" can be null, where ROLLUP leaves it out: rows with such a key are not written to its topic — write COALESCE(..., 'none') AS segment, with a value that no row has`,
    ],
    [
      'that is declared with NULL',
      { key: 'region', sql: appended },
      expect.stringMatching(
        /^key "region" of model "m" can be null, as its source declares it: records of such rows have no key/,
      ),
    ],
    [
      'that a mask makes null',
      {
        key: 'segment',
        sql: appended,
        security: { policies: [{ mask: { column: 'segment', method: 'null' } }] },
      },
      expect.stringMatching(
        /as its mask makes it: .* — choose another mask, such as "method: hash", or another key$/,
      ),
    ],
  ] as const)('%s', async (_, model, said) => {
    expect(await saidOf(model)).toEqual([said]);
  });

  it('a null key is reported in the model that makes it, not in those that read the model', async () => {
    const reader = { key: 'segment', sql: 'SELECT segment, n FROM @@m0' };
    expect(await saidOf({ sql: joined() }, reader)).toHaveLength(1);
  });
});

describe('nothing is said of a key', () => {
  it.each([
    [
      'of the side that a later join keeps',
      {
        key: 'segment',
        sql: 'SELECT s.id, s.segment FROM (SELECT u.id, u.segment FROM @orders o RIGHT JOIN @users u ON o.id = u.id) s LEFT JOIN @orders p ON p.id = s.id',
      },
    ],
    ['that nothing declares as NOT NULL', { key: 'segment', sql: appended }],
    [
      'of the side that a join keeps',
      { key: 'id', sql: 'SELECT o.id FROM @orders o LEFT JOIN @users u ON o.id = u.id' },
    ],
    ['that WHERE rejects nulls of', { sql: joined('WHERE u.segment IS NOT NULL') }],
    ['of a row that WHERE asks for', { sql: joined("WHERE u.region = 'EU'") }],
    ['that a later join rejects nulls of', { sql: joined('INNER JOIN @users v ON v.id = u.segment') }],
    [
      'that COALESCE replaces in SELECT and GROUP BY',
      {
        key: 'segment',
        sql: joined()
          .replace('u.segment,', "COALESCE(u.segment, 'none') AS segment,")
          .replace('BY u.segment', "BY COALESCE(u.segment, 'none')"),
      },
    ],
    [
      'that COALESCE replaces',
      {
        sql: "SELECT segment, COUNT(*) AS n FROM (SELECT COALESCE(u.segment, 'none') AS segment FROM @orders o LEFT JOIN @users u ON o.id = u.id) GROUP BY segment",
      },
    ],
    ['of appended rows that is JSON', { key: 'n', sql: appendedNumber }],
    [
      'of appended rows that is Avro',
      { key: 'region', sql: appended, schema: { format: 'avro', key_format: 'avro' } },
    ],
    ['that is COUNT', { key: 'n', sql: 'SELECT COUNT(*) AS n FROM @orders' }],
  ] as const)('%s', async (_, model) => {
    expect(await saidOf(model)).toEqual([]);
  });
});

const grouped = 'SELECT segment, COUNT(*) AS n FROM @orders GROUP BY segment';
const compacted = { advanced: { topic: { config: { 'cleanup.policy': 'compact,delete' } } } };

describe('rows with a null key', () => {
  it('are counted by a table of their own where rows change', async () => {
    const { job } = await compiled({ key: 'segment', sql: grouped });
    expect(job?.nullKeys).toEqual({ columns: ['segment'], table: 'm_null_keys' });
    expect(job?.job.statements.slice(-2)).toEqual([
      `CREATE TEMPORARY VIEW \`m_rows\` (\`segment\`, \`n\`) AS\n${grouped.replace('@orders', '`orders`')}`,
      [
        'EXECUTE STATEMENT SET',
        'BEGIN',
        'INSERT INTO `m`',
        'SELECT `segment`, `n`',
        'FROM `m_rows`',
        'WHERE `segment` IS NOT NULL;',
        'INSERT INTO `m_null_keys`',
        'SELECT `segment`, `n`',
        'FROM `m_rows`',
        'WHERE `segment` IS NULL;',
        'END',
      ].join('\n'),
    ]);
  });

  it.each([
    ['its view, which has the nulls', {}, ['segment']],
    ['its topic, which has none', { advanced: { engine: { ends_job: true } } }, undefined],
  ])('a model that reads rows with a null key reads %s', async (_, read, counted) => {
    const reader = { sql: 'SELECT segment, n FROM @@m0 WHERE n > 1' };
    const { job } = await compiled({ sql: grouped, ...read }, reader);
    expect(job?.nullKeys?.columns).toEqual(counted);
  });

  it('a model that rejects null keys hands on none', async () => {
    const whole = grouped.replace('GROUP', 'WHERE segment IS NOT NULL GROUP');
    const { job } = await compiled({ sql: whole }, { sql: 'SELECT segment, n FROM @@m0' });
    expect(job?.nullKeys).toBeUndefined();
  });

  it('go to a dead-letter topic where they are appended to a compacted one', async () => {
    const { job } = await compiled({ key: 'segment', sql: appended, ...compacted });
    expect(job?.nullKeys?.topic).toBe('m.null-keys');
    expect(job?.job.statements.find((sql) => sql.includes("'topic' = 'm.null-keys'"))).toContain(
      '`region` STRING',
    );
    expect(job?.job.statements.at(-1)).toContain('FROM `m_rows`\nWHERE `segment` IS NULL');
  });

  it.each([
    [
      'a key that is COALESCE',
      {
        sql: grouped
          .replaceAll('segment', 'c')
          .replace('@orders', "(SELECT COALESCE(segment, '') AS c FROM @orders)"),
      },
    ],
    ['a key declared as NOT NULL', { sql: grouped.replaceAll('segment', 'code') }],
    ['a key that WHERE rejects nulls of', { sql: grouped.replace('GROUP', "WHERE segment <> 'x' GROUP") }],
    ['appended rows', { key: 'segment', sql: appended }],
    [
      'a compacted topic whose key is JSON',
      { key: 'amount', sql: 'SELECT amount FROM @orders', ...compacted },
    ],
    ['changes without a key', { sql: 'SELECT o.id FROM @orders o LEFT JOIN @users u ON o.id = u.id' }],
  ])('are written as all others with %s', async (_, model) => {
    const { job } = await compiled(model);
    expect(job?.nullKeys).toBeUndefined();
    expect(job?.job.statements.at(-1)).toMatch(/^INSERT INTO `m`/);
  });
});

describe('the topic of rows with a null key', () => {
  /** A project whose model `m` has one. */
  async function compileWith({ models = [], more = [], keys = {} }: NullKeyProject) {
    const m = {
      name: 'm',
      key: 'segment',
      ...compacted,
      ...keys,
      sql: appended.replace('@orders', of('orders')),
    };
    const files = {
      'stream_project.yml': projectWith(...more),
      'models/m.yml': JSON.stringify({ sources, models: [m, ...models] }),
    };
    const loaded = await loadProject({ fileSystem: memoryFileSystem(files) });
    return compile(loaded, { today: '2025-01-01' });
  }

  it('the topic is an artifact of its model, in JSON without keys', async () => {
    const registry = ['  schema_registry:', '    url: http://localhost:8081'];
    const { manifest } = await compileWith({ keys: { schema: { format: 'avro' } }, more: registry });
    const topics = manifest?.artifacts.topics ?? [];
    expect(topics.find(({ name }) => name === 'm.null-keys')).toMatchObject({
      owner: { node: 'model:m' },
      format: 'json',
      key_format: 'none',
    });
  });

  it('no other model writes the topic', async () => {
    const other = { name: 'other', sql: `SELECT id FROM ${of('orders')}` };
    const models = [{ ...other, advanced: { topic: { name: 'm.null-keys' } } }];
    expect((await compileWith({ models })).diagnostics.map(({ message }) => message)).toContain(
      'model "m" writes its rows without a key to topic "m.null-keys", which is already written by model "other"',
    );
    expect((await compileWith({ models: [other] })).diagnostics.map(({ code }) => code)).not.toContain(
      'LV3110',
    );
  });

  it('the topic follows the rule for names of topics', async () => {
    const rule = (pattern: string) => ['rules:', '  topics:', `    naming_pattern: '${pattern}'`];
    const { diagnostics } = await compileWith({ more: rule('[a-z]+') });
    expect(diagnostics.map(({ message }) => message)).toContain(
      'model "m" writes its rows without a key to topic "m.null-keys", but rule "topics.naming_pattern" requires names that match "[a-z]+"',
    );
    const allowed = await compileWith({ more: rule('[a-z]+([.]null-keys)?') });
    expect(allowed.diagnostics.map(({ message }) => message).join()).not.toContain('naming_pattern');
  });
});

interface NullKeyProject {
  readonly models?: readonly object[];
  /** Lines of the project file. */
  readonly more?: readonly string[];
  readonly keys?: object;
}

function of(source: string): string {
  return `{{ source("${source}") }}`;
}
