import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { generateProject } from '../bench/generate-project.ts';
import {
  type Compilation,
  checkProject,
  compile,
  type LoadOptions,
  loadProject,
  type ProjectReport,
} from '../src/index.ts';
import { anyEdit, applyEdit, type Files } from './incremental-support/edits.ts';
import { snapshotOf } from './incremental-support/snapshot.ts';
import { memoryFileSystem } from './project-support/memory-file-system.ts';

const today = '2025-01-01';
const start: Files = Object.fromEntries(generateProject({ models: 14, seed: 7 }));

type Loaded = Awaited<ReturnType<typeof loadProject>>;

function load(files: Files, options: Partial<LoadOptions> = {}): Promise<Loaded> {
  return loadProject({ fileSystem: memoryFileSystem(files), ...options });
}

describe('a report that builds on an earlier one', () => {
  test('says and compiles the same as a new one, whatever was edited, added, removed or renamed', async () => {
    let compiled = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(anyEdit, { minLength: 1, maxLength: 5 }), async (edits) => {
        let files = start;
        let loaded = await load(files);
        let report: Compilation = compile(loaded, { today });
        for (const edit of edits) {
          const step = applyEdit(files, edit);
          files = step.files;
          loaded = await load(files, { previous: loaded, changed: step.changed });
          report = compile(loaded, { today, previous: report });
          const fresh = compile(await load(files), { today });
          expect(snapshotOf(report)).toBe(snapshotOf(fresh));
          expect([...report.files, ...report.secretFiles]).toEqual([...fresh.files, ...fresh.secretFiles]);
          compiled += fresh.valid ? 1 : 0;
        }
      }),
      { numRuns: 12 },
    );
    expect(compiled).toBeGreaterThan(5);
  });

  test('compiles again only what depends on an edit', async () => {
    const loaded = await load(start);
    const first = compile(loaded, { today });
    const path = 'models/area0/models_0.yml';
    const files = { ...start, [path]: (start[path] ?? '').replace('amount > 0', 'amount > 1') };
    const again = compile(await load(files, { previous: loaded, changed: [path] }), {
      today,
      previous: first,
    });
    const changed = [...again.files].filter(([name, text]) => first.files.get(name) !== text);
    expect(changed.map(([name]) => name).sort()).toEqual(['jobs/model_0.sql', 'manifest.json']);
    const entry = (report: Compilation) => report.manifest?.models.find(({ name }) => name === 'model_10');
    expect(entry(again)).toBe(entry(first));
  });

  test('a model is written again when another one of its job takes the name of its table', async () => {
    const path = 'models/two.yml';
    const project = `project: {name: shop, version: 1.0.0}
runtime:
  platform: {bootstrap_servers: 'localhost:9092'}
  engine: {default: main, clusters: {main: {type: rest, rest_url: 'http://localhost:8082'}}}
sources:
  - name: s
    topic: s.v1
    columns: [{name: id, type: STRING}]
`;
    const filesWith = (alias: string) => ({
      'stream_project.yml': project,
      'models/one.yml': `models:
  - {name: one, sql: "SELECT id FROM {{ source('s') }}"}
`,
      [path]: `models:
  - {name: two, sql: "SELECT ${alias}.id FROM {{ ref('one') }} AS ${alias}"}
`,
    });
    const loaded = await load(filesWith('x'));
    const before = compile(loaded, { today });
    const next = await load(filesWith('one_topic'), { previous: loaded, changed: [path] });
    const again = compile(next, { today, previous: before });
    const fresh = compile(await load(filesWith('one_topic')), { today });
    expect(before.files.get('jobs/one.sql')).toContain('INSERT INTO `one_topic`');
    expect(fresh.files.get('jobs/one.sql')).toContain('INSERT INTO `one_topic2`');
    expect([...again.files]).toEqual([...fresh.files]);
  });

  test('says the same when variables or the day are others', async () => {
    const files = {
      ...start,
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the project
      'models/v.yml': 'models:\n  - {name: "${NAME}", sql: "SELECT id FROM {{ source(\'source_0\') }}"}\n',
    };
    const first = checkProject(await load(files, { environment: { NAME: 'one' } }), { today });
    for (const environment of [{ NAME: 'two' }, {}, { NAME: 'model_0' }]) {
      const loaded = await load(files, { environment });
      const again = checkProject(loaded, { today: '2030-01-01', previous: first });
      expect(snapshotOf(again)).toBe(snapshotOf(checkProject(loaded, { today: '2030-01-01' })));
    }
  });

  test('says the same when a model has another key that a temporal join must compare', async () => {
    const source = `sources:
  - name: s
    topic: s.v1
    columns: [{name: id, type: STRING}, {name: code, type: STRING}, {name: ts, type: TIMESTAMP(3)}]
    event_time: {column: ts}
`;
    const join = `models:
  - name: joined
    sql: |
      SELECT s.id, v.code FROM {{ source("s") }} AS s
      JOIN {{ ref("versions") }} FOR SYSTEM_TIME AS OF s.ts AS v ON s.id = v.id
`;
    const keyed = (key: string) =>
      `models:\n  - {name: versions, key: ${key}, sql: 'SELECT id, code, ts FROM {{ source("s") }}'}\n`;
    const filesOf = (key: string) => ({
      'stream_project.yml': start['stream_project.yml'] ?? '',
      'sources/s.yml': source,
      'models/join.yml': join,
      'models/versions.yml': keyed(key),
    });
    const first = await load(filesOf('id'));
    const report = checkProject(first, { today });
    const files = filesOf('code');
    const next = await load(files, { previous: first, changed: ['models/versions.yml'] });
    const again = checkProject(next, { today, previous: report });
    expect(again.diagnostics.map(({ code }) => code)).toContain('LV4183');
    expect(snapshotOf(again)).toBe(snapshotOf(checkProject(await load(files), { today })));
  });

  test('says the same when the topic is renamed that another model names in "from"', async () => {
    const reader = 'models:\n  - {name: out, from: a.v1, sink: {connector: http-sink, config: {a: b}}}\n';
    const writer = (topic: string) =>
      `models:\n  - {name: a, sql: "SELECT id FROM {{ source('source_0') }}", advanced: {topic: {name: ${topic}}}}\n`;
    let loaded = await load({ ...start, 'models/r.yml': reader, 'models/w.yml': writer('a.v1') });
    let report = checkProject(loaded, { today });
    const counts: number[] = [];
    for (const topic of ['a.v2', 'a.v1']) {
      const files = { ...start, 'models/r.yml': reader, 'models/w.yml': writer(topic) };
      loaded = await load(files, { previous: loaded, changed: ['models/w.yml'] });
      report = checkProject(loaded, { today, previous: report });
      expect(snapshotOf(report)).toBe(snapshotOf(checkProject(await load(files), { today })));
      counts.push(report.project.resolved.edges.filter(({ to }) => to === 'model:out').length);
    }
    expect(counts).toEqual([0, 1]);
  });

  test('keeps the objects of files that did not change', async () => {
    const loaded = await load(start);
    const first = checkProject(loaded, { today });
    const path = 'models/area0/models_10.yml';
    const files = { ...start, [path]: (start[path] ?? '').replace('amount > 0', 'amount > 1') };
    const again = checkProject(await load(files, { previous: loaded, changed: [path] }), {
      today,
      previous: first,
    });
    const model = (report: ProjectReport, name: string) => report.project.resolved.models.get(name);
    expect(model(again, 'model_0')).toBe(model(first, 'model_0'));
    expect(model(again, 'model_10')).not.toBe(model(first, 'model_10'));
    expect(again.project.columns.get('model:model_0')).toBe(first.project.columns.get('model:model_0'));
  });
});
