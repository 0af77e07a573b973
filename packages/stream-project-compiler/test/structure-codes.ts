import type { DiagnosticName } from '../src/index.ts';
import { lines, projectWith } from './validate-support/validate-files.ts';

/** A project with a mistake, and how people see it. */
export interface StructureFixture {
  readonly files: Readonly<Record<string, string>>;
  /** What text output holds; lines of the file and carets included. */
  readonly shows: string;
}

const source = lines('sources:', '  - {name: payments, topic: payments.v1}');
const managed = projectWith('').replace(
  '        type: rest\n',
  '        type: rest\n      ml:\n        type: managed\n    default: main\n',
);
const gateway = projectWith(
  '  vendor:',
  '    gateway: {admin_url: "http://gw:8888", proxy_bootstrap: "gw:6969"}',
);

/** The source above, and models. */
function models(...text: readonly string[]): Readonly<Record<string, string>> {
  return { 'sources/s.yml': source, 'models/m.yml': lines('models:', ...text.map((line) => `  ${line}`)) };
}

const select = 'sql: SELECT id FROM {{ source("payments") }}';
const sink = 'from: [{source: payments}]';
const plain = ['- name: orders', `  ${select}`];

/** One for every code of 31xx. */
export const structureFixtures: Readonly<Partial<Record<DiagnosticName, StructureFixture>>> = {
  'unknown-cluster': {
    files: models(...plain, '  advanced: {engine_cluster: mian}'),
    shows: lines(
      'models/m.yml:4:32  error  LV3101  model "orders": cluster "mian" is not defined in "runtime.engine.clusters" — did you mean "main"?',
      '  4 |     advanced: {engine_cluster: mian}',
      '    |                                ^^^^',
    ),
  },
  'unknown-cluster-unused': {
    files: { 'stream_project.yml': projectWith('defaults: {tests: {engine_cluster: prod}}') },
    shows:
      'stream_project.yml:14:36  warning  LV3105  "defaults.tests.engine_cluster": cluster "prod" is not defined in "runtime.engine.clusters" — available: "main"',
  },
  'cluster-not-managed': {
    files: {
      ...models('- name: scored', '  sql: SELECT ML_PREDICT(\'m\', id) AS p FROM {{ source("payments") }}'),
      'stream_project.yml': managed,
    },
    shows: lines(
      'models/m.yml:3:17  error  LV3102  model "scored" calls a machine-learning function, but its cluster "main" is not of type "managed" — set "advanced.engine_cluster" to "ml"',
      '  3 |     sql: SELECT ML_PREDICT(\'m\', id) AS p FROM {{ source("payments") }}',
      '    |                 ^^^^^^^^^^^^^^^^^^^',
      '  stream_project.yml:12:14  cluster set here',
    ),
  },
  'connect-required': {
    files: {
      ...models('- name: out', `  ${sink}`, '  sink: {connector: jdbc-sink, config: {a: b}}'),
      'stream_project.yml': lines(
        'project: {name: shop}',
        'runtime: {platform: {bootstrap_servers: "localhost:9092"}}',
      ),
    },
    shows:
      'models/m.yml:3:5  error  LV3103  model "out" is a sink because it has "from" and no "sql", but "runtime.connect" is not defined — define a cluster in "runtime.connect"',
  },
  'cluster-not-chosen': {
    files: {
      ...models('- name: total', '  sql: SELECT COUNT(*) AS n FROM {{ source("payments") }}'),
      'stream_project.yml': managed.replace('    default: main\n', ''),
    },
    shows:
      'stream_project.yml:7:5  warning  LV3104  "runtime.engine.clusters" defines 2 clusters and no default, so the cluster of model "total" is ambiguous — set "runtime.engine.default"',
  },
  'topic-collision': {
    files: models(
      ...plain,
      '  advanced: {topic: {name: all.v1}}',
      '- name: others',
      `  ${select}`,
      '  advanced: {topic: {name: all.v1}}',
    ),
    shows: lines(
      'models/m.yml:7:30  error  LV3110  model "others": topic "all.v1" is already written by model "orders" — set another "advanced.topic.name", or combine both models with UNION ALL',
      '  7 |     advanced: {topic: {name: all.v1}}',
      '    |                              ^^^^^^',
      '  models/m.yml:4:30  first written here',
    ),
  },
  'similar-topic': {
    files: models(...plain, '  advanced: {topic: {name: payments_v1}}'),
    shows: lines(
      'models/m.yml:4:30  error  LV3111  model "orders": topic "payments_v1" differs from "payments.v1" only in "." and "_" — the platform treats both as the same name: set another "advanced.topic.name"',
      '  4 |     advanced: {topic: {name: payments_v1}}',
      '    |                              ^^^^^^^^^^^',
      '  sources/s.yml:2:29  topic of source "payments"',
    ),
  },
  'source-topic-written': {
    files: {
      ...models(...plain, '  advanced: {topic: {name: orders.v1}}'),
      'sources/o.yml': lines('sources:', '  - {name: orders_v1, topic: orders.v1}'),
    },
    shows: lines(
      'models/m.yml:4:30  warning  LV3112  model "orders" writes topic "orders.v1", which source "orders_v1" declares as an existing topic — read the model with {{ ref("orders") }} and remove the source, or choose another topic',
      '  4 |     advanced: {topic: {name: orders.v1}}',
      '    |                              ^^^^^^^^^',
      '  sources/o.yml:2:12  source defined here',
    ),
  },
  'topic-loop': {
    files: models(...plain, '  advanced: {topic: {name: payments.v1}}'),
    shows:
      'models/m.yml:4:30  error  LV3113  model "orders" writes topic "payments.v1" of source "payments", which it also reads — set another "advanced.topic.name"',
  },
  'topic-name': {
    files: models('- name: out', '  from: my orders', '  sink: {connector: jdbc-sink, config: {a: b}}'),
    shows:
      'models/m.yml:3:11  error  LV3114  model "out": "my orders" is not a model, a source or a valid topic name, expected a topic name of at most 249 characters: letters, digits, "_", "-" and "."',
  },
  'name-case': {
    files: models(...plain, '- name: Orders', `  ${select}`),
    shows: lines(
      'models/m.yml:4:11  warning  LV3115  the names of model "Orders" and model "orders" differ only in case',
      '  4 |   - name: Orders',
      '    |           ^^^^^^',
      '  models/m.yml:2:11  other definition',
    ),
  },
  'job-collision': {
    files: {
      ...models('- name: test_orders', `  ${select}`),
      'tests/t.yml': lines(
        'tests:',
        '  - {name: orders, model: payments, type: continuous, assertions: [{not_null: {columns: [id]}}]}',
      ),
    },
    shows:
      'tests/t.yml:2:12  warning  LV3116  continuous test "orders" and model "test_orders" have the same job name "test_orders" — rename one of them',
  },
  'sink-read': {
    files: models(
      '- name: out',
      `  ${sink}`,
      '  sink: {connector: jdbc-sink, config: {a: b}}',
      '- name: orders',
      '  sql: SELECT id FROM {{ ref("out") }}',
    ),
    shows: lines(
      'models/m.yml:6:33  error  LV3120  model "orders" reads model "out", which is a sink and writes no topic — read the input of the sink instead',
      '  6 |     sql: SELECT id FROM {{ ref("out") }}',
      '    |                                 ^^^',
      '  models/m.yml:3:5  a sink because it has "from" and no "sql"',
    ),
  },
  'reserved-config': {
    files: models('- name: out', `  ${sink}`, '  sink: {connector: jdbc-sink, config: {topics: a}}'),
    shows:
      'models/m.yml:4:43  warning  LV3121  sink "out": "topics" in the connector configuration has no effect, because it is set by "from" — remove it, and set "from" instead',
  },
  'tasks-max': {
    files: models('- name: out', `  ${sink}`, '  sink: {connector: jdbc-sink, config: {tasks.max: two}}'),
    shows:
      'models/m.yml:4:54  error  LV3122  "tasks.max" of sink "out" is "two", expected an integer of at least 1',
  },
  'sink-mapping': {
    files: models(
      '- name: out',
      `  ${sink}`,
      '  sink:',
      '    connector: warehouse-sink',
      '    config: {topic2table.map: "payments.v1:A, payment.v1:B"}',
    ),
    shows: lines(
      'models/m.yml:6:49  warning  LV3123  "topic2table.map" of sink "out" maps topic "payment.v1", which the sink does not read — did you mean "payments.v1"?',
      '  6 |       config: {topic2table.map: "payments.v1:A, payment.v1:B"}',
      '    |                                                 ^^^^^^^^^^',
    ),
  },
  'gateway-sql': {
    files: {
      ...models(
        '- name: view',
        '  sql: SELECT * FROM {{ source("payments") }} WHERE amount * 2 > 100',
        '  advanced: {gateway: {virtual_topic: {name: view.v1}}}',
      ),
      'stream_project.yml': gateway,
    },
    shows: lines(
      'models/m.yml:3:55  error  LV3130  model "view" is a virtual topic, which does not support arithmetic in its SQL, expected columns of one source or model and a condition on them — remove "advanced.gateway" to make the model a topic or a job of the engine, or move the SQL to an upstream model',
      '  3 |     sql: SELECT * FROM {{ source("payments") }} WHERE amount * 2 > 100',
      '    |                                                       ^^^^^^^^^^',
    ),
  },
  'virtual-topic-input': {
    files: {
      ...models(
        '- name: view',
        '  from: [{source: payments}, {source: refunds}]',
        '  advanced: {gateway: {virtual_topic: {name: view.v1}}}',
      ),
      'sources/r.yml': lines('sources:', '  - {name: refunds, topic: refunds.v1}'),
      'stream_project.yml': gateway,
    },
    shows:
      'models/m.yml:3:41  error  LV3131  model "view" is a virtual topic with the inputs "payments" and "refunds", expected one input — write one model for each input',
  },
  'unused-from': {
    files: {
      ...models(...plain, '  from: [{source: payments}, {source: refunds}]'),
      'sources/r.yml': lines('sources:', '  - {name: refunds, topic: refunds.v1}'),
    },
    shows:
      'models/m.yml:4:41  warning  LV3140  model "orders": "refunds" in "from" is not used by its SQL — remove it: the inputs of SQL are taken from its macros',
  },
  'state-ttl-short': {
    files: models(...plain, '  advanced: {engine: {state_ttl_ms: 60}}'),
    shows:
      'models/m.yml:4:39  warning  LV3141  model "orders" keeps state for 60 ms, expected at least 1000 — the unit is milliseconds: 86400000 is a day',
  },
  'no-effect': {
    files: models(...plain, '  advanced: {connect_cluster: sinks}'),
    shows: lines(
      'models/m.yml:4:16  warning  LV3142  "advanced.connect_cluster" has no effect: model "orders" is a topic because its SQL handles rows one by one — remove it',
      '  4 |     advanced: {connect_cluster: sinks}',
      '    |                ^^^^^^^^^^^^^^^',
    ),
  },
  'incomplete-credentials': {
    files: { 'stream_project.yml': projectWith('  schema_registry: {url: "http://r:8081", username: me}') },
    shows:
      'stream_project.yml:14:43  warning  LV3143  "runtime.schema_registry.username" requires "runtime.schema_registry.password"',
  },
  'near-word': {
    files: models(...plain, '  security: {policies: [{maks: {column: id, method: hash}}]}'),
    shows: 'models/m.yml:4:28  warning  LV3144  unknown policy kind "maks" — did you mean "mask"?',
  },
  'deprecated-reference': {
    files: models(
      ...plain,
      '  deprecation: {v1: {sunset_date: "2027-01-01", message: Use v2 instead}}',
      '- name: total',
      '  sql: SELECT id FROM {{ ref("orders") }}',
    ),
    shows: lines(
      'models/m.yml:6:33  warning  LV3150  model "total" refers to model "orders", whose version "v1" will be removed on 2027-01-01: "Use v2 instead"',
      '  6 |     sql: SELECT id FROM {{ ref("orders") }}',
      '    |                                 ^^^^^^',
      '  models/m.yml:4:19  deprecated here',
    ),
  },
  'sunset-reference': {
    files: models(
      ...plain,
      '  deprecation: {v1: {sunset_date: "2026-11-21"}}',
      '- name: total',
      '  sql: SELECT id FROM {{ ref("orders") }}',
    ),
    shows:
      'models/m.yml:6:33  error  LV3151  model "total" refers to model "orders", whose version "v1" was removed on 2026-11-21 — ask the owner of the model what to use instead',
  },
  'sunset-passed': {
    files: models(...plain, '  deprecation: {v1: {sunset_date: "2026-11-20"}}'),
    shows:
      'models/m.yml:4:37  warning  LV3152  version "v1" of model "orders" reached its sunset date 2026-11-20, but is still defined — remove the model, or change the date',
  },
  'unknown-version': {
    files: models(...plain, '  version: 2', '  deprecation: {v3: {message: soon}}'),
    shows:
      'models/m.yml:5:19  warning  LV3153  model "orders" deprecates version "v3", but its own version is 2 — expected "v2" or an earlier version',
  },
};
