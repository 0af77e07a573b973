import { describe, expect, test } from 'vitest';
import {
  formatText,
  type InferredProject,
  inferProject,
  loadProject,
  type NodeId,
  parseProject,
  resolveProject,
} from '../src/index.ts';
import { typeName } from '../src/types/print-type.ts';
import { memoryFileSystem } from './project-support/memory-file-system.ts';
import { compileFiles, projectFile } from './resolve-support/compile-files.ts';

const sources = `sources:
  - name: orders
    topic: orders.v1
    columns:
      - {name: id, type: STRING}
      - {name: amount, type: INT}
      - {name: email, type: STRING}
      - {name: ts, type: TIMESTAMP(3)}
      - {name: pt, proctime: true}
    event_time: {column: ts, watermark: {max_out_of_orderness_ms: 700}, allowed_lateness_ms: 9} # levada-disable-line LV1303
  - {name: hints, topic: hints.v1, columns: [{name: id}, {name: level, classification: internal}]}
`;

async function inferred(models: string, more: Readonly<Record<string, string>> = {}) {
  return compileFiles({ 'sources/s.yml': sources, 'models/m.yml': `models:\n${models}`, ...more });
}

function typesOf({ columns }: InferredProject, id: NodeId): readonly string[] | undefined {
  return columns.get(id)?.columns.map(({ name, type }) => `${name} ${typeName(type)}`);
}

describe('a source', () => {
  test('gives a source the columns that it declares, with types, times and places', async () => {
    const { inferred: project } = await inferred('  []\n');
    const columns = project.columns.get('source:orders');
    expect(typesOf(project, 'source:orders')).toEqual([
      'id STRING',
      'amount INT',
      'email STRING',
      'ts TIMESTAMP(3)',
      'pt TIMESTAMP_LTZ(3)',
    ]);
    expect(columns?.columns.map(({ time }) => time)).toEqual([
      undefined,
      undefined,
      undefined,
      'event',
      'processing',
    ]);
    expect(columns?.byName.get('ts')?.range().start).toEqual({ line: 8, column: 16 });
    expect(project.eventTimes.get('source:orders')).toMatchObject({
      column: 'ts',
      delayMs: 700,
      allowedLatenessMs: 9,
      inherited: false,
    });
  });

  test('leaves a source open when it does not declare the type of each column', async () => {
    const { inferred: project, text } = await inferred(
      '  - {name: m, sql: \'SELECT id, level, other FROM {{ source("hints") }}\'}\n',
    );
    expect(text).toBe('');
    expect(project.columns.get('source:hints')).toMatchObject({
      incomplete: {
        reason: 'source "hints" does not say the type of each column, so it may have others',
      },
    });
    expect(project.columns.get('model:m')?.incomplete).toBeUndefined();
  });
});

describe('a model', () => {
  test('calls what has no name as the engine does, and repeated names with a number', async () => {
    const { inferred: project } = await inferred(
      '  - {name: m, sql: \'SELECT *, UPPER(id), id, id FROM {{ source("orders") }}\'}\n',
    );
    expect(project.columns.get('model:m')?.columns.map(({ name }) => name)).toEqual([
      'id',
      'amount',
      'email',
      'ts',
      'pt',
      'EXPR$5',
      'id0',
      'id1',
    ]);
  });

  test('gives a model the types that its masks leave', async () => {
    const { inferred: project } = await inferred(`  - name: m
    sql: SELECT id, amount, email, ts FROM {{ source("orders") }}
    security:
      policies:
        - mask: {column: amount, method: hash}
        - mask: {column: email, method: "null"}
        - mask: {column: id, method: redact, for_roles: [analyst]}
        - mask: {column: ts, method: partial}
`);
    expect(typesOf(project, 'model:m')).toEqual(['id STRING', 'amount STRING', 'email STRING', 'ts STRING']);
    expect(project.eventTimes.has('model:m')).toBe(false);
  });

  test('gives a model the event time that it names, with its own watermark', async () => {
    const { inferred: project } = await inferred(`  - name: own
    sql: SELECT id, ts AS happened FROM {{ source("orders") }}
    advanced: {event_time: {column: happened, watermark: {strategy: monotonously_increasing}}}
  - name: handed_on
    sql: SELECT id, ts FROM {{ source("orders") }}
    advanced: {event_time: {watermark: {max_out_of_orderness_ms: 1}}}
`);
    expect(project.eventTimes.get('model:own')).toMatchObject({
      column: 'happened',
      strategy: 'monotonously_increasing',
      delayMs: 0,
      inherited: false,
      origin: { path: 'models[0].advanced.event_time.column' },
    });
    expect(project.eventTimes.get('model:handed_on')).toMatchObject({
      column: 'ts',
      delayMs: 1,
      inherited: false,
      origin: { path: 'models[1].advanced.event_time' },
    });
  });

  test('lets windows read a model with an event time, but not its processing times', async () => {
    const window = (column: string) =>
      `SELECT window_start, window_end, COUNT(*) AS n FROM TABLE(TUMBLE(TABLE {{ ref("a") }}, DESCRIPTOR(${column}), INTERVAL '1' HOUR)) GROUP BY window_start, window_end`;
    const { text } = await inferred(`  - {name: a, sql: 'SELECT id, ts, pt FROM {{ source("orders") }}'}
  - {name: b, sql: "${window('ts').replaceAll('"', '\\"')}"}
  - {name: c, sql: "${window('pt').replaceAll('"', '\\"')}"}
`);
    expect(text.match(/LV\d+/g)).toEqual(['LV4131']);
    expect(text).toContain('models/m.yml:4:');
  });

  test('gives a sink the columns of what it reads', async () => {
    const { inferred: project } = await inferred(`  - name: m
    sql: SELECT id, amount * 2 AS twice FROM {{ source("orders") }}
  - name: s
    from: m
    sink: {connector: http-sink, config: {a: b}}
`);
    expect(typesOf(project, 'model:s')).toEqual(['id STRING', 'twice INT']);
    expect(project.columns.get('model:s')?.columns[1]?.origins).toEqual([
      { node: 'model:m', column: 'twice', through: 'identity' },
    ]);
  });

  test('gives what a machine-learning model declares', async () => {
    const { inferred: project } = await inferred(`  - name: m
    sql: SELECT id, ML_PREDICT('risk', amount).score AS score FROM {{ source("orders") }}
    ml_outputs: {risk: {columns: [{name: score, type: DOUBLE}, {name: why, type: STRING}]}}
`);
    expect(typesOf(project, 'model:m')).toEqual(['id STRING', 'score DOUBLE']);
    expect(project.columns.get('model:m')?.columns[1]?.origins).toEqual([
      { node: 'source:orders', column: 'amount', through: 'transformation' },
    ]);
  });

  test('leaves a model open when its SQL is broken, with the columns that can be read', async () => {
    const { inferred: project, text } = await inferred(
      '  - {name: m, sql: \'SELECT id, nothing, FROM {{ source("orders") }}\'}\n',
    );
    expect(text.match(/LV\d+/g)).toEqual(['LV1205']);
    expect(project.columns.get('model:m')?.incomplete?.reason).toBe('the SQL of model "m" has mistakes');
    expect(project.columns.get('model:m')?.byName.has('id')).toBe(true);
  });

  test('reports nothing about the columns of a model in a cycle, which are incomplete', async () => {
    const { inferred: project, text } = await inferred(`  - {name: a, sql: 'SELECT x FROM {{ ref("b") }}'}
  - {name: b, sql: 'SELECT y FROM {{ ref("a") }}'}
`);
    expect(text.match(/LV\d+/g)).toEqual(['LV2010']);
    expect(project.columns.get('model:a')?.incomplete?.reason).toBe('model "a" depends on itself');
  });

  test('over data that nothing declares warns of unknown columns', async () => {
    const { text } = await inferred(`  - {name: a, sql: 'SELECT x, y FROM {{ source("hints") }}'}
  - {name: b, sql: 'SELECT z FROM {{ ref("a") }}'}
`);
    expect(text).toContain('models/m.yml:3:28  warning  LV4101');
  });

  test('does not show in a message what a variable was replaced by', async () => {
    const { text } = await compileFiles(
      {
        'sources/s.yml': sources,
        // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the project
        'models/m.yml': 'models:\n  - {name: m, sql: \'SELECT ${COLUMN} FROM {{ source("orders") }}\'}\n',
      },
      { COLUMN: 'hidden_name' },
    );
    expect(text).not.toContain('hidden_name');
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the project
    expect(text).toContain('no table in FROM has a column "${COLUMN}"');
  });
});

describe('a project that is inferred again', () => {
  const files = {
    'stream_project.yml': projectFile,
    'sources/s.yml': sources,
    'models/a.yml': 'models:\n  - {name: a, sql: \'SELECT id, amount FROM {{ source("orders") }}\'}\n',
    'models/b.yml': 'models:\n  - {name: b, sql: \'SELECT id, nothing FROM {{ ref("a") }}\'}\n',
    'models/c.yml': 'models:\n  - {name: c, sql: \'SELECT id FROM {{ source("orders") }}\'}\n',
  };

  async function run(changed: Readonly<Record<string, string>>, previous?: InferredProject) {
    const loaded = await loadProject({
      fileSystem: memoryFileSystem({ ...files, ...changed }),
      environment: {},
    });
    const before = previous?.resolved;
    const parsed = parseProject(loaded.value, before === undefined ? {} : { previous: before.parsed });
    const resolved = resolveProject(parsed.value, before === undefined ? {} : { previous: before });
    const { value, diagnostics } = inferProject(resolved.value, previous === undefined ? {} : { previous });
    return { value, text: formatText(diagnostics, { files: loaded.value.files, secrets: new Map() }) };
  }

  test('takes over the columns of models that nothing changed for, and what was said of them', async () => {
    const first = await run({});
    const again = await run(
      { 'models/c.yml': files['models/c.yml'].replace('SELECT id', 'SELECT amount') },
      first.value,
    );
    expect(again.value.columns.get('model:a')).toBe(first.value.columns.get('model:a'));
    expect(again.value.columns.get('model:b')).toBe(first.value.columns.get('model:b'));
    expect(typesOf(again.value, 'model:c')).toEqual(['amount INT']);
    expect(again.text).toBe(first.text);
    expect(again.text).toContain('LV4101');
  });

  test('infers what reads a model only where its columns are others than before', async () => {
    const first = await run({});
    const moved = await run({ 'models/a.yml': `# a note\n${files['models/a.yml']}` }, first.value);
    expect(moved.value.columns.get('model:a')).not.toBe(first.value.columns.get('model:a'));
    expect(moved.value.columns.get('model:b')).toBe(first.value.columns.get('model:b'));
    const more = { 'models/a.yml': files['models/a.yml'].replace('amount', 'amount AS nothing') };
    const other = await run(more, moved.value);
    expect(other.value.columns.get('model:b')).not.toBe(moved.value.columns.get('model:b'));
    expect(other.text).toBe('');
  });
});
