import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTopic, type WrittenRecord, writeTopic } from '@levada/kafka-testkit';
import { describeWithSharedBroker } from '@levada/kafka-testkit/vitest';
import { describeEngine } from '@levada/test-peers/engine';
import { beforeAll, expect, it } from 'vitest';
import { runCommand } from '../run-command.ts';
import { allValues, lastState, untilFinished } from './bounded-run.ts';
import { deployProject } from './deployed-project.ts';
import { guideRows } from './shop-rows.ts';
import { at } from './source-forms.ts';

const LIMIT_MS = 240_000;
/** One for each model. */
const JOBS = 4;
const example = fileURLToPath(new URL('../../../../examples/debezium-project/', import.meta.url));

type Row = Readonly<Record<string, number | string | null>>;

interface Change {
  readonly before: Row | null;
  readonly after: Row | null;
}

const rowsOf = <T>(topic: string) => guideRows<T>(topic, 'debezium').flat();

/** The changes that the guide shows, those of a row in one of two partitions. */
function changesOf(topic: string, key: string): readonly WrittenRecord[] {
  return rowsOf<Change>(topic).map((change) => ({
    partition: Number((change.after ?? change.before)?.[key]) % 2,
    value: JSON.stringify(change),
  }));
}

const visit = (url: string, time: string, headers = {}): WrittenRecord => ({
  partition: url.length % 2,
  key: 'ann',
  value: JSON.stringify({ url }),
  headers,
  timestamp: at(time),
});

const written: Readonly<Record<string, readonly WrittenRecord[]>> = {
  'store.public.orders': changesOf('store.public.orders', 'order_id'),
  'store.public.customers': changesOf('store.public.customers', 'customer_id'),
  'store.countries': rowsOf<object>('store.countries').map((value, index) => ({
    partition: index,
    key: ['FR', 'DE'][index] ?? '',
    value: JSON.stringify(value),
  })),
  'store.visits': [
    visit('https://store.example/a', '10:00:10'),
    visit('https://store.example/ab', '10:00:20'),
    visit('https://store.example/a', '10:00:30'),
    visit('https://store.example/a', '10:00:40', { bot: 'yes' }),
    visit('https://store.example/a', '10:01:00'),
  ],
};

describeEngine('the project of the guide of Debezium', '2.2.0', (engine) => {
  describeWithSharedBroker('with a broker', { version: '3.9.1' }, (broker) => {
    beforeAll(async () => {
      const folder = await mkdtemp(join(tmpdir(), 'levada-debezium-'));
      try {
        const { code, err } = await runCommand(['project', 'compile', example, '--out', folder]);
        if (code !== 0) throw new Error(err);
        for (const [topic, records] of Object.entries(written)) {
          // Records of that morning are older than what a broker keeps
          await createTopic(broker(), topic, { partitions: 2, config: { 'retention.ms': '-1' } });
          await writeTopic(broker(), topic, records);
        }
        const variables = { BOOTSTRAP_SERVERS: broker().bootstrap };
        await deployProject(folder, { broker: broker(), engine: engine(), variables, bounded: true });
        await untilFinished(engine(), JOBS);
      } finally {
        for (const { name, problem } of await engine().failedJobs())
          process.stderr.write(`job "${name}": ${problem}\n`);
        await rm(folder, { recursive: true });
      }
    }, LIMIT_MS);

    it.each(['order_details', 'customer_totals'])('%s has the rows that the guide shows', async (topic) => {
      expect(rowsOf(topic).length).toBeGreaterThan(0);
      expect(await lastState(broker(), topic)).toEqual(rowsOf(topic));
    });

    it('windows count the orders that were not deleted, as the guide shows', async () => {
      expect(await allValues(broker(), 'orders_per_hour')).toEqual(rowsOf('orders_per_hour'));
    });

    it('windows of the time of records count visits by a computed page, without those whose header says so', async () => {
      const minute = (time: string) => `2026-01-01 ${time}`;
      expect(await allValues(broker(), 'visits_per_page')).toEqual([
        { window_start: minute('10:00:00'), page: '/a', visits: 2 },
        { window_start: minute('10:00:00'), page: '/ab', visits: 1 },
        { window_start: minute('10:01:00'), page: '/a', visits: 1 },
      ]);
    });

    it('no job fails', async () => {
      expect(await engine().failedJobs()).toEqual([]);
    });
  });
});
