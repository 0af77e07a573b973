import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type JavaWorker, startJavaWorker } from '@levada/kafka-testkit';
import { describeWithSchemaRegistry, describeWithSharedBroker } from '@levada/kafka-testkit/vitest';
import { describeEngine } from '@levada/test-peers/engine';
import { describeWarehouse } from '@levada/test-peers/programs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCommand } from '../run-command.ts';
import { deployConnectors, deployProject } from './deployed-project.ts';
import { guideRows, type JsonRecord, readAvro, readJson, valuesOf } from './shop-rows.ts';
import { type CustomerRow, type OrderRow, openShopTables, type ShopTables } from './shop-tables.ts';

const example = fileURLToPath(new URL('../../../../examples/shop-project/', import.meta.url));
const started = Date.now();
const SHOP_LIMIT_MS = 240_000;
const ROWS_LIMIT_MS = 60_000;

const text = 'org.apache.kafka.connect.storage.StringConverter';
/** No connector of the project uses the converters of the worker. */
const workerKeys = {
  'group.id': 'shop-connect',
  'config.storage.topic': 'shop-connect-configs',
  'offset.storage.topic': 'shop-connect-offsets',
  'status.storage.topic': 'shop-connect-statuses',
  'config.storage.replication.factor': '1',
  'offset.storage.replication.factor': '1',
  'status.storage.replication.factor': '1',
  'consumer.metadata.max.age.ms': '1000',
  'key.converter': text,
  'value.converter': text,
};

const [customers = []] = guideRows<CustomerRow>('shop.customers.v1');
const [orders = [], laterOrders = []] = guideRows<OrderRow>('shop.orders.v1');

/** A status that the guide's orders do not have. */
const MARK = 'shipped';
const MARKS = 40;

/** Orders of no customer, enough for each partition of a topic to have one: they move the time of its readers on. */
function ordersAt(time: string, first: number): readonly OrderRow[] {
  const order = {
    customer_id: 0,
    amount: 0,
    status: MARK,
    updated_at: `2026-01-01 ${time}`,
    __deleted: false,
  };
  return Array.from({ length: MARKS }, (_, index) => ({ ...order, order_id: first + index }));
}

const customerAtNoon: CustomerRow = {
  customer_id: 9,
  email: 'zoe@example.com',
  country: 'IT',
  updated_at: '2026-01-01 12:00:00',
  __deleted: false,
};

function shown(topic: string): ReadonlySet<unknown> {
  return new Set(guideRows(topic).flat());
}

describeEngine('the compiled shop', '2.2.0', (engine) => {
  describeWithSchemaRegistry('with a schema registry', (registry) => {
    describeWithSharedBroker('and a broker', { version: '3.9.1' }, (broker) => {
      const read = (topic: string, count: number) => readJson(broker(), topic, count);
      const readInAvro = (topic: string, count: number) =>
        readAvro(broker(), topic, { count, registry: registry() });
      let enriched: readonly JsonRecord[] = [];
      let revenue: readonly JsonRecord[] = [];
      let totals: readonly JsonRecord[] = [];
      let good: readonly JsonRecord[] = [];
      let violations: readonly JsonRecord[] = [];
      let failed: readonly JsonRecord[] = [];

      let folder = '';
      let tables: ShopTables;

      afterAll(() => rm(folder, { recursive: true, force: true }));
      beforeAll(async () => {
        folder = await mkdtemp(join(tmpdir(), 'levada-shop-'));
        try {
          const { code, err } = await runCommand(['project', 'compile', example, '--out', folder]);
          if (code !== 0) throw new Error(err);
          tables = await openShopTables(broker(), registry());
          await deployProject(folder, {
            broker: broker(),
            engine: engine(),
            variables: { BOOTSTRAP_SERVERS: broker().bootstrap, SCHEMA_REGISTRY_URL: registry() },
          });
          await tables.customers([...customers, customerAtNoon]);
          await tables.orders([...orders, ...ordersAt('10:10:00', 100)]);
          await Promise.all([read('shop.revenue-per-minute.v1', 4), readInAvro('shop.good-customers.v1', 1)]);
          // The first minutes are over, as the rows say that were just read.
          await tables.orders([...laterOrders, ...ordersAt('10:20:00', 200)]);
          [enriched, revenue, totals, good, violations, failed] = await Promise.all([
            readInAvro('shop.orders-enriched.v1', 7),
            read('shop.revenue-per-minute.v1', 6),
            read('shop.customer-totals.v1', 5),
            readInAvro('shop.good-customers.v1', 2),
            read('shop.test-violations', 1),
            read('shop.orders-failed.v1', 1),
          ]);
        } finally {
          for (const { name, problem } of await engine().failedJobs())
            process.stderr.write(`job "${name}": ${problem}\n`);
        }
      }, SHOP_LIMIT_MS);

      it('joins each order with its customer as of its time, and hides the address of the customer', () => {
        expect(shown('shop.orders-enriched.v1').size).toBe(7);
        expect(valuesOf(enriched)).toEqual(shown('shop.orders-enriched.v1'));
      });

      it('counts the orders of each minute, and leaves out the one that came late', () => {
        const minutes = revenue.filter(({ value }) => (value as { readonly status: string }).status !== MARK);
        expect(minutes.length).toBe(revenue.length - 1);
        expect(valuesOf(minutes)).toEqual(shown('shop.revenue-per-minute.v1'));
      });

      it('reads an aggregate back through its compacted topic, updates and a deletion', () => {
        const latest = new Map(totals.map(({ key, value }) => [JSON.stringify(key), value]));
        expect(new Set(latest.values())).toEqual(shown('shop.customer-totals.v1'));
        expect(good.map(({ value }) => value)).toEqual(guideRows('shop.good-customers.v1').flat());
        expect(good.map(({ key }) => key)).toEqual([{ customer_id: 2 }, { customer_id: 2 }]);
      });

      it('writes what breaks an assertion to the topic of violations, and the record to the dead-letter topic', () => {
        const [violation] = violations.map(({ value }) => value as { readonly detected_at: string });
        const { detected_at, ...rest } = violation ?? { detected_at: '' };
        expect([rest]).toEqual([...shown('shop.test-violations')]);
        expect(Date.parse(detected_at)).toBeGreaterThan(started);
        expect(failed).toEqual([{ key: { order_id: 7 }, value: [...shown('shop.orders-failed.v1')][0] }]);
      });

      describeWarehouse('and a database', (warehouse) => {
        let worker: JavaWorker;
        beforeAll(async () => {
          const { classpath, database } = warehouse();
          worker = await startJavaWorker(broker(), workerKeys, { classpath });
          await deployConnectors(folder, worker.url, {
            SCHEMA_REGISTRY_URL: registry(),
            WAREHOUSE_URL: database.jdbcUrl,
            WAREHOUSE_USER: database.user,
          });
        }, SHOP_LIMIT_MS);
        afterAll(() => worker?.stop());

        const rowsOf = (query: string) => () => warehouse().database.rows(query);
        const soon = { timeout: ROWS_LIMIT_MS, interval: 200 };
        const latest = new Map(
          guideRows<OrderRow>('shop.orders-enriched.v1')
            .flat()
            .map((row) => [row.order_id, row]),
        );
        const ordersTable = `SELECT order_id, amount, to_char(updated_at, 'YYYY-MM-DD HH24:MI:SS') AS updated_at,
          country, email FROM orders ORDER BY order_id`;
        const paidLater = {
          customer_id: 1,
          status: 'paid',
          updated_at: '2026-01-01 10:21:00',
          __deleted: false,
        };
        const pay = (order_id: number, amount: number) => tables.orders([{ ...paidLater, order_id, amount }]);

        it(
          'fills the warehouse with the latest row of each order',
          async () => {
            const rows = [...latest.values()].toSorted((one, other) => one.order_id - other.order_id);
            await expect.poll(rowsOf(ordersTable), soon).toEqual(rows);
          },
          SHOP_LIMIT_MS,
        );

        it(
          'inserts, changes and deletes a row of the warehouse as the model does',
          async () => {
            const table = 'SELECT customer_id, amount FROM good_customers';
            await pay(8, 1000);
            await expect.poll(rowsOf(table), soon).toEqual([{ customer_id: 1, amount: 1100 }]);
            await pay(9, 50.5);
            await expect.poll(rowsOf(table), soon).toEqual([{ customer_id: 1, amount: 1150.5 }]);
            await pay(10, -500);
            await expect.poll(rowsOf(table), soon).toEqual([]);
          },
          SHOP_LIMIT_MS,
        );

        it('keeps the tasks of the connectors running', async () => {
          const states = await Promise.all(
            ['orders_warehouse', 'good_customers_warehouse'].map(async (name) => {
              const response = await fetch(`${worker.url}connectors/${name}/status`);
              const { tasks } = (await response.json()) as {
                readonly tasks: readonly { readonly state: string }[];
              };
              return tasks.map(({ state }) => state);
            }),
          );
          expect(states).toEqual([['RUNNING'], ['RUNNING']]);
        });
      });

      it('runs without a failed job', async () => {
        expect(await engine().failedJobs()).toEqual([]);
      });
    });
  });
});
