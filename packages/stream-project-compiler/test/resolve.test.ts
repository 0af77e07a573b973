import { describe, expect, test } from 'vitest';
import { entryOf, parseProject, resolveProject } from '../src/index.ts';
import { compileFiles, projectFile } from './resolve-support/compile-files.ts';

const source = 'sources: [{name: payments, topic: payments.v1}]\n';

function model(name: string, sql: string, ...more: readonly string[]): string {
  return [`  - name: ${name}`, `    sql: ${sql}`, ...more.map((line) => `    ${line}`), ''].join('\n');
}

async function namesOf(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const { diagnostics } = await compileFiles(files);
  return diagnostics.map(({ code, object }) => `${entryOf(code).name} ${object}`);
}

describe('references', () => {
  test('models, sources and exposures of any file find each other, in both directions', async () => {
    const { resolved, diagnostics } = await compileFiles({
      'sources/s.yml': source,
      'models/deep/a.yml': `models:\n${model('b', 'SELECT x FROM {{ ref("a") }} JOIN {{ source("payments") }} ON TRUE')}`,
      'models/z.yml': `models:\n${model('a', "SELECT x FROM {{source('payments')}}")}`,
      'exposures/e.yml': [
        'exposures:',
        '  - name: app',
        '    type: application',
        '    consumes: [{ref: b}, {source: payments}]',
        '    produces: [{source: payments}, {ref: a}]',
        '',
      ].join('\n'),
    });
    expect(diagnostics).toEqual([]);
    expect(resolved.edges).toEqual([
      { from: 'model:a', to: 'model:b' },
      { from: 'source:payments', to: 'model:b' },
      { from: 'source:payments', to: 'model:a' },
      { from: 'model:b', to: 'exposure:app' },
      { from: 'source:payments', to: 'exposure:app' },
      { from: 'exposure:app', to: 'source:payments' },
      { from: 'exposure:app', to: 'model:a' },
    ]);
    expect(resolved.order).toEqual(['a', 'b']);
  });

  test('a text in "from" is a model, else a source, else a topic', async () => {
    const sink = 'sink: {connector: http-sink, config: {a: b}}';
    const { resolved } = await compileFiles({
      'models/m.yml': `${source}models:
${model('a', 'SELECT x FROM {{ source("payments") }}')}
  - {name: b, from: a, ${sink}}
  - {name: c, from: payments, ${sink}}
  - {name: d, from: topic.v1, ${sink}}
`,
    });
    const targets = ['b', 'c', 'd'].map((name) =>
      resolved.models.get(name)?.inputs.map(({ target }) => target),
    );
    expect(targets).toEqual([['model:a'], ['source:payments'], [undefined]]);
  });

  test('draws an edge to the model or the source that has the topic in "from"', async () => {
    const sink = 'sink: {connector: http-sink, config: {a: b}}';
    const gateway = 'advanced: {gateway: {virtual_topic: {name: view.v1}}}';
    const { resolved } = await compileFiles({
      'models/m.yml': `${source}models:
${model('a', 'SELECT x FROM {{ source("payments") }}')}
    advanced: {topic: {name: orders.v1}}
  - {name: view, from: orders.v1, ${gateway}}
  - {name: out, from: orders.v1, ${sink}, advanced: {topic: {name: ignored.v1}}}
  - {name: more, from: view.v1, ${sink}}
  - {name: raw, from: payments.v1, ${sink}}
  - {name: none, from: ignored.v1, ${sink}}
`,
    });
    expect(resolved.edges).toEqual([
      { from: 'source:payments', to: 'model:a' },
      { from: 'model:a', to: 'model:view' },
      { from: 'model:a', to: 'model:out' },
      { from: 'model:view', to: 'model:more' },
      { from: 'source:payments', to: 'model:raw' },
    ]);
  });

  test('the hint names the other kind or a near name, in the form of its place', async () => {
    const config = 'sink: {connector: http-sink, config: {a: b}}';
    const { diagnostics } = await compileFiles({
      'models/m.yml': `${source}models:
${model('a', 'SELECT x FROM {{ ref("payments") }} JOIN {{ source("paymetns") }} ON TRUE')}
  - {name: b, from: [{ref: payments}, {ref: c}, {source: something}], ${config}}
`,
    });
    expect(diagnostics.map(({ hint }) => hint)).toEqual([
      'there is a source of that name: write {{ source("payments") }}',
      'did you mean "payments"?',
      'there is a source of that name: write {source: payments}',
      undefined,
      undefined,
    ]);
  });

  test('macros in comments are no references, and macros of SQL with mistakes are', async () => {
    const { resolved } = await compileFiles({
      'models/m.yml': `${source}models:
  - name: a
    sql: |
      SELECT x FROM FROM {{ source("payments") }} -- {{ ref("nothing") }}
`,
    });
    expect(resolved.edges).toEqual([{ from: 'source:payments', to: 'model:a' }]);
  });

  test('a name that is asked for twice is reported once, at its first place', async () => {
    const sql = 'SELECT x FROM {{ ref("nothing") }} UNION ALL SELECT x FROM {{ ref("nothing") }}';
    const { diagnostics } = await compileFiles({ 'models/m.yml': `models:\n${model('a', sql)}` });
    expect(diagnostics.map(({ range }) => range.start)).toEqual([{ line: 3, column: 32 }]);
  });

  test('names that are not defined are not reported while a file cannot be read', async () => {
    const found = await namesOf({
      'models/m.yml': `models:\n${model('a', 'SELECT x FROM {{ ref("b") }}')}`,
      'models/n.yml': 'models: [}',
    });
    expect(found.filter((name) => name.startsWith('unknown'))).toEqual([]);
  });

  test('a definition with other mistakes can be referred to', async () => {
    const found = await namesOf({
      'models/m.yml': `sources: [{name: payments}]\nmodels:\n${model('a', 'SELECT x FROM {{ source("payments") }}')}`,
    });
    expect(found).toEqual(['missing-key source:payments']);
  });

  test('a foreign key of a test names a model', async () => {
    const found = await namesOf({
      'tests/t.yml': `${source}tests:
  - name: t
    model: payments
    type: sample
    assertions: [{foreign_key: {column: a, ref_model: customers, ref_key: id}}]
`,
    });
    expect(found).toEqual(['unknown-model test:t']);
  });

  test('prints no value of a variable', async () => {
    const files = {
      'models/m.yml': `models:
  - name: a
    sql: SELECT x, FROM FROM {{ ref("\${HIDDEN}") }}, \${HIDDEN}
  - {name: b, from: "\${HIDDEN}", sink: {connector: http-sink, config: {a: b}}}
  - {name: c, from: [{ref: "\${HIDDEN}"}], sink: {connector: http-sink, config: {a: b}}}
`,
    };
    const { diagnostics, text } = await compileFiles(files, { HIDDEN: 'p4ssword' });
    expect(diagnostics.map(({ code, range }) => `${range.start.line} ${entryOf(code).name}`)).toEqual([
      '3 sql-syntax',
      '3 sql-reserved-word',
      '3 unknown-model',
      '4 literal-topic',
      '5 unknown-model',
    ]);
    expect(JSON.stringify(diagnostics) + text).not.toContain('p4ssword');
  });
});

describe('mistakes in SQL', () => {
  test.each([
    ['a literal block', ['sql: |', '  SELECT id,', '    a != b', '  FROM {{ source("payments") }}'], 6, 11],
    ['a folded block', ['sql: >-', '  SELECT id,', '  a != b', '  FROM {{ source("payments") }}'], 6, 9],
    ['double quotes', ['sql: "SELECT id,\\n a != b FROM {{ source(\'payments\') }}"'], 4, 26],
    [
      'a plain value over lines',
      ['sql: SELECT id,', '  a <> b, c != d', '  FROM {{ source("payments") }}'],
      5,
      17,
    ],
  ])('points at mistakes in SQL in %s', async (_, text, line, column) => {
    const body = text.map((part) => `    ${part}`).join('\n');
    const { diagnostics } = await compileFiles({
      'models/m.yml': `${source}models:\n  - name: a\n${body}\n`,
    });
    expect(diagnostics.map(({ range }) => range.start)).toEqual([{ line, column }]);
  });
});

describe('SQL that models share through an alias', () => {
  test('checks SQL that models share through an alias once', async () => {
    const { diagnostics, resolved } = await compileFiles({
      'models/m.yml': `${source}models:
  - name: a
    sql: &shared SELECT x FROM {{ source("payments") }} WHERE x != 1
  - name: b
    sql: *shared
`,
    });
    expect(diagnostics.map(({ object }) => object)).toEqual(['model:a']);
    expect(resolved.edges.map(({ to }) => to)).toEqual(['model:a', 'model:b']);
  });
});

describe('cycles', () => {
  test('each set of models is one finding, with the shortest way round and every step of it', async () => {
    const { diagnostics, resolved } = await compileFiles({
      'models/m.yml': `${source}models:
${model('a', 'SELECT x FROM {{ ref("b") }} JOIN {{ ref("c") }} ON TRUE')}
${model('b', 'SELECT x FROM {{ ref("c") }}')}
${model('c', 'SELECT x FROM {{ ref("a") }}')}
${model('d', 'SELECT x FROM {{ ref("d") }}')}
${model('e', 'SELECT x FROM {{ ref("d") }} JOIN {{ source("payments") }} ON TRUE')}
`,
    });
    expect(diagnostics.map(({ message, object }) => [object, message])).toEqual([
      ['model:a,b,c', 'model "a" depends on itself: a → c → a; 3 models are in cycles with it'],
      ['model:d', 'model "d" depends on itself: d → d'],
    ]);
    expect(diagnostics[0]?.related?.map(({ message }) => message)).toEqual([
      'c refers to the next model here',
    ]);
    expect(resolved.cycles).toEqual([['a', 'b', 'c'], ['d']]);
    expect(resolved.order).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  test('a way round through thousands of models is cut', async () => {
    const models = Array.from({ length: 3000 }, (_, index) =>
      model(`m${index}`, `SELECT x FROM {{ ref("m${(index + 1) % 3000}") }}`),
    );
    const { diagnostics } = await compileFiles({ 'models/m.yml': `models:\n${models.join('')}` });
    const [found, ...others] = diagnostics;
    expect(others).toEqual([]);
    expect(found?.message).toMatch(/^model "m0" depends on itself: m0 → m1 → .* → m19 → … → m0$/);
    expect(found?.related?.length).toBe(20);
    expect(found?.object.split(',').length).toBe(21);
  });

  test('an exposure that reads what comes of what it writes is none', async () => {
    const found = await namesOf({
      'models/m.yml': `${source}models:
${model('a', 'SELECT x FROM {{ source("payments") }}')}
exposures: [{name: app, type: api, consumes: [{ref: a}], produces: [{source: payments}]}]
`,
    });
    expect(found).toEqual([]);
  });
});

describe('access', () => {
  const files = (owner: string, reader: string) => ({
    'models/m.yml': `${source}models:
${model('a', 'SELECT x FROM {{ source("payments") }}', `access: ${owner}`)}
  - {name: b, ${reader}from: [{ref: a}], sink: {connector: http-sink, config: {a: b}}}
`,
  });

  test.each([
    ['private\n    group: one', '', ['access-denied model:b']],
    ['private\n    group: one', 'group: two, ', ['access-denied model:b']],
    ['private\n    group: one', 'group: one, ', []],
    ['private', 'group: two, ', []],
    ['protected\n    group: one', 'group: two, ', []],
  ])('a model with access %j and a reader with %j', async (owner, reader, expected) => {
    expect(await namesOf(files(owner, reader))).toEqual(expected);
  });
});

describe('settings', () => {
  test('each comes from the model, else from defaults, each number by itself, with its place', async () => {
    const { resolved } = await compileFiles({
      'stream_project.yml': `${projectFile}defaults:
  topic: {partitions: 1, replication_factor: 2}
  models:
    cluster: main
    topic: {partitions: 3}
`,
      'models/m.yml': `${source}models:
${model('a', 'SELECT x FROM {{ source("payments") }}')}
${model('b', 'SELECT x FROM {{ ref("a") }}', 'advanced: {engine_cluster: other, topic: {name: b.v1, partitions: 7}}')}
tests: [{name: t, model: a, type: schema, assertions: [{not_null: {columns: [x]}}]}]
`,
    });
    const shown = (name: string) =>
      Object.values(resolved.models.get(name)?.settings ?? {}).map((one) =>
        one === undefined ? undefined : [one.value, one.origin.path, one.origin.range.start.line],
      );
    expect(shown('a')).toEqual([
      ['main', 'defaults.models.cluster', 13],
      undefined,
      ['a', 'models[0].name', 3],
      [3, 'defaults.models.topic.partitions', 14],
      [2, 'defaults.topic.replication_factor', 11],
    ]);
    expect(shown('b')).toEqual([
      ['other', 'models[1].advanced.engine_cluster', 8],
      undefined,
      ['b.v1', 'models[1].advanced.topic.name', 8],
      [7, 'models[1].advanced.topic.partitions', 8],
      [2, 'defaults.topic.replication_factor', 11],
    ]);
    const cluster = resolved.tests.get('t')?.settings.engineCluster;
    expect([cluster?.value, cluster?.origin.path]).toEqual(['main', 'runtime.engine.clusters.main']);
  });

  test('chooses none of several clusters without "default"', async () => {
    const { resolved } = await compileFiles({
      'stream_project.yml': `${projectFile}      next:\n        type: docker\n`,
      'models/m.yml': `${source}models:\n${model('a', 'SELECT x FROM {{ source("payments") }}')}`,
    });
    expect(resolved.models.get('a')?.settings.engineCluster).toBeUndefined();
  });
});

describe('a second run', () => {
  const files = {
    'models/a.yml': `${source}models:\n${model('a', 'SELECT x FROM {{ source("payments") }} JOIN t ON TRUE')}`,
    'models/b.yml': `models:\n${model('b', 'SELECT x FROM {{ ref("nothing") }}')}`,
  };

  test('gives the same', async () => {
    const [one, other] = await Promise.all([compileFiles(files), compileFiles(files)]);
    expect(one.text).toBe(other.text);
    expect(one.resolved.edges).toEqual(other.resolved.edges);
  });

  test('keeps the SQL of files that did not change, and says the same', async () => {
    const { resolved } = await compileFiles(files);
    const first = resolveProject(resolved.parsed);
    const again = resolveProject(resolved.parsed, { previous: first.value });
    expect(again.diagnostics).toEqual(first.diagnostics);
    expect(again.value.models.get('a')?.sql).toBe(first.value.models.get('a')?.sql);
    expect(first.value.models.get('a')?.sql).not.toBe(resolved.models.get('a')?.sql);
  });

  test('an empty project has nothing', () => {
    const loaded = { files: [], projectFile: undefined, environmentFile: undefined, complete: true };
    const { value } = parseProject({
      ...loaded,
      variables: new Map(),
      fileVariables: new Set(),
      lostVariables: new Set(),
    });
    const { value: resolved, diagnostics } = resolveProject(value);
    expect([resolved.edges, resolved.order, diagnostics]).toEqual([[], [], []]);
  });
});
