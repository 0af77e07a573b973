/** Sources of every form that the engine reads, as a file of a project. */
export const sourceFormsYaml = `sources:
  - name: orders
    topic: shop.public.orders
    changelog: debezium
    key: id
    schema: {embedded: true}
    columns:
      - {name: id, type: BIGINT}
      - {name: customer, type: STRING}
      - {name: amount, type: BIGINT}
      - {name: placed_us, type: BIGINT}
      - {name: placed, expression: "TO_TIMESTAMP_LTZ(placed_us / 1000, 3)"}
      - {name: changed, metadata: source.timestamp}
      - {name: relation, metadata: source.table}
    event_time: {column: placed}
  - name: payments
    topic: shop.public.payments
    changelog: debezium
    key: id
    schema: {format: avro, registry: confluent}
    columns:
      - {name: id, type: BIGINT}
      - {name: order_id, type: BIGINT}
      - {name: paid_by, type: STRING}
      - {name: written, type: TIMESTAMP(3), metadata: timestamp}
  - name: audit
    topic: shop.public.audit
    changelog: debezium
    columns:
      - {name: who, type: STRING}
      - {name: what, type: STRING}
  - name: customers
    topic: customers.v1
    changelog: upsert
    key: id
    columns:
      - {name: id, type: STRING}
      - {name: name, type: STRING}
      - {name: changed, metadata: timestamp}
    event_time: {column: changed}
  - name: prices
    topic: prices.v1
    changelog: upsert
    key: [shop, product]
    columns:
      - {name: shop, type: STRING, metadata: key}
      - {name: product, type: BIGINT, metadata: key}
      - {name: price, type: "DECIMAL(10, 2)"}
      - {name: part, metadata: partition}
      - {name: place, metadata: offset}
      - {name: origin, metadata: topic}
  - name: clicks
    topic: clicks.v1
    columns:
      - {name: visitor, type: STRING, metadata: key}
      - {name: url, type: STRING}
      - {name: at, type: BIGINT}
      - {name: time, expression: "TO_TIMESTAMP_LTZ(\`at\`, 3)"}
      - {name: host, expression: "PARSE_URL(url, 'HOST') -- without the path"}
      - {name: written, metadata: timestamp}
      - {name: trace, metadata: headers}
      - {name: part, metadata: partition}
      - {name: place, metadata: offset}
      - {name: origin, metadata: topic}
    event_time: {column: time}
`;
