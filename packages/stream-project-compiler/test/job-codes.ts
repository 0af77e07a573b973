import type { DiagnosticName } from '../src/index.ts';
import { lines, projectWith } from './validate-support/validate-files.ts';

/** A project in which jobs are not what one may expect, and how people see it. */
export interface JobFixture {
  readonly files: Readonly<Record<string, string>>;
  /** What text output holds; the place included. */
  readonly shows: string;
}

const sources = lines(
  'sources:',
  '  - name: orders',
  '    topic: orders.v1',
  '  - name: users',
  '    topic: users.v1',
);

const timed = lines(
  'sources:',
  '  - name: orders',
  '    topic: orders.v1',
  '    columns: [{name: id, type: STRING}, {name: ts, type: TIMESTAMP(3)}]',
  '    event_time: {column: ts}',
);

function windowOf(table: string): string {
  return `SELECT window_start, COUNT(*) AS n FROM TABLE(TUMBLE(TABLE {{ ${table} }}, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) GROUP BY window_start, window_end`;
}

function model(sql: string): Readonly<Record<string, string>> {
  return { 'sources/s.yml': sources, 'models/m.yml': lines('models:', '  - name: m', `    sql: ${sql}`) };
}

function formatted(format: string, sql: string): Readonly<Record<string, string>> {
  const written = lines('models:', '  - name: m', `    schema: {format: ${format}}`, `    sql: ${sql}`);
  return { 'sources/s.yml': sources, 'models/m.yml': written };
}

/** A continuous test of the source `orders`, from line 5 on. */
function testing(...more: readonly string[]): Readonly<Record<string, string>> {
  const test = ['tests:', '  - name: t', '    model: orders', '    type: continuous', ...more];
  return { 'sources/s.yml': sources, 'tests/t.yml': lines(...test) };
}

/** One for every code of jobs of models and tests. */
export const jobFixtures: Readonly<Partial<Record<DiagnosticName, JobFixture>>> = {
  'job-not-written': {
    files: model(
      'SELECT o.*, u.name FROM {{ source("orders") }} o JOIN {{ source("users") }} u ON o.user_id = u.id',
    ),
    shows:
      'models/m.yml:3:5  warning  LV5001  model "m" has no job: the columns of source "orders" are not all known — declare all columns of the source with their types, or name the columns in the SELECT',
  },
  'job-without-cluster': {
    files: {
      'stream_project.yml': lines(
        'project: {name: shop}',
        'runtime: {platform: {bootstrap_servers: "localhost:9092"}}',
      ),
      ...model('SELECT id FROM {{ source("orders") }}'),
    },
    shows:
      'models/m.yml:3:5  warning  LV5002  no cluster of the engine runs the jobs of "m" — name one in "runtime.engine.clusters"',
  },
  'job-assumed-types': {
    files: model('SELECT id, amount FROM {{ source("orders") }} WHERE amount > 100'),
    shows:
      'models/m.yml:3:5  info  LV5003  the job of model "m" reads "amount" as DOUBLE, "id" as STRING: nothing declares their types — declare them in "columns" of the source, with their types',
  },
  'job-format': {
    files: formatted('avro', 'SELECT id, COUNT(*) AS `n per id` FROM {{ source("orders") }} GROUP BY id'),
    shows:
      'models/m.yml:4:5  error  LV5004  model "m" has no job: its column "n per id" has a name that Avro does not allow: names are letters, digits and "_" — give it another name with AS',
  },
  'job-needs-class': {
    files: formatted('protobuf', 'SELECT id FROM {{ source("orders") }}'),
    shows:
      'models/m.yml:4:5  info  LV5005  the job of model "m" writes Protobuf with the class "shop.M" — compile "schemas/m-value.proto" for Java, and add the classes to the cluster',
  },
  'job-readers': {
    files: {
      'sources/s.yml': timed,
      'models/m.yml': lines(
        'models:',
        '  - name: m',
        `    sql: ${windowOf('source("orders")')}`,
        '    advanced: {engine: {parallelism: 4}}',
      ),
    },
    shows:
      'models/m.yml:4:25  info  LV5006  model "m" asks for 4 tasks, but 1 read "orders": nothing says how many partitions it has — write "partitions" of source "orders"',
  },
  'job-time-read-again': {
    files: {
      'sources/s.yml': timed,
      'models/m.yml': lines(
        'models:',
        '  - name: a',
        '    sql: SELECT id, ts FROM {{ source("orders") }}',
        '    advanced: {engine: {ends_job: true}}',
        '  - name: b',
        `    sql: ${windowOf('ref("a")')}`,
      ),
    },
    shows:
      'models/m.yml:6:5  warning  LV5007  model "b" makes event time again from the topic of model "a": it says "ends_job" — rows that come too late in that topic are left out: remove "ends_job" from "a", or read in "b" what "a" reads',
  },
  'job-state-longer': {
    files: {
      'sources/s.yml': timed,
      'models/m.yml': lines(
        'models:',
        '  - name: a',
        '    sql: SELECT id, COUNT(*) AS n FROM {{ source("orders") }} GROUP BY id',
        '    advanced: {engine: {state_ttl_ms: 1000}}',
        '  - name: b',
        '    sql: SELECT n, COUNT(*) AS m FROM {{ ref("a") }} GROUP BY n',
      ),
    },
    shows:
      'models/m.yml:4:25  info  LV5008  state of model "a" is kept without limit, not for 1 s: a job has one time for all of its models — give all models of the job a "state_ttl_ms", or end the job before this one with "advanced.engine.ends_job"',
  },
  'job-reads-own-topic': {
    files: {
      'sources/s.yml': timed,
      'models/m.yml': lines(
        'models:',
        '  - name: a',
        '    sql: SELECT id, ts FROM {{ source("orders") }}',
        '  - name: b',
        '    sql: SELECT id FROM {{ ref("a") }}',
        '    advanced: {engine: {ends_job: true}}',
        '  - name: c',
        '    sql: SELECT x.id, x.ts FROM {{ ref("a") }} x JOIN {{ ref("b") }} y ON x.id = y.id',
      ),
    },
    shows:
      'models/m.yml:8:5  info  LV5009  model "c" reads the topic of model "b" in the job that writes it: "b" ends its job, since it says "ends_job", but other models make both one job — for two jobs, end the job at the models that connect them as well',
  },
  'job-transactions-end': {
    files: {
      'sources/s.yml': sources,
      'models/m.yml': lines(
        'models:',
        '  - name: a',
        '    sql: SELECT id FROM {{ source("orders") }}',
        '    advanced: {engine: {checkpoint_interval_ms: 3600000, delivery: exactly_once}}',
      ),
    },
    shows:
      'models/m.yml:4:25  error  LV5010  the job of model "a" writes exactly once, with a checkpoint each 1 h: brokers abort a transaction after 15 min, before the checkpoint commits it — write a "checkpoint_interval_ms" well below 900000, or "delivery: at_least_once"',
  },
  'job-starts-earlier': {
    files: {
      'sources/s.yml': sources,
      'models/m.yml': lines(
        'models:',
        '  - name: a',
        '    sql: SELECT id FROM {{ source("orders") }}',
        '    advanced: {engine: {start: latest}}',
        '  - name: b',
        '    sql: SELECT id FROM {{ ref("a") }}',
      ),
    },
    shows:
      'models/m.yml:4:25  warning  LV5011  the job of model "a" has the start "earliest", not "latest": a job has one for all of its models, and model "b" says none — give all models of the job the same start, or end the job before this one with "advanced.engine.ends_job"',
  },
  'job-version-assumed': {
    files: {
      'stream_project.yml': projectWith().replace('type: rest', "type: rest\n        version: '1.15'"),
      ...model('SELECT id FROM {{ source("orders") }}'),
    },
    shows:
      'warning  LV5012  the cluster "main" is of version "1.15", which jobs are not written for: they are written for 1.20 — jobs are written for 1.20, 2.0, 2.1, 2.2, 2.3: of another version, try them before they are deployed',
  },
  'test-not-written': {
    files: {
      ...model(
        'SELECT o.*, u.name FROM {{ source("orders") }} o JOIN {{ source("users") }} u ON o.user_id = u.id',
      ),
      'tests/t.yml': lines(
        'tests:',
        '  - {name: t, model: m, type: continuous, assertions: [{not_null: {columns: [name]}}]}',
      ),
    },
    shows:
      'tests/t.yml:2:15  warning  LV5020  test "t" has no job: model "m" has none, so that the form of its records is not known',
  },
  'assertion-not-continuous': {
    files: testing('    assertions:', '      - unique_key: { key: id, tolerance: 0.1 }'),
    shows:
      'tests/t.yml:6:9  error  LV5021  "unique_key" of test "t" cannot run continuously: "tolerance" is a share of the records, and without a window there is no end of them — add "window"',
  },
  'test-assumed-types': {
    files: testing('    assertions:', '      - range: { column: amount, min: 0 }'),
    shows:
      'tests/t.yml:5:5  info  LV5022  test "t" reads "amount" as DOUBLE: nothing declares their types — declare them in "columns" of the source, with their types',
  },
  'violations-topic-used': {
    files: testing(
      '    assertions:',
      '      - not_null: { columns: [id] }',
      '    on_failure: { actions: [{ dlq: { topic: shop.test-violations } }] }',
    ),
    shows:
      'tests/t.yml:2:5  error  LV5023  violations of test "t" go to topic "shop.test-violations", which "dlq" of test "t" has too — name another one in "defaults.tests.violations_topic"',
  },
  'dead-letters-missing': {
    files: testing(
      '    assertions:',
      '      - throughput: { max_per_second: 5 }',
      '    on_failure: { actions: [{ dlq: { topic: orders.failed } }] }',
    ),
    shows:
      'tests/t.yml:7:19  warning  LV5024  "dlq" of test "t" gets no records: none of its assertions looks at records one by one — add an assertion such as "not_null", or remove "dlq"',
  },
};
