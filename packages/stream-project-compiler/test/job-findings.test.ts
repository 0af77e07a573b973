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
  {
    name: 'accounts',
    topic: 'accounts.v1',
    changelog: 'debezium',
    key: 'id',
    columns: [
      { name: 'id', type: 'BIGINT' },
      { name: 'customer', type: 'STRING' },
    ],
  },
  {
    name: 'names',
    topic: 'names.v1',
    changelog: 'upsert',
    key: 'code',
    columns: [
      { name: 'code', type: 'STRING', metadata: 'key' },
      { name: 'label', type: 'STRING' },
    ],
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

async function compiled(
  models: readonly Model[],
  { written, ...options }: { readonly written?: string; readonly engineVersion?: string } = {},
) {
  const version = written === undefined ? '' : `\n        version: '${written}'`;
  const files = {
    'stream_project.yml': projectWith().replace('type: rest', `type: rest${version}`),
    'models/m.yml': JSON.stringify({ sources, models }),
  };
  const loaded = await loadProject({ fileSystem: memoryFileSystem(files) });
  return compile(loaded, { today: '2025-01-01', ...options });
}

/** `jobs/<name>.json`. */
async function jobFileOf(name: string, models: readonly Model[]) {
  const { files } = await compiled(models);
  return JSON.parse(files.get(`jobs/${name}.json`) ?? 'null');
}

/** Findings with one of these codes, as `code place message — hint`. */
async function findingsOf(models: readonly Model[], ...codes: readonly string[]): Promise<readonly string[]> {
  const { diagnostics } = await compiled(models);
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

describe('the start of a job is', () => {
  const [latest, resume, earliest] = ['latest', 'resume', 'earliest'].map((start) => engine({ start }));
  const at = (ms: number) => engine({ start_timestamp_ms: ms });
  const starting = (...settings: readonly (Model | undefined)[]) =>
    settings.map((one, index) =>
      index === 0
        ? model('m0', 'SELECT id FROM @@orders', one)
        : model(`m${index}`, 'SELECT id FROM @m0', one),
    );

  test.each([
    ['the one that all models say', [latest, latest], { start: 'latest' }, 0],
    ['the beginning where a model says none', [latest, undefined], { start: 'earliest' }, 1],
    [
      'the beginning where a model says a time and another one none',
      [at(5), undefined],
      { start: 'earliest' },
      1,
    ],
    [
      'the beginning where a model says so and another one a time',
      [earliest, at(5)],
      { start: 'earliest' },
      1,
    ],
    ['the beginning where models say a position and a time', [resume, at(5)], { start: 'earliest' }, 2],
    ['a time before the end', [at(5), latest], { start: 'earliest', start_timestamp_ms: 5 }, 1],
    ['the earlier one of two times', [at(5), at(7)], { start: 'earliest', start_timestamp_ms: 5 }, 1],
    ['the position of the group before the end', [latest, resume], { start: 'resume' }, 1],
  ] as const)('%s', async (_, settings, expected, findings) => {
    const models = starting(...settings);
    const { start, start_timestamp_ms } = (await jobFileOf('m0', models)).settings;
    expect(start_timestamp_ms === undefined ? { start } : { start, start_timestamp_ms }).toEqual(expected);
    expect(await findingsOf(models, 'LV5011')).toHaveLength(findings);
  });

  test('not changed by models that read only topics with the latest row of each key', async () => {
    const models = [
      model('a', 'SELECT id, customer FROM @@orders', latest),
      model('b', 'SELECT code, label FROM @@names'),
      model('c', 'SELECT a.id, b.label FROM @a a JOIN @b b ON a.customer = b.code', latest),
    ];
    expect((await jobFileOf('a', models)).settings.start).toBe('latest');
    expect(await findingsOf(models, 'LV5011')).toEqual([]);
  });
});

describe('a start without state', () => {
  const sql = {
    rows: 'SELECT id, customer FROM @@orders',
    counts: 'SELECT customer, COUNT(*) AS n FROM @@orders GROUP BY customer',
    pairs: 'SELECT o.id, u.customer AS other FROM @@orders o LEFT JOIN @@orders u ON o.customer = u.customer',
    accounts: 'SELECT id, customer FROM @@accounts',
    names: 'SELECT code, label FROM @@names',
    labels: 'SELECT label, COUNT(*) AS n FROM @@names GROUP BY label',
  };

  test.each([
    ['repeats', 'rows', {}],
    ['replaces', 'counts', {}],
    ['contradicts', 'pairs', {}],
    ['continues', 'rows', { start: 'resume' }],
    ['continues', 'rows', { start: 'latest' }],
    ['repeats', 'rows', { start_timestamp_ms: 5 }],
    ['forgets', 'counts', { start: 'resume' }],
    ['forgets', 'counts', { start_timestamp_ms: 5 }],
    ['contradicts', 'pairs', { start: 'resume' }],
    // The engine keeps the last row of each key of these changes
    ['forgets', 'accounts', { start: 'resume' }],
    // These are always read from the beginning
    ['replaces', 'names', { start: 'latest' }],
    ['replaces', 'labels', { start: 'latest' }],
  ] as const)('%s the topic of "%s" with %o', async (expected, name, settings) => {
    const file = await jobFileOf(name, [model(name, sql[name], engine(settings))]);
    expect(file.models[0].without_state).toBe(expected);
  });

  test('forgets in a model what another one of its job kept', async () => {
    const resume = engine({ start: 'resume' });
    const models = [
      model('counts', sql.counts, resume),
      model('many', 'SELECT customer, n FROM @counts WHERE n > 5', resume),
    ];
    const file = await jobFileOf('counts', models);
    expect(file.models.map((one: { readonly without_state: string }) => one.without_state)).toEqual([
      'forgets',
      'forgets',
    ]);
  });
});

describe('LV5006', () => {
  const ended = (more: Model) =>
    model('ended', 'SELECT id, customer, ts FROM @@orders', {
      advanced: { engine: { ends_job: true }, ...more },
    });
  const ordered = (table: string) =>
    model(
      'm',
      `SELECT SUM(id) OVER (PARTITION BY customer ORDER BY ts) AS s FROM ${table}`,
      engine({ parallelism: 8 }),
    );

  test.each([
    ['of a source', [ordered('@@orders')], 'but 2 read "orders": it has 2 partitions — undefined'],
    [
      'of a model',
      [ended({ topic: { partitions: 3 } }), ordered('@ended')],
      'but 3 read "ended": it has 3 partitions — undefined',
    ],
    [
      'unless they are not known',
      [ended({}), ordered('@ended')],
      'but 1 read "ended": nothing says how many partitions it has — write "advanced.topic.partitions" of model "ended"',
    ],
  ])('does not ask for the partitions %s', async (_, models, expected) => {
    expect(await findingsOf(models, 'LV5006')).toEqual([expect.stringContaining(expected)]);
  });
});

describe('a query', () => {
  const ended = model('ended', 'SELECT id, customer, ts FROM @@orders', engine({ ends_job: true }));
  const window = 'SELECT window_start, COUNT(*) AS n FROM TABLE(TUMBLE(TABLE @ended, DESCRIPTOR(ts), ';

  test.each([
    ['with a window', `${window}INTERVAL '1' MINUTE)) GROUP BY window_start, window_end`],
    [
      'with a window in GROUP BY',
      "SELECT COUNT(*) AS n FROM @ended GROUP BY TUMBLE(ts, INTERVAL '1' MINUTE)",
    ],
    ['with an interval join', `SELECT x.id FROM @ended x ${near.replace('@b', '@@orders')}`],
    [
      'with an interval join in WHERE',
      "SELECT x.id FROM @ended x, @@orders y WHERE x.id = y.id AND x.ts > y.ts AND x.ts < y.ts + INTERVAL '1' MINUTE",
    ],
    ['with a join on equal event times', 'SELECT x.id FROM @ended x JOIN @@orders y USING (ts)'],
    [
      'with a temporal join',
      'SELECT x.id FROM @ended x JOIN @ended FOR SYSTEM_TIME AS OF x.ts AS y ON x.id = y.id',
    ],
    [
      'with OVER in the order of event time',
      'SELECT SUM(id) OVER (PARTITION BY customer ORDER BY ts) AS s FROM @ended',
    ],
    ['in the order of event time', 'SELECT id FROM @ended ORDER BY ts'],
  ])('%s needs event time', async (_, sql) => {
    const models = [ended, model('m', sql, engine({ parallelism: 8 }))];
    expect(await findingsOf(models, 'LV5006', 'LV5007')).toEqual([
      expect.stringMatching(/^LV5007/),
      expect.stringMatching(/^LV5006/),
    ]);
  });

  test.each([
    [
      'with a join of other columns',
      'SELECT x.id, y.label FROM @ended x JOIN @@names y ON x.customer = y.code',
    ],
    ['with a join by USING', 'SELECT x.id FROM @ended x JOIN @@orders y USING (id)'],
    [
      'with the first rows by a column that is no time',
      'SELECT id FROM (SELECT id, ROW_NUMBER() OVER (PARTITION BY customer ORDER BY id DESC) AS n FROM @ended) WHERE n = 1',
    ],
    ['with the first rows in an order', 'SELECT id FROM @ended ORDER BY id LIMIT 5'],
    ['with a group', 'SELECT customer, COUNT(*) AS n FROM @ended GROUP BY customer'],
  ])('%s needs none, and keeps its tasks', async (_, sql) => {
    const models = [ended, model('m', sql, engine({ parallelism: 8 }))];
    expect(await findingsOf(models, 'LV5006', 'LV5007')).toEqual([]);
    expect((await jobFileOf('m', models)).settings.parallelism).toBe(8);
  });
});

describe('LV5007', () => {
  const window =
    "SELECT window_start, COUNT(*) AS n FROM TABLE(TUMBLE(TABLE @a, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) GROUP BY window_start, window_end";
  const joined =
    'SELECT o.id FROM @@orders o JOIN @a FOR SYSTEM_TIME AS OF o.ts AS a ON o.customer = a.customer';
  const first = (order: string) =>
    `SELECT id, customer, ts FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY customer ORDER BY ${order}) AS n FROM @@orders) WHERE n = 1`;

  test.each([
    [
      'asked',
      { sql: 'SELECT id, ts FROM @@orders', ...engine({ ends_job: true }) },
      window,
      'it says "ends_job"',
      'remove "ends_job" from "a", or read in "m" what "a" reads',
    ],
    [
      'event-time',
      {
        sql: 'SELECT id, ts FROM @@orders',
        advanced: { event_time: { column: 'ts', watermark: { max_out_of_orderness_ms: 60000 } } },
      },
      window,
      'it declares an event time that its SQL does not hand on, or a longer delay',
      'let "a" have the event time that its SQL hands on, or read in "m" what "a" reads',
    ],
    [
      'view',
      {
        sql: 'SELECT * FROM @@orders MATCH_RECOGNIZE (PARTITION BY customer ORDER BY ts MEASURES MATCH_ROWTIME() AS ts AFTER MATCH SKIP PAST LAST ROW PATTERN (A) DEFINE A AS A.id > 1)',
      },
      window,
      'its SQL cannot be a view',
      'write the SQL of "a" as a part of that of "m"',
    ],
    [
      'first-rows',
      { sql: first('id, customer'), key: 'customer' },
      joined,
      'the engine would take its rows for appended, and they are replaced',
      'let "a" number its rows by its event time, or by one column with DESC',
    ],
    [
      'no-job',
      {
        sql: 'SELECT id, customer, ts FROM @@orders',
        security: { policies: [{ mask: { column: 'customer', method: 'tokenize' } }] },
      },
      window,
      'it has no job',
      'let "a" have a job, or read in "m" what "a" reads',
    ],
  ])('says why a job ends and what to change: %s', async (_, { sql, ...more }, reader, why, change) => {
    expect(await findingsOf([model('a', sql, more), model('m', reader)], 'LV5007')).toEqual([
      `LV5007 models[1].sql: model "m" makes event time again from the topic of model "a": ${why} — rows that come too late in that topic are left out: ${change}`,
    ]);
  });
});

describe('LV5012', () => {
  const saidOf = async (versions: { readonly written?: string; readonly engineVersion?: string }) => {
    const { diagnostics } = await compiled([model('a', 'SELECT id FROM @@orders')], versions);
    return diagnostics.filter(({ code }) => code === 'LV5012').map(({ message }) => message);
  };

  test.each(['1.20', '1.20.3', 'v2.0', '2.2-SNAPSHOT', '2.3.0'])('is silent about %s', async (version) => {
    expect(await saidOf({ written: version })).toEqual([]);
  });

  test.each([
    ['1.15', '1.20'],
    ['1.19.3', '1.20'],
    ['1.21', '1.20'],
    ['2.10', '2.3'],
    ['3.0', '2.3'],
  ])('says of %s that jobs are written for %s', async (version, target) => {
    const says = `is of version "${version}", which jobs are not written for: they are written for ${target}`;
    expect(await saidOf({ written: version })).toEqual([`the cluster "main" ${says}`]);
  });

  test('counts a given version instead of those of clusters', async () => {
    expect(await saidOf({ written: '1.15', engineVersion: '2.1' })).toEqual([]);
    expect(await saidOf({ written: '2.1', engineVersion: '3.0' })).toEqual([
      'the given version of the engine is "3.0", which jobs are not written for: they are written for 2.3',
    ]);
  });
});
