// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts speak of variables
import { describe, expect, test } from 'vitest';
import { lines, projectWith, validateFiles } from './validate-support/validate-files.ts';

const source = lines('sources:', '  - {name: payments, topic: payments.v1}');

function model(...more: readonly string[]): string {
  return lines('models:', '  - name: orders', ...more.map((line) => `    ${line}`));
}

const simple = 'sql: SELECT id FROM {{ source("payments") }}';

/** What rules say of a model that reads a source. */
async function rulesSay(rules: readonly string[], models = model(simple), more = {}) {
  return await validateFiles({
    'stream_project.yml': projectWith('rules:', ...rules.map((line) => `  ${line}`)),
    'models/m.yml': models,
    'sources/s.yml': source,
    ...more,
  });
}

describe('numbers of topics', () => {
  test('a number that nothing gives breaks no rule', async () => {
    const { names } = await rulesSay(['topics: {min_partitions: 6, min_replication_factor: 3}']);
    expect(names).toEqual([]);
  });

  test('a number that equals the bound is within it', async () => {
    const topic = 'advanced: {topic: {partitions: 6, replication_factor: 3}}';
    const rules = 'topics: {min_partitions: 6, max_partitions: 6, min_replication_factor: 3}';
    expect((await rulesSay([rules], model(simple, topic))).names).toEqual([]);
  });

  test('sinks and virtual topics have no partitions of their own', async () => {
    const sink = model(
      'from: [{source: payments}]',
      'sink: {connector: http-sink, config: {a: b}}',
      'advanced: {topic: {partitions: 1}}',
    );
    expect((await rulesSay(['topics: {min_partitions: 6}'], sink)).names).not.toContain(
      'rule-min-partitions',
    );
  });

  test('bounds that contradict each other are reported once, and no topic is', async () => {
    const found = await rulesSay(
      ['topics: {min_partitions: 9, max_partitions: 6}'],
      model(simple, 'advanced: {topic: {partitions: 7}}'),
    );
    expect(found.names).toEqual(['rule-bounds']);
  });

  test('does not print the value of a variable', async () => {
    const files = {
      'stream_project.yml': projectWith('rules:', '  topics: {min_partitions: "${LEAST}"}'),
      'models/m.yml': model(simple, 'advanced: {topic: {partitions: "${COUNT}"}}'),
      'sources/s.yml': source,
    };
    const { text } = await validateFiles(files, { environment: { COUNT: '4211', LEAST: '5322' } });
    expect(text).toContain(
      'model "orders" has ${COUNT} partitions, but rule "topics.min_partitions" requires at least ${LEAST}',
    );
    expect(text).not.toMatch(/4211|5322/);
  });
});

describe('names of topics', () => {
  test.each(['orders', '^orders$', '^orders', 'orders$', 'o.*', '(?i)ORDERS'])(
    'the pattern %s matches the whole name "orders"',
    async (pattern) => {
      expect((await rulesSay([`topics: {naming_pattern: '${pattern}'}`])).names).toEqual([]);
    },
  );

  test.each(['order', '^ord', 'ders', 'ORDERS', 'orders.'])(
    'the pattern %s does not match the whole name "orders"',
    async (pattern) => {
      expect((await rulesSay([`topics: {naming_pattern: '${pattern}'}`])).names).toEqual([
        'rule-naming-pattern',
      ]);
    },
  );

  test('the longest forbidden prefix is named, and the name itself may be one', async () => {
    const { text, names } = await rulesSay(['topics: {forbidden_prefixes: [o, orders, orders.]}']);
    expect(names).toEqual(['rule-forbidden-prefix']);
    expect(text).toContain('begin with "orders"');
  });

  test('a model whose SQL cannot be read is no topic yet', async () => {
    const { names } = await rulesSay(['topics: {naming_pattern: x}'], model('sql: INSERT'));
    expect(names).not.toContain('rule-naming-pattern');
  });
});

describe('what models and sources must have', () => {
  test('white space is no description, and no owner', async () => {
    const { names } = await rulesSay(
      ['models: {require_description: true, require_owner: true}'],
      model(simple, 'description: "  "', 'owner: ""'),
    );
    expect(names).toEqual(['rule-require-description', 'rule-require-owner']);
  });

  test('a key that is misspelt is not missing as well', async () => {
    const rules = ['models: {require_description: true}', 'sources: {require_schema: true}'];
    const misspelt = source.replace('topic: payments.v1', 'topic: payments.v1, shema: {subject: a}');
    const found = await rulesSay(rules, model('descripton: Orders', simple), { 'sources/s.yml': misspelt });
    expect(found.names).toEqual(['unknown-key', 'unknown-key']);
  });

  test('a rule that is false asks for nothing', async () => {
    const off = 'models: {require_description: false, require_owner: false, require_tests: false}';
    expect((await rulesSay([off])).names).toEqual([]);
  });

  test('a test of a wrong form is still a test of its model', async () => {
    const tests = lines('tests:', '  - {name: t, model: orders, type: schemas, assertions: []}');
    const { names } = await rulesSay(['models: {require_tests: true}'], model(simple), {
      'tests/t.yml': tests,
    });
    expect(names).not.toContain('rule-require-tests');
  });

  test('no test is missed while a file cannot be read', async () => {
    const { names } = await rulesSay(['models: {require_tests: true}'], model(simple), {
      'tests/t.yml': 'tests: [',
    });
    expect(names).not.toContain('rule-require-tests');
  });

  test('a source that is named twice is one dependency, "from" counts as SQL does', async () => {
    const rules = ['models: {max_dependencies: 1}'];
    const twice = model(
      'sql: SELECT a.id FROM {{ source("payments") }} a JOIN {{ source("payments") }} b ON a.id = b.id',
      'from: [{source: payments}]',
    );
    expect((await rulesSay(rules, twice)).names).not.toContain('rule-max-dependencies');
  });

  test('a schema without any key is none', async () => {
    const { names } = await validateFiles({
      'stream_project.yml': projectWith('rules: {sources: {require_schema: true, require_freshness: true}}'),
      'sources/s.yml': lines(
        'sources:',
        '  - {name: payments, topic: payments.v1, schema: {}, freshness: {max_lag_seconds: 5}}',
      ),
    });
    expect(names).toEqual(['rule-require-schema']);
  });

  test('a configuration key counts whatever its value is', async () => {
    const topic = 'advanced: {topic: {config: {retention.ms: 5}}}';
    const { text } = await rulesSay(
      ['topics: {required_config: [retention.ms, cleanup.policy, cleanup.policy]}'],
      model(simple, topic),
    );
    expect(text).toContain('does not set "cleanup.policy", but rule');
  });
});
