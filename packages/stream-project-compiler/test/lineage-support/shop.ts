/** A shop with one node of every kind, in three files. */
export const shop: Readonly<Record<string, string>> = {
  'sources/orders.yml': `sources:
  - name: orders_raw
    topic: orders.v1
    owner: team-shop
    tags: [pii, raw]
    description: Orders as they come in
    columns:
      - {name: id, type: BIGINT}
      - {name: email, type: STRING}
      - {name: amount, type: 'DECIMAL(10, 2)'}
`,
  'models/clean/orders.yml': `models:
  - name: orders_clean
    owner: team-data
    group: finance
    access: private
    tags: [pii]
    sql: SELECT id, email, amount FROM {{ source("orders_raw") }} WHERE amount > 0
  - name: orders_total
    owner: team-data
    group: finance
    sql: SELECT email, SUM(amount) AS total FROM {{ ref("orders_clean") }} GROUP BY email
`,
  'models/out.yml': `models:
  - name: orders_warehouse
    owner: team-shop
    from: orders_total
    sink: {connector: http-sink, config: {a: b}}
exposures:
  - name: Sales board
    type: dashboard
    consumes: [{ref: orders_total}, {source: orders_raw}]
  - name: checkout
    type: application
    produces: [{source: orders_raw}]
`,
};
