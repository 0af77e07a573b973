import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createTopic, type WrittenRecord, writeTopic } from '@levada/kafka-testkit';
import { describeWithBroker, describeWithSchemaRegistry } from '@levada/kafka-testkit/vitest';
import { describeEngine, type PlannerVersion } from '@levada/test-peers/engine';
import { beforeAll, expect, it } from 'vitest';
import { runCommand } from '../run-command.ts';
import { allValues, lastState, untilFinished } from './bounded-run.ts';
import { deployProject } from './deployed-project.ts';
import { at, debeziumAvro, debeziumJson, sourceFormFiles } from './source-forms.ts';

const LIMIT_MS = 240_000;
/** One for each model. */
const JOBS = 10;

/** Records of each source topic, in the order of writing. */
const written: Readonly<Record<string, readonly WrittenRecord[]>> = {
  'shop.public.orders': [
    debeziumJson(1, 'r', undefined, { id: 1, customer: 'ann', amount: 10, placed: '10:00:10' }),
    debeziumJson(0, 'c', undefined, { id: 2, customer: null, amount: 5, placed: '10:00:40' }),
    debeziumJson(1, 'c', undefined, { id: 3, customer: 'bob', amount: null, placed: '10:01:05' }),
    debeziumJson(0, 'd', { id: 2, customer: null, amount: 5, placed: '10:00:40' }, undefined),
    { partition: 0, key: '{"id":2}', value: null },
    debeziumJson(
      1,
      'u',
      { id: 1, customer: 'ann', amount: 10, placed: '10:00:10' },
      { id: 1, customer: 'ann', amount: 15, placed: '10:00:10' },
    ),
    debeziumJson(
      1,
      'u',
      { id: 3, customer: 'bob', amount: null, placed: '10:01:05' },
      { id: 3, customer: 'ann', amount: null, placed: '10:01:05' },
    ),
    // Debezium delivers at least once: after a crash it repeats what it had written before
    debeziumJson(
      1,
      'u',
      { id: 1, customer: 'ann', amount: 10, placed: '10:00:10' },
      { id: 1, customer: 'ann', amount: 15, placed: '10:00:10' },
    ),
    debeziumJson(0, 'd', { id: 2, customer: null, amount: 5, placed: '10:00:40' }, undefined),
    debeziumJson(0, 'c', undefined, { id: 4, customer: 'bob', amount: 7, placed: '10:01:30' }),
  ],
  'customers.v1': [
    { partition: 0, key: 'ann', value: '{"id":"ann","name":"Ann"}', timestamp: at('10:00:00') },
    { partition: 1, key: 'bob', value: '{"id":"bob","name":null}', timestamp: at('10:00:00') },
    { partition: 1, key: 'cid', value: '{"id":"cid","name":"Cid"}', timestamp: at('10:00:00') },
    { partition: 0, key: 'ann', value: '{"id":"ann","name":"Anna"}', timestamp: at('10:00:30') },
    { partition: 1, key: 'cid', value: null, timestamp: at('10:00:30') },
  ],
  'prices.v1': [
    { partition: 0, key: '{"shop":"a","product":1}', value: '{"price":1.50}' },
    { partition: 1, key: '{"shop":"a","product":2}', value: '{"price":null}' },
    { partition: 1, key: '{"shop":"b","product":1}', value: '{"price":9}' },
    { partition: 0, key: '{"shop":"a","product":1}', value: '{"price":2.25}' },
    { partition: 1, key: '{"shop":"b","product":1}', value: null },
  ],
  'clicks.v1': [
    click(0, 'ann', { url: 'https://a.example/x', time: '10:00:10', trace: 't1' }),
    click(1, 'cid', { url: 'https://b.example/', time: '10:00:15' }),
    click(1, 'ann', { url: 'https://a.example/y', time: '10:00:40' }),
    click(0, undefined, { url: null, time: '10:00:20' }),
    click(1, 'cid', { url: 'https://b.example/', time: '10:00:45' }),
    click(0, 'bob', { url: 'no address', time: '10:01:00' }),
  ],
};

function click(
  partition: number,
  visitor: string | undefined,
  { url, time, trace }: { readonly url: string | null; readonly time: string; readonly trace?: string },
): WrittenRecord {
  return {
    partition,
    ...(visitor === undefined ? {} : { key: visitor }),
    value: JSON.stringify({ url, at: at(time) }),
    timestamp: at(time) + 1,
    ...(trace === undefined ? {} : { headers: { id: trace } }),
  };
}

/** Suite: the rows that jobs write from sources of every form, on one version of the engine. Each run has its own broker. */
export function describeSourceForms(version: PlannerVersion): void {
  describeEngine('sources of every form', version, (engine) => {
    describeWithSchemaRegistry('with a schema registry', (registry) => {
      describeWithBroker('and a broker', { version: '3.9.1' }, (broker) => {
        const state = (topic: string) => lastState(broker(), topic);
        const values = (topic: string) => allValues(broker(), topic);
        let findings = '';

        beforeAll(async () => {
          const folder = await mkdtemp(join(tmpdir(), 'levada-forms-'));
          try {
            for (const [path, text] of Object.entries(sourceFormFiles)) {
              await mkdir(dirname(join(folder, path)), { recursive: true });
              await writeFile(join(folder, path), text.replace('VERSION', version));
            }
            const out = join(folder, 'out');
            const { code, out: said, err } = await runCommand(['project', 'compile', folder, '--out', out]);
            findings = `${said}${err}`;
            if (code !== 0) throw new Error(findings);
            const payments = await debeziumAvro(registry(), 'shop.public.payments', [
              [0, 'c', undefined, { id: 1, paid_by: 'card' }],
              [1, 'c', undefined, { id: 2, paid_by: null }],
              [1, 'r', undefined, { id: 3, paid_by: 'cash' }],
              [0, 'u', { id: 1, paid_by: 'card' }, { id: 1, paid_by: 'cash' }],
              [1, 'd', { id: 3, paid_by: 'cash' }, undefined],
            ]);
            for (const [topic, records] of [
              ...Object.entries(written),
              ['shop.public.payments', payments] as const,
            ]) {
              // Records of that morning are older than what a broker keeps
              await createTopic(broker(), topic, { partitions: 2, config: { 'retention.ms': '-1' } });
              await writeTopic(broker(), topic, records);
            }
            await deployProject(out, {
              broker: broker(),
              engine: engine(),
              variables: { BOOTSTRAP_SERVERS: broker().bootstrap, SCHEMA_REGISTRY_URL: registry() },
              bounded: true,
            });
            await untilFinished(engine(), JOBS);
          } finally {
            for (const { name, problem } of await engine().failedJobs())
              process.stderr.write(`job "${name}": ${problem}\n`);
            await rm(folder, { recursive: true });
          }
        }, LIMIT_MS);

        it('the rows of a table follow Debezium, inserts, updates, deletes and what it delivers twice', async () => {
          const changed = '2026-01-01 10:05:00Z';
          expect(await state('orders_now')).toEqual([
            { id: 1, customer: 'ann', amount: 15, relation: 'orders', changed },
            { id: 3, customer: 'ann', amount: null, relation: 'orders', changed },
            { id: 4, customer: 'bob', amount: 7, relation: 'orders', changed },
          ]);
          expect(await state('payments_now')).toEqual([
            { id: 1, paid_by: 'cash' },
            { id: 2, paid_by: null },
          ]);
        });

        it('groups count each row once, and a group without rows is deleted', async () => {
          expect(await state('spent')).toEqual([
            { who: 'ann', orders: 2, total: 15 },
            { who: 'bob', orders: 1, total: 7 },
          ]);
        });

        it('windows of a computed event time count rows that were not withdrawn', async () => {
          expect(await values('orders_per_minute')).toEqual([
            { window_start: '2026-01-01 10:00:00', orders: 1 },
            { window_start: '2026-01-01 10:01:00', orders: 2 },
          ]);
          expect(await values('clicks_per_minute')).toEqual([
            { window_start: '2026-01-01 10:00:00', clicks: 5 },
            { window_start: '2026-01-01 10:01:00', clicks: 1 },
          ]);
        });

        it('an upsert topic is the latest row of each key, without those that were deleted', async () => {
          expect(await state('customers_now')).toEqual([
            { id: 'ann', name: 'ANNA', changed: '2026-01-01 10:00:30Z' },
            { id: 'bob', name: null, changed: '2026-01-01 10:00:00Z' },
          ]);
          expect(await state('prices_now')).toEqual([
            { shop: 'a', product: 1, price: 2.25, part: 0, place: 1, origin: 'prices.v1' },
            { shop: 'a', product: 2, price: null, part: 1, place: 0, origin: 'prices.v1' },
          ]);
        });

        it('a join of tables has each row by the key that the engine does not find', async () => {
          expect(await state('named_orders')).toEqual([
            { id: 1, name: 'Anna' },
            { id: 3, name: 'Anna' },
            { id: 4, name: null },
          ]);
        });

        it('columns hold the metadata of their record', async () => {
          const shared = { origin: 'clicks.v1', trace_id: null };
          expect(await values('clicks_seen')).toEqual(
            [
              {
                visitor: 'ann',
                url: 'https://a.example/x',
                host: 'a.example',
                time: '10:00:10',
                part: 0,
                place: 0,
                trace_id: 't1',
              },
              {
                visitor: 'ann',
                url: 'https://a.example/y',
                host: 'a.example',
                time: '10:00:40',
                part: 1,
                place: 1,
              },
              { visitor: 'bob', url: 'no address', host: null, time: '10:01:00', part: 0, place: 2 },
              {
                visitor: 'cid',
                url: 'https://b.example/',
                host: 'b.example',
                time: '10:00:15',
                part: 1,
                place: 0,
              },
              {
                visitor: 'cid',
                url: 'https://b.example/',
                host: 'b.example',
                time: '10:00:45',
                part: 1,
                place: 2,
              },
              { visitor: null, url: null, host: null, time: '10:00:20', part: 0, place: 1 },
            ].map(({ time, ...row }) => ({
              ...shared,
              ...row,
              time: `2026-01-01 ${time}Z`,
              written: `2026-01-01 ${time}.001Z`,
            })),
          );
        });

        it('versions are those of the time of their records, but for those of deleted rows, as LV4200 says', async () => {
          expect(findings).toContain('LV4200');
          expect(await values('named_clicks')).toEqual(
            [
              { visitor: 'ann', time: '10:00:10', name: 'Ann' },
              { visitor: 'ann', time: '10:00:40', name: 'Anna' },
              { visitor: 'bob', time: '10:01:00', name: null },
              { visitor: 'cid', time: '10:00:15', name: null },
              { visitor: 'cid', time: '10:00:45', name: null },
              { visitor: null, time: '10:00:20', name: null },
            ].map(({ time, ...row }) => ({ ...row, time: `2026-01-01 ${time}Z` })),
          );
        });

        it('no job fails', async () => {
          expect(await engine().failedJobs()).toEqual([]);
        });
      });
    });
  });
}
