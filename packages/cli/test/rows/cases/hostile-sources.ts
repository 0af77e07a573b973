import type { Row, RowsSource, SourceRow } from '../rows-case.ts';

function at(time: string): string {
  return `2026-03-29 ${time}`;
}

type Order = readonly [
  partition: number,
  id: number,
  time: string,
  customer: number | null,
  product: string | null,
  amount: number | null,
  quantity: number | null,
  rest?: Row & { readonly late?: 'topic' | 'key' },
];

function order([partition, id, time, customer_id, product, amount, quantity, rest = {}]: Order): SourceRow {
  const { late, ...columns } = rest;
  const more = {
    tags: ['new', product],
    address: { city: 'Porto', zip: null },
    __deleted: false,
    ...columns,
  };
  const row = { id, customer_id, product, amount, quantity, ts: at(time), ...more };
  return { partition, row, ...(late === undefined ? {} : { late }) };
}

/**
 * Orders of a night in which clocks of Europe skip the hour from 02:00: two partitions with rows out of order by seconds, the same row
 * twice in one partition and in two, nulls in every column that may have one, and deletions. Each partition ends with a row of 04:00.
 */
const ordersBefore: readonly SourceRow[] = (
  [
    [0, 1, '00:59:58', 1, 'apple', 10, 1],
    [0, 2, '01:00:03', 2, 'pear', 20.5, 2],
    [0, 2, '01:00:03', 2, 'pear', 20.5, 2],
    [0, 3, '01:00:01', 1, 'apple', null, 3],
    [0, 4, '01:00:30', null, 'apple', 5.25, null, { tags: [] }],
    [0, 5, '01:01:59.999', 3, null, 7.75, 4, { tags: [null, 'old'] }],
    [0, 6, '01:02:00', 1, 'pear', 1, 5],
    [0, 7, '02:29:58', 2, 'apple', 100, 1],
    [0, 8, '02:30:00', 2, 'apple', 100, 1, { address: { city: null, zip: '4000' } }],
    [0, 9, '02:30:00', 4, 'fig', -3, 0],
    [0, 10, '03:00:00', 1, 'pear', 42.42, 7],
    [0, 11, '04:00:00', 1, 'plum', 2, 1],
    [1, 1, '00:59:58', 1, 'apple', 10, 1],
    [1, 21, '00:59:59', 2, 'pear', 3, 1],
    [1, 22, '01:00:00', 1, 'apple', 4, 2],
    [1, 22, '01:00:00', 1, 'apple', 4, 2],
    [1, 23, '00:59:57', 3, 'fig', 8, 3],
    [1, 24, '01:01:00', 2, null, null, null, { tags: null, address: null, __deleted: null }],
    [1, 25, '01:05:00', 4, 'fig', 9.99, 2, { __deleted: true }],
    [1, 26, '02:30:00', 1, 'fig', 6, 6],
    [1, 27, '02:59:59.999', 3, 'pear', 11, 1],
    [1, 28, '04:00:00', 3, 'plum', 3, 1],
  ] as const satisfies readonly Order[]
).map(order);

const ordersAfter: readonly SourceRow[] = (
  [
    [0, 31, '01:00:30', 1, 'apple', 1000, 10, { late: 'key' }],
    [1, 32, '02:30:00.500', 4, 'fig', 2000, 20, { late: 'topic' }],
    [0, 33, '04:00:03', 2, 'apple', 12, 2],
    [1, 34, '04:10:00', 1, 'pear', 13, 3],
    [0, 35, '04:10:01', null, null, null, null],
    [1, 36, '05:00:00', 5, 'kiwi', 14, 4],
    [0, 37, '05:00:00', 5, 'kiwi', 15, 5],
  ] as const satisfies readonly Order[]
).map(order);

type Payment = readonly [
  partition: number,
  id: number,
  order: number | null,
  time: string,
  amount: number | null,
  means: string | null,
  late?: 'topic' | 'key',
];

function payment([partition, pid, oid, time, amount, means, late]: Payment): SourceRow {
  return {
    partition,
    row: { pid, oid, paid: amount, means, pts: at(time) },
    ...(late === undefined ? {} : { late }),
  };
}

const paymentsBefore: readonly SourceRow[] = (
  [
    [0, 101, 1, '01:00:10', 10, 'card'],
    [0, 102, 2, '01:03:00', 20.5, null],
    [0, 103, null, '01:03:01', 1, 'cash'],
    [0, 104, 8, '02:30:20', 50, 'card'],
    [0, 105, 8, '02:30:40', 50, 'card'],
    [0, 106, 10, '03:05:00', null, 'card'],
    [0, 107, 99, '04:00:00', 1, 'card'],
    [1, 113, 3, '01:00:02', 0, 'card'],
    [1, 111, 22, '01:00:00', 4, 'cash'],
    [1, 111, 22, '01:00:00', 4, 'cash'],
    [1, 112, 21, '01:20:00', 3, 'card'],
    [1, 114, 26, '02:31:00', 6, 'cash'],
    [1, 115, 98, '04:00:01', 1, 'card'],
  ] as const satisfies readonly Payment[]
).map(payment);

const paymentsAfter: readonly SourceRow[] = (
  [
    [0, 121, 4, '01:00:40', 5.25, 'card', 'key'],
    [0, 123, 33, '04:00:30', 12, 'cash'],
    [1, 122, 34, '04:12:00', 13, 'card'],
    [1, 124, 36, '05:00:05', 14, 'card'],
    [0, 125, 97, '05:00:10', 1, 'card'],
  ] as const satisfies readonly Payment[]
).map(payment);

type Customer = readonly [
  partition: number,
  id: number,
  time: string,
  name: string | null,
  country: string | null,
  deleted?: boolean,
];

function customer([partition, customer_id, time, name, country, deleted = false]: Customer): SourceRow {
  return { partition, row: { customer_id, name, country, changed_at: at(time), __deleted: deleted } };
}

/** Versions of customers: moved, renamed in another partition, deleted, and known only after their first order. */
const customersBefore: readonly SourceRow[] = (
  [
    [0, 1, '00:00:00', 'Ada', 'PT'],
    [0, 3, '00:30:00', null, 'FR'],
    [0, 1, '02:00:00', 'Ada', 'ES'],
    [0, 3, '02:45:00', null, 'FR', true],
    [0, 9, '04:00:00', 'Zoe', 'IT'],
    [1, 2, '00:00:00', 'Bob', 'DE'],
    [1, 4, '01:03:00', 'Eve', null],
    [1, 8, '04:00:00', 'Yan', 'IT'],
  ] as const satisfies readonly Customer[]
).map(customer);

const customersAfter: readonly SourceRow[] = (
  [
    [0, 2, '04:00:02', 'Rob', 'DE'],
    [1, 5, '04:30:00', 'Kim', 'IT'],
    [0, 9, '05:00:00', 'Zoe', 'IT'],
    [1, 8, '05:00:00', 'Yan', 'IT'],
  ] as const satisfies readonly Customer[]
).map(customer);

function columns(types: Readonly<Record<string, string>>): readonly Row[] {
  return Object.entries(types).map(([name, type]) => ({ name, type }));
}

/** Without a watermark: a range over a column that has one fails in batch. */
function ddl(types: Readonly<Record<string, string>>): string {
  return Object.entries(types)
    .map(([name, type]) => `\`${name}\` ${type}`)
    .join(', ');
}

function eventTime(column: string): Row {
  return { column, watermark: { max_out_of_orderness_ms: 5000 } };
}

const orderTypes = {
  id: 'BIGINT',
  customer_id: 'BIGINT',
  product: 'STRING',
  amount: 'DECIMAL(10, 2)',
  quantity: 'INT',
  ts: 'TIMESTAMP(3)',
  tags: 'ARRAY<STRING>',
  address: 'ROW<city STRING, zip STRING>',
  __deleted: 'BOOLEAN',
};

const paymentTypes = {
  pid: 'BIGINT',
  oid: 'BIGINT',
  paid: 'DECIMAL(10, 2)',
  means: 'STRING',
  pts: 'TIMESTAMP(3)',
};

const customerTypes = {
  customer_id: 'BIGINT',
  name: 'STRING',
  country: 'STRING',
  changed_at: 'TIMESTAMP(3)',
  __deleted: 'BOOLEAN',
};

const orders: RowsSource = {
  yaml: { columns: columns(orderTypes), event_time: eventTime('ts') },
  batchColumns: ddl(orderTypes),
  partitions: 2,
  before: ordersBefore,
  after: ordersAfter,
};

/** Sources with rows that break what is not thought through. */
export const hostileSources = {
  orders,
  /** The same with a partition that never has a record, so that time stands still until it ends. */
  quiet_orders: { ...orders, partitions: 3 },
  payments: {
    yaml: { columns: columns(paymentTypes), event_time: eventTime('pts') },
    batchColumns: ddl(paymentTypes),
    partitions: 2,
    before: paymentsBefore,
    after: paymentsAfter,
  },
  customers: {
    yaml: { columns: columns(customerTypes), event_time: eventTime('changed_at') },
    batchColumns: ddl(customerTypes),
    partitions: 2,
    before: customersBefore,
    after: customersAfter,
  },
  /** A row without time. */
  timeless_orders: {
    yaml: { columns: columns({ id: 'BIGINT', ts: 'TIMESTAMP(3)' }), event_time: eventTime('ts') },
    partitions: 2,
    before: [
      { partition: 0, row: { id: 1, ts: at('01:00:00') } },
      { partition: 0, row: { id: 2, ts: null } },
      { partition: 1, row: { id: 3, ts: at('01:00:00') } },
    ],
    after: [],
  },
} satisfies Record<string, RowsSource>;
