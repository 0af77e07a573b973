import { describe, expect, test } from 'vitest';
import { compile, loadProject } from '../src/index.ts';
import { memoryFileSystem } from './project-support/memory-file-system.ts';
import { projectWith } from './validate-support/validate-files.ts';

const sources = [
  {
    name: 'orders',
    topic: 'orders.v1',
    partitions: 2,
    columns: [
      { name: 'id', type: 'BIGINT' },
      { name: 'customer', type: 'STRING' },
      { name: 'ts', type: 'TIMESTAMP(3)' },
    ],
    event_time: { column: 'ts' },
  },
];

type Model = Readonly<Record<string, unknown>>;

/** A model whose SQL names others as `@name`, and the source as `@@name`. */
function model(name: string, sql: string, more: Model = {}): Model {
  const text = sql.replace(/@@(\w+)/g, '{{ source("$1") }}').replace(/@(\w+)/g, '{{ ref("$1") }}');
  return { name, sql: text, ...more };
}

function engine(settings: Model): Model {
  return { advanced: { engine: settings } };
}

/** Findings with one of these codes, as `code place message — hint`. */
async function findingsOf(models: readonly Model[], ...codes: readonly string[]): Promise<readonly string[]> {
  const files = {
    'stream_project.yml': projectWith(),
    'models/m.yml': JSON.stringify({ sources, models }),
  };
  const loaded = await loadProject({ fileSystem: memoryFileSystem(files) });
  const { diagnostics } = compile(loaded, { today: '2025-01-01' });
  return diagnostics
    .filter(({ code, severity }) => codes.includes(code) || severity === 'error')
    .map(({ code, path, message, hint }) => `${code} ${path}: ${message} — ${hint}`);
}

const near = "JOIN @b y ON x.id = y.id AND x.ts BETWEEN y.ts AND y.ts + INTERVAL '1' MINUTE";

describe('a job that reads a topic that it writes', () => {
  const models = [
    model('a', 'SELECT id, customer, ts FROM @@orders'),
    model('b', 'SELECT id, ts FROM @a', engine({ ends_job: true })),
    model('c', `SELECT x.id, x.customer FROM @a x ${near}`),
  ];

  test('LV5009 says which models are in one job although one reads the topic of the other', async () => {
    expect(await findingsOf(models, 'LV5009')).toEqual([
      'LV5009 models[2].sql: model "c" reads the topic of model "b" in the job that writes it: "b" ends its job, since it says "ends_job", but other models make both one job — for two jobs, end the job at the models that connect them as well',
    ]);
  });

  test('LV5007 says that it makes event time again from that topic', async () => {
    expect(await findingsOf(models, 'LV5007')).toEqual([
      expect.stringContaining('model "c" makes event time again from the topic of model "b"'),
    ]);
  });

  test('LV5009 is silent where readers of a topic are in jobs of their own', async () => {
    const apart = [...models.slice(0, 2), model('c', 'SELECT id FROM @b')];
    expect(await findingsOf(apart, 'LV5009')).toEqual([]);
  });
});

describe('LV5010', () => {
  const interval = (ms: number) => engine({ checkpoint_interval_ms: ms });
  const exactly = engine({ delivery: 'exactly_once' });

  test('counts the shortest interval of the models of a job, whichever of them asks for exactly once', async () => {
    const models = [
      model('a', 'SELECT id FROM @@orders', interval(3_600_000)),
      model('b', 'SELECT id FROM @a', interval(900_000)),
      model('c', 'SELECT id FROM @a', exactly),
    ];
    expect(await findingsOf(models, 'LV5010')).toEqual([
      expect.stringMatching(/^LV5010 models\[1\].* a checkpoint each 15 min: .* after 15 min/),
    ]);
  });

  test.each([
    ['a model of the job has checkpoints before its transactions end', interval(899_999)],
    ['no model says how often checkpoints are made', {}],
  ])('is silent where %s', async (_, more) => {
    const models = [model('a', 'SELECT id FROM @@orders', more), model('b', 'SELECT id FROM @a', exactly)];
    expect(await findingsOf(models, 'LV5010')).toEqual([]);
  });
});
