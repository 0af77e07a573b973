import type { RowsCase, RowsModel } from '../rows-case.ts';

const O = '{{ source("orders") }}';
const clean: RowsModel = {
  name: 'clean',
  late: 'kept',
  sql: `SELECT id, customer_id, product, amount, quantity, ts FROM ${O} WHERE __deleted = FALSE`,
};
const C = '{{ ref("clean") }}';
const perMinute = {
  name: 'per_minute',
  sql: `SELECT window_time AS closed_at, customer_id, COUNT(*) AS n, SUM(quantity) AS q FROM TABLE(TUMBLE(TABLE ${C}, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) GROUP BY window_start, window_end, window_time, customer_id`,
};
const totals = {
  name: 'totals',
  key: 'customer_id',
  sql: `SELECT customer_id, COUNT(*) AS n, SUM(amount) AS total FROM ${C} WHERE customer_id IS NOT NULL GROUP BY customer_id`,
};

const lastOrder: RowsModel = {
  name: 'last_order',
  key: 'customer_id',
  sql: `SELECT customer_id, id, product, quantity FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY customer_id ORDER BY ts DESC) AS rn FROM ${C} WHERE customer_id IS NOT NULL AND id <> 37) WHERE rn = 1`,
};

const levels: RowsModel = {
  name: 'levels',
  sql: 'SELECT product, quantity, COUNT(*) AS orders FROM {{ ref("last_order") }} WHERE product IS NOT NULL AND quantity IS NOT NULL GROUP BY product, quantity',
};
const best: RowsModel = {
  name: 'best',
  sql: 'SELECT product, quantity, orders, place FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY product ORDER BY quantity DESC) AS place FROM {{ ref("levels") }}) WHERE place <= 2',
};

/** Cases in which models read models. */
export const chainCases: readonly RowsCase[] = [
  {
    name: 'chain_window',
    construct: 'window over a model',
    quick: true,
    sources: ['orders'],
    models: [clean, perMinute],
  },
  {
    name: 'chain_windows',
    construct: 'window over a window over a model',
    sources: ['orders'],
    models: [
      clean,
      perMinute,
      {
        name: 'per_ten',
        sql: `SELECT window_start, window_end, SUM(n) AS n, SUM(q) AS q FROM TABLE(TUMBLE(TABLE {{ ref("per_minute") }}, DESCRIPTOR(closed_at), INTERVAL '10' MINUTE)) GROUP BY window_start, window_end`,
      },
    ],
  },
  {
    name: 'chain_over',
    construct: 'OVER over a model',
    sources: ['orders'],
    models: [
      clean,
      {
        name: 'running',
        sql: `SELECT id, COUNT(*) OVER (PARTITION BY customer_id ORDER BY ts RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS n FROM ${C}`,
      },
    ],
  },
  {
    name: 'chain_interval_join',
    construct: 'interval join of a model',
    sources: ['orders', 'payments'],
    models: [
      clean,
      {
        name: 'paid',
        sql: `SELECT o.id, p.pid FROM ${C} AS o JOIN {{ source("payments") }} AS p ON o.id = p.oid AND p.pts BETWEEN o.ts AND o.ts + INTERVAL '10' MINUTE`,
      },
    ],
  },
  {
    name: 'chain_updates',
    construct: 'filter of an aggregate of a model',
    late: 'kept',
    quick: true,
    sources: ['orders'],
    models: [
      clean,
      totals,
      {
        name: 'small',
        key: 'customer_id',
        sql: 'SELECT customer_id, total FROM {{ ref("totals") }} WHERE total < 50',
      },
    ],
  },
  {
    name: 'chain_aggregates',
    construct: 'aggregate of an aggregate of a model',
    late: 'kept',
    sources: ['orders'],
    models: [
      clean,
      totals,
      {
        name: 'spread',
        key: 'n',
        sql: 'SELECT n, COUNT(*) AS customers, SUM(total) AS total FROM {{ ref("totals") }} GROUP BY n',
      },
    ],
  },
  {
    name: 'chain_min_max',
    construct: 'MIN, MAX over the key of a model that changes',
    late: 'kept',
    sources: ['orders'],
    models: [
      clean,
      totals,
      {
        name: 'ends',
        key: 'n',
        sql: 'SELECT n, MIN(customer_id) AS least, MAX(customer_id) AS most FROM {{ ref("totals") }} GROUP BY n',
      },
    ],
  },
  {
    name: 'chain_outer_join',
    construct: 'aggregate of a left join of models',
    late: 'kept',
    sources: ['orders', 'payments'],
    models: [
      clean,
      {
        name: 'with_payment',
        sql: `SELECT o.id, o.product, p.pid, p.paid FROM ${C} AS o LEFT JOIN {{ source("payments") }} AS p ON o.id = p.oid`,
      },
      {
        name: 'open_orders',
        key: 'product',
        sql: `SELECT COALESCE(product, '-') AS product, COUNT(*) AS n, COUNT(pid) AS paid FROM {{ ref("with_payment") }} GROUP BY COALESCE(product, '-')`,
      },
    ],
  },
  {
    name: 'chain_last_row',
    construct: 'aggregate of the last rows of a model',
    late: 'kept',
    sources: ['orders'],
    models: [
      clean,
      lastOrder,
      {
        name: 'by_product',
        key: 'product',
        sql: 'SELECT product, COUNT(*) AS n FROM {{ ref("last_order") }} WHERE product IS NOT NULL GROUP BY product',
      },
    ],
  },
  {
    name: 'chain_top_n_key',
    construct: 'top N by a key column of a model that changes',
    late: 'kept',
    sources: ['orders'],
    models: [clean, lastOrder, levels, best],
  },
  {
    name: 'topic_top_n_key',
    construct: 'top N by a key column of a topic that changes',
    late: 'kept',
    sources: ['orders'],
    models: [clean, lastOrder, { ...levels, endsJob: true }, best],
  },
  {
    name: 'topic_top_n_count',
    construct: 'top N by the number of rows of a topic that changes',
    late: 'kept',
    sources: ['orders'],
    models: [
      clean,
      lastOrder,
      { ...levels, endsJob: true },
      {
        name: 'most',
        sql: 'SELECT product, n, place FROM (SELECT *, ROW_NUMBER() OVER (ORDER BY n DESC, product) AS place FROM (SELECT product, COUNT(*) AS n FROM {{ ref("levels") }} GROUP BY product) AS g) WHERE place <= 2',
      },
    ],
  },
  {
    name: 'topic_limit',
    construct: 'ORDER BY key columns of a topic that changes … LIMIT',
    late: 'kept',
    sources: ['orders'],
    models: [
      clean,
      lastOrder,
      { ...levels, endsJob: true },
      {
        name: 'largest',
        sql: 'SELECT product, quantity FROM {{ ref("levels") }} ORDER BY quantity DESC, product LIMIT 3',
      },
    ],
  },
  {
    name: 'chain_self_join',
    construct: 'JOIN of two models of one source',
    late: 'kept',
    sources: ['orders'],
    models: [
      clean,
      totals,
      {
        name: 'shares',
        sql: `SELECT c.id, c.amount, t.total FROM ${C} AS c JOIN {{ ref("totals") }} AS t ON c.customer_id = t.customer_id`,
      },
    ],
  },
  {
    name: 'chain_union',
    construct: 'UNION ALL of models',
    late: 'kept',
    sources: ['orders', 'payments'],
    models: [
      clean,
      {
        name: 'money',
        sql: `SELECT id, amount FROM ${C} UNION ALL SELECT oid, paid FROM {{ source("payments") }}`,
      },
      {
        name: 'money_by_order',
        key: 'id',
        sql: 'SELECT id, SUM(amount) AS total, COUNT(*) AS n FROM {{ ref("money") }} WHERE id IS NOT NULL GROUP BY id',
      },
    ],
  },
  {
    name: 'quiet_tumble',
    construct: 'TUMBLE with a quiet partition',
    late: 'kept',
    sources: ['quiet_orders'],
    models: [
      {
        name: 'result',
        sql: `SELECT window_start, window_end, product, COUNT(*) AS n FROM TABLE(TUMBLE(TABLE {{ source("quiet_orders") }}, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) GROUP BY window_start, window_end, product`,
      },
    ],
  },
  {
    name: 'quiet_over',
    construct: 'OVER with a quiet partition',
    late: 'kept',
    sources: ['quiet_orders'],
    models: [
      {
        name: 'result',
        sql: 'SELECT id, COUNT(*) OVER (PARTITION BY product ORDER BY ts RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS n FROM {{ source("quiet_orders") }}',
      },
    ],
  },
];
