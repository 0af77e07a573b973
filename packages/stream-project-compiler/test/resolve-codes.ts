import type { DiagnosticName } from '../src/index.ts';

/** A project that makes a finding, and how people see it. */
export interface ResolveFixture {
  readonly files: Readonly<Record<string, string>>;
  /** What text output holds; lines of the file and carets included. */
  readonly shows: string;
}

const withoutEngine =
  'project:\n  name: shop\nruntime:\n  platform:\n    bootstrap_servers: localhost:9092\n';

function lines(...all: readonly string[]): string {
  return [...all, ''].join('\n');
}

/** A model with this SQL in a block, from line 4 on. */
function sql(...text: readonly string[]): Readonly<Record<string, string>> {
  const source = lines('sources:', '  - {name: payments, topic: payments.v1}');
  const model = lines('models:', '  - name: m', '    sql: |', ...text.map((line) => `      ${line}`));
  return { 'sources/s.yml': source, 'models/m.yml': model };
}

/** One for every code of resolving and inferring. */
export const resolveFixtures: Readonly<Partial<Record<DiagnosticName, ResolveFixture>>> = {
  'sql-character': {
    files: sql('SELECT a ; b', 'FROM {{ source("payments") }} ¬'),
    shows: 'models/m.yml:5:37  error  LV1201  character "¬" (U+00AC), which has no meaning here',
  },
  'sql-unterminated': {
    files: sql('SELECT a, `b', 'FROM {{ source("payments") }}'),
    shows: 'models/m.yml:4:17  error  LV1202  quoted name without its closing backtick',
  },
  'sql-double-quotes': {
    files: sql('SELECT a', 'FROM {{ source("payments") }}', 'WHERE b = "x"'),
    shows: 'models/m.yml:6:17  error  LV1203  double quotes, which stand for neither a string nor a name',
  },
  'sql-template': {
    files: sql('SELECT a', 'FROM {{ table("payments") }}'),
    shows:
      'models/m.yml:5:12  error  LV1204  template expression "table", only {{ source("name") }} and {{ ref("name") }} were expected',
  },
  'sql-syntax': {
    files: sql('SELECT a', 'FROM {{ source("payments") }}', 'WHERE'),
    shows: 'models/m.yml:6:12  error  LV1205  unexpected end of the text, an expression was expected',
  },
  'sql-reserved-word': {
    files: sql('SELECT a AS value', 'FROM {{ source("payments") }}'),
    shows:
      'models/m.yml:4:19  error  LV1206  "value" is a reserved word, a name was expected — write `value` in backticks',
  },
  'sql-dialect': {
    files: sql('SELECT a', 'FROM {{ source("payments") }}', 'WHERE a != 1'),
    shows: 'models/m.yml:6:15  error  LV1207  operator "!=", which the engine does not have — write <>',
  },
  'sql-type': {
    files: sql('SELECT CAST(a AS TEXT)', 'FROM {{ source("payments") }}'),
    shows: 'models/m.yml:4:24  error  LV1208  type "TEXT", which the engine does not have — write STRING',
  },
  'sql-statement': {
    files: sql('INSERT INTO x', 'SELECT a FROM {{ source("payments") }}'),
    shows: 'models/m.yml:4:7  error  LV1209  statement "INSERT", a query (SELECT, VALUES, WITH) was expected',
  },
  'sql-folded-comment': {
    files: {
      ...sql('SELECT a FROM {{ source("payments") }}'),
      'models/f.yml': lines(
        'models:',
        '  - name: f',
        '    sql: >',
        '      SELECT a, -- the key',
        '      b FROM {{ source("payments") }}',
      ),
    },
    shows:
      'models/f.yml:4:17  error  LV1280  the comment includes the lines after it, because YAML folds them into one — write "|" before the SQL, which keeps lines apart',
  },
  'sql-recursive': {
    files: sql('WITH RECURSIVE t AS (SELECT a FROM {{ source("payments") }})', 'SELECT a FROM t'),
    shows:
      'models/m.yml:4:12  error  LV1210  RECURSIVE, which the engine refuses — write it without recursion',
  },
  'sql-too-deep': {
    files: sql(`SELECT ${'('.repeat(300)}a${')'.repeat(300)}`, 'FROM {{ source("payments") }}'),
    shows: 'LV1211  nesting deeper than 256 levels, the rest of the text is not read',
  },
  'sql-too-many': {
    files: sql(`SELECT ${'"a", '.repeat(150)}b`, 'FROM {{ source("payments") }}'),
    shows: 'LV1212  more than 100 mistakes, the rest is not reported',
  },
  'sql-too-long': {
    files: sql(`SELECT ${'a, '.repeat(60_000)}a`, 'FROM {{ source("payments") }}'),
    shows: 'LV1213  more than 100,000 words and symbols, the text is not read',
  },
  'sql-no-from': {
    files: sql("SELECT 'FROM x' -- FROM y"),
    shows: lines(
      'models/m.yml:4:7  error  LV1220  the SQL of model "m" reads no table, expected FROM — write FROM {{ source("name") }} or FROM {{ ref("name") }}',
      "  4 |       SELECT 'FROM x' -- FROM y",
      '    |       ^^^^^^^^^^^^^^^',
    ),
  },
  'plain-table': {
    files: sql('SELECT a', 'FROM payments'),
    shows: lines(
      'models/m.yml:5:12  warning  LV1221  table "payments" is used without a macro, expected {{ source("name") }} or {{ ref("name") }} — write {{ source("payments") }}',
      '  5 |       FROM payments',
      '    |            ^^^^^^^^',
    ),
  },
  'duplicate-name': {
    files: {
      'sources/a.yml': lines('sources:', '  - {name: payments, topic: payments.v1}'),
      'sources/b/c.yml': lines('sources:', '  - name: payments', '    topic: payments.v2'),
    },
    shows: lines(
      'sources/b/c.yml:2:11  error  LV2001  duplicate source "payments"',
      '  2 |   - name: payments',
      '    |           ^^^^^^^^',
      '  sources/a.yml:2:12  first defined here',
    ),
  },
  'shared-name': {
    files: {
      'sources/a.yml': lines('sources:', '  - {name: payments, topic: payments.v1}'),
      'models/m.yml': lines(
        'models:',
        '  - name: payments',
        '    sql: SELECT a FROM {{ source("payments") }}',
      ),
    },
    shows: 'models/m.yml:2:11  warning  LV2002  model "payments" has the same name as a source',
  },
  'unknown-source': {
    files: sql('SELECT a', 'FROM {{ source("payment") }}'),
    shows: lines(
      'models/m.yml:5:23  error  LV2003  model "m": source "payment" is not defined — did you mean "payments"?',
      '  5 |       FROM {{ source("payment") }}',
      '    |                       ^^^^^^^',
    ),
  },
  'unknown-model': {
    files: sql('SELECT a', 'FROM {{ ref("payments") }}'),
    shows:
      'models/m.yml:5:20  error  LV2004  model "m": model "payments" is not defined — there is a source of that name: write {{ source("payments") }}',
  },
  'test-target-not-found': {
    files: {
      ...sql('SELECT a', 'FROM {{ source("payments") }}'),
      'tests/t.yml': lines(
        'tests:',
        '  - name: t',
        '    model: paiments',
        '    type: schema',
        '    assertions: [{not_null: {columns: [a]}}]',
      ),
    },
    shows:
      'tests/t.yml:3:12  error  LV2005  test "t": "paiments" is not a model or a source — did you mean "payments"?',
  },
  'literal-topic': {
    files: {
      'models/m.yml': lines(
        'models:',
        '  - name: m',
        '    from: orders.v1',
        '    sink: {connector: http-sink, config: {a: b}}',
      ),
    },
    shows:
      'models/m.yml:3:11  info  LV2006  model "m": topic "orders.v1" does not belong to a model or a source',
  },
  cycle: {
    files: {
      'models/m.yml': lines(
        'models:',
        '  - name: a',
        '    sql: SELECT x FROM {{ ref("b") }}',
        '  - name: b',
        '    sql: SELECT x FROM {{ ref("c") }}',
        '  - name: c',
        '    from: a',
        '    sink: {connector: http-sink, config: {a: b}}',
      ),
    },
    shows:
      'models/m.yml:3:32  error  LV2010  model "a" depends on itself: a → b → c → a — remove one of these references',
  },
  'access-denied': {
    files: {
      'models/m.yml': lines(
        'sources: [{name: payments, topic: payments.v1}]',
        'models:',
        '  - name: a',
        '    access: private',
        '    group: finance',
        '    sql: SELECT x FROM {{ source("payments") }}',
        '  - name: b',
        '    group: sales',
        '    sql: SELECT x FROM {{ ref("a") }}',
      ),
    },
    shows:
      'models/m.yml:9:32  error  LV2011  model "b" refers to model "a", which is private to another group — set the same "group" for both models, or "access: protected" for the other one',
  },
  'engine-required': {
    files: {
      ...sql('SELECT a, COUNT(*) AS n', 'FROM {{ source("payments") }}', 'GROUP BY a'),
      'stream_project.yml': withoutEngine,
    },
    shows: lines(
      'models/m.yml:4:17  error  LV4001  model "m" runs on the engine because its SQL has an aggregate function, but "runtime.engine" is not defined — define a cluster in "runtime.engine"',
      '  4 |       SELECT a, COUNT(*) AS n',
      '    |                 ^^^^^^^^',
    ),
  },
  'managed-engine-required': {
    files: sql("SELECT ML_PREDICT('fraud', a) AS p", 'FROM {{ source("payments") }}'),
    shows: lines(
      'models/m.yml:4:14  error  LV4002  model "m" calls a machine-learning function, but no cluster of "runtime.engine" is of type "managed" — add a cluster with "type: managed" to "runtime.engine.clusters"',
      "  4 |       SELECT ML_PREDICT('fraud', a) AS p",
      '    |              ^^^^^^^^^^^^^^^^^^^^^^',
    ),
  },
  'key-of-changes': {
    files: {
      'models/m.yml': lines(
        'sources: [{name: payments, topic: payments.v1}]',
        'models:',
        '  - name: totals',
        '    key: total',
        '    sql: SELECT product_id, SUM(amount) AS total FROM {{ source("payments") }} GROUP BY product_id',
      ),
    },
    shows: lines(
      'models/m.yml:4:10  warning  LV4004  rows of model "totals" change later, by GROUP BY, and several can have the same "total", the key: only the last of these is kept — write "key: product_id", the column of GROUP BY',
      '  4 |     key: total',
      '    |          ^^^^^',
    ),
  },
  'key-not-found': {
    files: {
      'models/m.yml': lines(
        'sources:',
        '  - {name: orders, topic: o, changelog: upsert, key: id, columns: [{name: id, type: INT}, {name: customer, type: INT}]}',
        '  - {name: customers, topic: c, changelog: upsert, key: id, columns: [{name: id, type: INT}, {name: name, type: STRING}]}',
        'models:',
        '  - name: named',
        '    key: id',
        '    sql: SELECT o.id, c.name FROM {{ source("orders") }} o JOIN {{ source("customers") }} c ON o.customer = c.id',
      ),
    },
    shows: lines(
      'models/m.yml:6:10  info  LV4199  rows of model "named" change later, by source "orders", whose rows change, and the engine does not find that each has its own "id", the key: it keeps a history of each key — keep the key: no row is lost, the engine only needs more state',
      '  6 |     key: id',
      '    |          ^^',
    ),
  },
  'source-key': {
    files: {
      'sources/s.yml': lines(
        'sources:',
        '  - name: customers',
        '    topic: customers.v1',
        '    changelog: upsert',
      ),
    },
    shows:
      'sources/s.yml:4:5  error  LV4196  source "customers" has the latest row of each key, but no "key" — name the columns of its key in "key"',
  },
  'record-metadata': {
    files: {
      'sources/s.yml': lines(
        'sources:',
        '  - name: orders',
        '    topic: orders.v1',
        '    columns:',
        '      - {name: changed, metadata: source.timestamp}',
      ),
    },
    shows:
      'sources/s.yml:5:35  error  LV4197  source "orders": records have "source.timestamp" only in the envelope of Debezium in JSON — use "timestamp", or "changelog: debezium"',
  },
  'source-format': {
    files: {
      'sources/s.yml': lines(
        'sources:',
        '  - name: orders',
        '    topic: shop.public.orders',
        '    changelog: debezium',
        '    key: id',
        '    schema: {format: protobuf}',
        '    columns: [{name: id, type: BIGINT}]',
      ),
    },
    shows:
      'sources/s.yml:6:22  error  LV4198  source "orders": the engine reads the envelope of Debezium in JSON and in Avro, not in Protobuf — let Debezium write "json" or "avro"',
  },
  'null-in-key': {
    files: {
      'models/m.yml': lines(
        'sources: [{name: orders, topic: o.v1}, {name: customers, topic: c.v1}]',
        'models:',
        '  - name: segments',
        '    key: segment',
        '    sql: |',
        '      SELECT c.segment, COUNT(*) AS n',
        '      FROM {{ source("orders") }} o LEFT JOIN {{ source("customers") }} c ON o.customer_id = c.id',
        '      GROUP BY c.segment',
      ),
    },
    shows: lines(
      'models/m.yml:4:10  warning  LV4150  key "segment" of model "segments" can be null, where LEFT JOIN finds no row for it: rows with such a key are not written to its topic — write COALESCE(...) AS segment, and the same in GROUP BY, with a value that no row has, or leave such rows out with WHERE ... IS NOT NULL',
      '  4 |     key: segment',
      '    |          ^^^^^^^',
    ),
  },
  'gateway-required': {
    files: {
      'models/m.yml': lines(
        'sources: [{name: payments, topic: payments.v1}]',
        'models:',
        '  - name: a',
        '    sql: SELECT * FROM {{ source("payments") }}',
        '    advanced:',
        '      gateway:',
        '        virtual_topic: {name: payments.view}',
      ),
    },
    shows:
      'models/m.yml:6:7  error  LV4003  model "a" is a virtual topic because it has "advanced.gateway", but "runtime.vendor.gateway" is not defined — define the gateway in "runtime.vendor.gateway"',
  },
};
