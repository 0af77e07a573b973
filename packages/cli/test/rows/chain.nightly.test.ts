import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTopic, readTopicsToEnd, writeTopic } from '@levada/kafka-testkit';
import { describeWithSharedBroker } from '@levada/kafka-testkit/vitest';
import { describeEngine } from '@levada/test-peers/engine';
import { expect, it } from 'vitest';
import { runCommand } from '../run-command.ts';
import {
  cancelJob,
  drainJob,
  forgetPositions,
  type Surroundings,
  startJob,
  stopJob,
  untilCaughtUp,
} from './running-job.ts';

const FIRST_MS = Date.parse('2026-01-01T10:00:00Z');
const STEP_MS = 100;
const KEYS = 7;
const TEST_LIMIT_MS = 120_000;

/** A source, a projection of it with a key, and a window over the projection. */
function project(name: string, parallelism: number): string {
  // A variable, as in every deployment
  const servers = ['$', '{BOOTSTRAP_SERVERS:-localhost:9092}'].join('');
  const engine = { parallelism };
  return JSON.stringify({
    project: { name },
    runtime: {
      platform: { bootstrap_servers: servers },
      engine: { clusters: { main: { version: '2.2' } } },
    },
    defaults: { topic: { partitions: 6, replication_factor: 1 } },
    sources: [
      {
        name: 'readings',
        topic: `${name}.readings`,
        columns: [
          { name: 'id', type: 'BIGINT' },
          { name: 'sensor', type: 'STRING' },
          { name: 'at', type: 'TIMESTAMP(3)' },
        ],
        event_time: { column: 'at', watermark: { max_out_of_orderness_ms: 5000 } },
      },
    ],
    models: [
      {
        name: 'clean',
        key: 'sensor',
        sql: 'SELECT id, sensor, `at` FROM {{ source("readings") }} WHERE id >= 0',
        advanced: { topic: { name: `${name}.clean` }, engine },
      },
      {
        name: 'per_minute',
        sql: `SELECT window_start, sensor, COUNT(*) AS n
FROM TABLE(TUMBLE(TABLE {{ ref("clean") }}, DESCRIPTOR(\`at\`), INTERVAL '1' MINUTE))
GROUP BY window_start, window_end, sensor`,
        advanced: { topic: { name: `${name}.per-minute` }, engine },
      },
    ],
  });
}

/** Rows of one partition as a block: those of all other partitions are read before or after it. */
function block(partition: number, partitions: number, from: number, to: number) {
  return Array.from({ length: to - from }, (_, index) => {
    const number = from + index;
    const at = new Date(FIRST_MS + number * STEP_MS).toISOString().slice(0, -1).replace('T', ' ');
    const row = { id: number * partitions + partition, sensor: `s${number % KEYS}`, at };
    return { partition, value: JSON.stringify(row) };
  });
}

interface Variant {
  readonly partitions: number;
  readonly parallelism: number;
  readonly rows: number;
  readonly middle: 'nothing' | 'a restart with its state' | 'a restart without its state';
}

const plain = [1, 2, 6].flatMap((partitions) =>
  [1, 6].map((parallelism): Variant => ({ partitions, parallelism, rows: 3000, middle: 'nothing' })),
);
const restarted = (['a restart with its state', 'a restart without its state'] as const).flatMap((middle) =>
  [1, 6].map((parallelism): Variant => ({ partitions: 2, parallelism, rows: 3000, middle })),
);
const variants: readonly Variant[] = [
  ...plain,
  ...restarted,
  { partitions: 2, parallelism: 1, rows: 12, middle: 'a restart with its state' },
];

describeEngine('a window over a model', '2.2.0', (engine) => {
  describeWithSharedBroker('and a broker', { version: '3.9.1' }, (broker) => {
    it.each(variants.entries().toArray())(
      'counts every row (variant %i: %j)',
      async (number: number, { partitions, parallelism, rows, middle }: Variant) => {
        const name = `chain-${number}`;
        const folder = await mkdtemp(join(tmpdir(), 'levada-chain-'));
        try {
          const build = join(folder, 'build');
          await mkdir(join(folder, 'project'));
          await writeFile(join(folder, 'project/stream_project.yml'), project(name, parallelism));
          const { code, err } = await runCommand([
            'project',
            'compile',
            join(folder, 'project'),
            '--out',
            build,
          ]);
          expect({ code, err }).toMatchObject({ code: 0 });
          const topic = `${name}.readings`;
          await createTopic(broker(), topic, { partitions });
          for (const model of ['clean', 'per-minute'])
            await createTopic(broker(), `${name}.${model}`, { partitions: 6 });
          const write = async (from: number, to: number) => {
            for (let partition = 0; partition < partitions; partition += 1)
              await writeTopic(broker(), topic, block(partition, partitions, from, to));
          };
          const around: Surroundings = { broker: broker(), engine: engine(), parallelism, folder };
          const files = { build, name: 'clean', kind: 'model' } as const;
          const half = Math.floor(rows / 2);
          await write(0, middle === 'nothing' ? rows : half);
          let job = await startJob(around, files);
          await untilCaughtUp(around, job);
          if (middle === 'a restart with its state') {
            const savepoint = await stopJob(around, job);
            await write(half, rows);
            job = await startJob(around, files, { savepoint });
          } else if (middle === 'a restart without its state') {
            await cancelJob(around, job);
            await write(half, rows);
            await forgetPositions(around, job);
            job = await startJob(around, files);
          }
          await untilCaughtUp(around, job);
          await drainJob(around, job);
          const records = await readTopicsToEnd(broker(), [`${name}.per-minute`]);
          const counts = new Map<string, number>();
          for (const { value } of records.get(`${name}.per-minute`) ?? []) {
            const row = JSON.parse(String(value)) as { window_start: string; sensor: string; n: number };
            counts.set(`${row.window_start} ${row.sensor}`, row.n);
          }
          expect([...counts.values()].reduce((sum, n) => sum + n, 0)).toBe(rows * partitions);
        } finally {
          await rm(folder, { recursive: true });
        }
      },
      TEST_LIMIT_MS,
    );
  });
});
