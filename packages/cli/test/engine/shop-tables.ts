import { createTopic, type ReachableBroker, writeTopic } from '@levada/kafka-testkit';
import avro from 'avsc';

/** A row of the table of orders, with times as `2026-01-01 10:00:00` in UTC. */
export interface OrderRow {
  readonly order_id: number;
  readonly customer_id: number;
  readonly amount: number;
  readonly status: string;
  readonly updated_at: string;
  readonly __deleted: boolean;
}

/** A row of the table of customers. */
export interface CustomerRow {
  readonly customer_id: number;
  readonly email: string;
  readonly country: string;
  readonly updated_at: string;
  readonly __deleted: boolean;
}

const time = { type: 'long', logicalType: 'timestamp-millis' };
const ends = [
  { name: 'updated_at', type: time },
  { name: '__deleted', type: 'boolean' },
];

/** The tables as change capture writes them: Avro with logical types. */
const schemas = {
  'shop.orders.v1': {
    type: 'record',
    name: 'shop.Order',
    fields: [
      { name: 'order_id', type: 'long' },
      { name: 'customer_id', type: ['null', 'long'], default: null },
      { name: 'amount', type: { type: 'bytes', logicalType: 'decimal', precision: 10, scale: 2 } },
      { name: 'status', type: 'string' },
      ...ends,
    ],
  },
  'shop.customers.v1': {
    type: 'record',
    name: 'shop.Customer',
    fields: [
      { name: 'customer_id', type: 'long' },
      { name: 'email', type: 'string' },
      { name: 'country', type: 'string' },
      ...ends,
    ],
  },
} as const;

type ShopTopic = keyof typeof schemas;

/** The shop's two tables, followed by change capture. */
export interface ShopTables {
  orders(rows: readonly OrderRow[]): Promise<void>;
  customers(rows: readonly CustomerRow[]): Promise<void>;
}

/** Makes the topics of the tables and registers their schemas. */
export async function openShopTables(broker: ReachableBroker, registry: string): Promise<ShopTables> {
  const table = async (topic: ShopTopic) => {
    await createTopic(broker, topic);
    const id = await register(registry, topic);
    const type = avro.Type.forSchema(schemas[topic] as unknown as avro.Schema);
    const header = Buffer.alloc(5);
    header.writeInt32BE(id, 1);
    return (rows: readonly object[]) =>
      writeTopic(
        broker,
        topic,
        rows.map((row) => ({ value: Buffer.concat([header, type.toBuffer(row)]) })),
      );
  };
  const orders = await table('shop.orders.v1');
  const customers = await table('shop.customers.v1');
  return {
    orders: (rows) => orders(rows.map((row) => ({ ...captured(row), amount: decimal(row.amount) }))),
    customers: (rows) => customers(rows.map(captured)),
  };
}

async function register(registry: string, topic: ShopTopic): Promise<number> {
  const response = await fetch(`${registry}/subjects/${topic}-value/versions`, {
    method: 'POST',
    headers: { 'content-type': 'application/vnd.schemaregistry.v1+json' },
    body: JSON.stringify({ schema: JSON.stringify(schemas[topic]) }),
  });
  const answer = await response.text();
  if (!response.ok) throw new Error(answer);
  return (JSON.parse(answer) as { readonly id: number }).id;
}

function captured(row: OrderRow | CustomerRow): object {
  return { ...row, updated_at: Date.parse(`${row.updated_at}Z`) };
}

/** Avro's bytes of an amount with two decimals: the hundredths in two's complement, with the highest byte first. */
function decimal(amount: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(Math.round(amount * 100));
  return bytes;
}
