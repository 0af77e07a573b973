import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ReachableBroker, readTopic } from '@levada/kafka-testkit';
import { describeWithSchemaRegistry, describeWithSharedBroker } from '@levada/kafka-testkit/vitest';
import { describeEngine } from '@levada/test-peers/engine';
import { beforeAll, expect, it } from 'vitest';
import { deployProject } from './engine/deployed-project.ts';
import { type CustomerRow, type OrderRow, openShopTables } from './engine/shop-tables.ts';
import { runCommand } from './run-command.ts';

const example = fileURLToPath(new URL('../../../examples/shop-project/', import.meta.url));
const EMAILS = { 1: 'ada@example.com', 2: 'bob@example.com', 3: 'cleo@example.com' } as const;

/** An order of no customer in each partition of the topic: the time of a job is that of its slowest partition. */
function ordersAt(updated_at: string, first: number): readonly OrderRow[] {
  const order = { customer_id: 0, amount: 0, status: 'new', updated_at };
  return Array.from({ length: 40 }, (_, index) => ({ ...order, order_id: first + index }));
}

const customers: readonly CustomerRow[] = [
  { customer_id: 1, email: EMAILS[1], country: 'PT', updated_at: '09:00:00' },
  { customer_id: 2, email: EMAILS[2], country: 'DE', updated_at: '09:00:00' },
  { customer_id: 3, email: EMAILS[3], country: 'FR', updated_at: '09:00:00' },
  { customer_id: 1, email: EMAILS[1], country: 'ES', updated_at: '10:02:00' },
  { customer_id: 9, email: 'eve@example.com', country: 'IT', updated_at: '12:00:00' },
];

const firstOrders: readonly OrderRow[] = [
  { order_id: 1, customer_id: 1, amount: 100_00, status: 'new', updated_at: '10:00:10' },
  { order_id: 1, customer_id: 1, amount: 100_00, status: 'paid', updated_at: '10:00:40' },
  { order_id: 2, customer_id: 2, amount: 950_50, status: 'paid', updated_at: '10:00:50' },
  { order_id: 3, customer_id: 1, amount: 40_00, status: 'new', updated_at: '10:03:00' },
  { order_id: 4, customer_id: 2, amount: 100_00, status: 'paid', updated_at: '10:03:10' },
  { order_id: 5, customer_id: 1, amount: 1_00, status: 'paid', updated_at: '10:03:20', __deleted: true },
  ...ordersAt('10:10:00', 100),
];

/** The first one is late, and the second one takes back what was paid. */
const laterOrders: readonly OrderRow[] = [
  { order_id: 6, customer_id: 3, amount: 5_00, status: 'paid', updated_at: '10:00:30' },
  { order_id: 7, customer_id: 2, amount: -200_00, status: 'paid', updated_at: '10:11:00' },
  ...ordersAt('10:20:00', 200),
];

/** What `revenue_per_minute` says of a minute after ten. */
function revenueOf(
  minute: number,
  status: string,
  sums: { readonly orders: number; readonly revenue: number },
) {
  const at = (of: number) => `2026-01-01 10:${String(of).padStart(2, '0')}:00`;
  return { window_start: at(minute), window_end: at(minute + 1), status, ...sums };
}

/** What `orders_enriched` says of an order. */
function enriched(
  order_id: number,
  time: string,
  order: { readonly amount: number; readonly country: string; readonly customer: 1 | 2 | 3 },
) {
  const { amount, country, customer } = order;
  const email = createHash('sha256').update(EMAILS[customer]).digest('hex');
  return { order_id, amount, updated_at: `2026-01-01 ${time}`, country, email };
}

/** A record of JSON. */
interface JsonRecord {
  readonly key: unknown;
  readonly value: unknown;
}

async function readJson(
  broker: ReachableBroker,
  topic: string,
  count: number,
): Promise<readonly JsonRecord[]> {
  const parsed = (text: Buffer | null) => (text === null ? null : (JSON.parse(String(text)) as unknown));
  const records = await readTopic(broker, topic, { count, withinMs: 60_000 });
  return records.map(({ key, value }) => ({ key: parsed(key), value: parsed(value) }));
}

function valuesOf(records: readonly JsonRecord[]): ReadonlySet<unknown> {
  return new Set(records.map(({ value }) => value));
}

const SHOP_LIMIT_MS = 240_000;

describeEngine('the compiled shop', '2.2.0', (engine) => {
  describeWithSchemaRegistry('with a schema registry', (registry) => {
    describeWithSharedBroker('and a broker', { version: '3.9.1' }, (broker) => {
      const read = (topic: string, count: number) => readJson(broker(), `shop.${topic}.v1`, count);
      let revenue: readonly JsonRecord[] = [];
      let joined: readonly JsonRecord[] = [];
      let totals: readonly JsonRecord[] = [];
      let good: readonly JsonRecord[] = [];

      beforeAll(async () => {
        const folder = await mkdtemp(join(tmpdir(), 'levada-shop-'));
        try {
          const { code, err } = await runCommand(['project', 'compile', example, '--out', folder]);
          if (code !== 0) throw new Error(err);
          const tables = await openShopTables(broker(), registry());
          await deployProject(folder, {
            broker: broker(),
            engine: engine(),
            variables: { BOOTSTRAP_SERVERS: broker().bootstrap, SCHEMA_REGISTRY_URL: registry() },
          });
          await tables.customers(customers);
          await tables.orders(firstOrders);
          await Promise.all([read('revenue-per-minute', 4), read('good-customers', 1)]);
          // The first minutes are over, as the rows say that were just read.
          await tables.orders(laterOrders);
          [revenue, joined, totals, good] = await Promise.all([
            read('revenue-per-minute', 6),
            read('orders-enriched', 7),
            read('customer-totals', 5),
            read('good-customers', 2),
          ]);
        } finally {
          for (const { name, problem } of await engine().failedJobs())
            process.stderr.write(`job "${name}": ${problem}\n`);
          await rm(folder, { recursive: true });
        }
      }, SHOP_LIMIT_MS);

      it('joins each order with its customer as of its time, and hides the address of the customer', () => {
        expect(valuesOf(joined)).toEqual(
          new Set([
            enriched(1, '10:00:10', { amount: 100, country: 'PT', customer: 1 }),
            enriched(1, '10:00:40', { amount: 100, country: 'PT', customer: 1 }),
            enriched(2, '10:00:50', { amount: 950.5, country: 'DE', customer: 2 }),
            enriched(3, '10:03:00', { amount: 40, country: 'ES', customer: 1 }),
            enriched(4, '10:03:10', { amount: 100, country: 'DE', customer: 2 }),
            enriched(6, '10:00:30', { amount: 5, country: 'FR', customer: 3 }),
            enriched(7, '10:11:00', { amount: -200, country: 'DE', customer: 2 }),
          ]),
        );
      });

      it('counts the orders of each minute, and leaves out the one that came late', () => {
        expect(valuesOf(revenue)).toEqual(
          new Set([
            revenueOf(0, 'new', { orders: 1, revenue: 100 }),
            revenueOf(0, 'paid', { orders: 2, revenue: 1050.5 }),
            revenueOf(3, 'new', { orders: 1, revenue: 40 }),
            revenueOf(3, 'paid', { orders: 1, revenue: 100 }),
            revenueOf(10, 'new', { orders: 40, revenue: 0 }),
            revenueOf(11, 'paid', { orders: 1, revenue: -200 }),
          ]),
        );
      });

      it('reads an aggregate back through its compacted topic, updates and a deletion', () => {
        const latest = new Map(totals.map(({ key, value }) => [JSON.stringify(key), value]));
        expect(new Set(latest.values())).toEqual(
          new Set([
            { customer_id: 1, orders: 1, amount: 100 },
            { customer_id: 2, orders: 3, amount: 850.5 },
            { customer_id: 3, orders: 1, amount: 5 },
          ]),
        );
        expect(good).toEqual([
          { key: { customer_id: 2 }, value: { customer_id: 2, amount: 1050.5 } },
          { key: { customer_id: 2 }, value: null },
        ]);
      });

      it('runs without a failed job', async () => {
        expect(await engine().failedJobs()).toEqual([]);
      });
    });
  });
});
