import type { DiagnosticName } from '../src/index.ts';
import { lines, projectWith } from './validate-support/validate-files.ts';

/** A project that makes a finding, and how people see it. */
export interface TestFixture {
  readonly files: Readonly<Record<string, string>>;
  /** What text output holds; lines of the file and carets included. */
  readonly shows: string;
}

const shop = lines(
  'sources:',
  '  - name: payments',
  '    topic: payments.v1',
  '    columns:',
  '      - {name: id, type: STRING}',
  '      - {name: amount, type: "DECIMAL(10, 2)"}',
  '      - {name: ts, type: TIMESTAMP(3)}',
  '    event_time: {column: ts}',
  'models:',
  '  - name: big',
  '    sql: SELECT id, amount, ts FROM {{ source("payments") }} WHERE amount > 10',
  '  - name: stored',
  '    from: big',
  '    sink: {connector: http-sink, config: {a: b}}',
);

/** A test of the model `big`, from its type in line 4 on. */
function testOf(type: string, ...more: readonly string[]): Readonly<Record<string, string>> {
  const text = lines('tests:', '  - name: t', '    model: big', `    type: ${type}`, ...more);
  return { 'models/shop.yml': shop, 'tests/t.yml': text };
}

/** A test with these assertions, from line 6 on. */
function asserting(...assertions: readonly string[]): Readonly<Record<string, string>> {
  return testOf('sample', '    assertions:', ...assertions.map((line) => `      ${line}`));
}

/** An exposure, from line 4 on. */
function exposing(...more: readonly string[]): Readonly<Record<string, string>> {
  const text = lines('exposures:', '  - name: e', '    type: dashboard', ...more);
  return { 'models/shop.yml': shop, 'exposures/e.yml': text };
}

/** A source, from line 4 on. */
function declaring(...more: readonly string[]): Readonly<Record<string, string>> {
  return { 'sources/s.yml': lines('sources:', '  - name: s', '    topic: s.v1', ...more) };
}

/** A model of the column `id`, from line 4 on. */
function modelling(...more: readonly string[]): Readonly<Record<string, string>> {
  const sql = '    sql: SELECT id FROM {{ source("payments") }}';
  return { 'models/shop.yml': shop, 'models/m.yml': lines('models:', '  - name: m', sql, ...more) };
}

/** A model that calls a machine-learning model, from line 4 on, in a project with a managed cluster. */
function predicting(...more: readonly string[]): Readonly<Record<string, string>> {
  const sql = `    sql: SELECT ML_PREDICT('fraud', id) AS p FROM {{ source("payments") }}`;
  return {
    'stream_project.yml': projectWith().replace('type: rest', 'type: managed'),
    'models/shop.yml': shop,
    'models/m.yml': lines('models:', '  - name: m', sql, ...more),
  };
}

/** One for every code of tests, exposures and declared columns. */
export const testFixtures: Readonly<Partial<Record<DiagnosticName, TestFixture>>> = {
  'empty-assertion': {
    files: testOf('sample', '    assertions: []'),
    shows: lines(
      'tests/t.yml:5:5  warning  LV3201  test "t" has no assertions, so it always passes',
      '  5 |     assertions: []',
      '    |     ^^^^^^^^^^',
    ),
  },
  'repeated-assertion': {
    files: asserting('- range: {column: amount, min: 1}', '- range: {min: 1, column: amount}'),
    shows: lines(
      'tests/t.yml:7:9  warning  LV3202  test "t": duplicate assertion "range"',
      '  7 |       - range: {min: 1, column: amount}',
      '    |         ^^^^^',
      '  tests/t.yml:6:9  first defined here',
    ),
  },
  'repeated-entry': {
    files: asserting('- not_null: {columns: [id, amount, id]}'),
    shows: 'tests/t.yml:6:42  warning  LV3203  "not_null" of test "t": duplicate entry "id"',
  },
  'contradictory-bounds': {
    files: asserting('- range: {column: amount, min: 5, max: 1}'),
    shows: lines(
      'tests/t.yml:6:38  error  LV3204  "min" (5) is greater than "max" (1), so no value is within the range',
      '  6 |       - range: {column: amount, min: 5, max: 1}',
      '    |                                      ^',
      '  tests/t.yml:6:46  "max"',
    ),
  },
  'bucket-without-effect': {
    files: asserting('- distribution: {column: amount, buckets: [{min: 1, max: 2}]}'),
    shows:
      'tests/t.yml:6:50  warning  LV3205  a bucket of test "t" has no expected share — add "expected_ratio", "min_ratio" or "max_ratio"',
  },
  'overlapping-buckets': {
    files: asserting(
      '- distribution:',
      '    column: amount',
      '    buckets:',
      '      - {min: 0, max: 10, max_ratio: 0.5}',
      '      - {min: 9, max: 20, max_ratio: 0.5}',
    ),
    shows: 'tests/t.yml:10:15  warning  LV3206  buckets of test "t" overlap, so some values count twice',
  },
  'assertion-column': {
    files: asserting('- not_null: {columns: [id, amuont]}'),
    shows: lines(
      'tests/t.yml:6:34  error  LV3207  "not_null" of test "t": column "amuont" does not exist in model "big" — did you mean "amount"?',
      '  6 |       - not_null: {columns: [id, amuont]}',
      '    |                                  ^^^^^^',
    ),
  },
  'assertion-type': {
    files: asserting('- positive: {column: id}'),
    shows:
      'tests/t.yml:6:28  error  LV3208  "positive" of test "t": column "id" has type STRING, expected a number',
  },
  'accepted-value-type': {
    files: asserting('- accepted_values: {column: id, values: ["1", 2]}'),
    shows:
      'tests/t.yml:6:53  error  LV3209  "accepted_values" of test "t": the number "2" does not match column "id" of type STRING — put it in quotes',
  },
  'too-many-values': {
    files: asserting(
      `- accepted_values: {column: amount, values: [${Array.from({ length: 1001 }, (_, at) => at).join(', ')}]}`,
    ),
    shows:
      'tests/t.yml:6:43  warning  LV3210  "accepted_values" of test "t" has 1001 values, expected at most 1000 — keep them in a model, and refer to it with "foreign_key"',
  },
  'accepted-type': {
    files: asserting('- accepted_types: {types: {id: text, amount: numbr}}'),
    shows:
      'tests/t.yml:6:52  error  LV3211  "accepted_types" of test "t": unknown type "numbr", expected a type of the engine or a name such as "number" — did you mean "number"?',
  },
  'foreign-key-type': {
    files: asserting('- foreign_key: {column: id, ref_model: big, ref_key: amount}'),
    shows:
      'tests/t.yml:6:60  error  LV3212  "foreign_key" of test "t" compares "id" (STRING) with "amount" (DECIMAL(10, 2)), which can never be equal',
  },
  'lag-of-processing-time': {
    files: {
      'models/shop.yml': shop,
      'tests/t.yml': lines(
        'sources:',
        '  - {name: clicks, topic: clicks.v1, columns: [{name: at, proctime: true}]}',
        'tests:',
        '  - name: t',
        '    model: clicks',
        '    type: continuous',
        '    assertions: [{max_lag: {column: at, max_seconds: 5}}]',
      ),
    },
    shows:
      'tests/t.yml:7:37  warning  LV3213  "max_lag" of test "t": column "at" is a processing time, so it never lags — use the event time column',
  },
  'window-without-event-time': {
    files: {
      'models/shop.yml': shop,
      'tests/t.yml': lines(
        'sources:',
        '  - {name: clicks, topic: clicks.v1, columns: [{name: id, type: STRING}]}',
        'tests:',
        '  - name: t',
        '    model: clicks',
        '    type: continuous',
        '    assertions: [{unique_key: {key: id, window: 1 HOUR}}]',
      ),
    },
    shows:
      'tests/t.yml:7:49  warning  LV3214  "window" of "unique_key" of test "t" uses processing time, because source "clicks" has no event time — select the event time of its input unchanged, or declare it with "event_time"',
  },
  'custom-sql-target': {
    files: asserting('- custom_sql: {sql: \'SELECT id FROM {{ source("payments") }}\'}'),
    shows:
      'tests/t.yml:6:27  warning  LV3215  "custom_sql" of test "t" does not read model "big", which is under test — use {{ model }}',
  },
  'custom-sql-columns': {
    files: asserting('- custom_sql: {sql: "SELECT id, ts FROM {{ model }}", expect: 0}'),
    shows:
      'tests/t.yml:6:69  warning  LV3216  "custom_sql" of test "t" returns 2 columns, but "expect" is one value — select only the column that "expect" compares',
  },
  'sample-size-ignored': {
    files: testOf('schema', '    sample_size: 10', '    assertions: [{not_null: {columns: [id]}}]'),
    shows:
      'tests/t.yml:5:5  warning  LV3220  "sample_size" of test "t" has no effect, because its type is "schema" — remove it, or write "type: sample"',
  },
  'test-of-sink': {
    files: {
      'models/shop.yml': shop,
      'tests/t.yml': lines(
        'tests:',
        '  - name: t',
        '    model: stored',
        '    type: sample',
        '    assertions: [{not_null: {columns: [id]}}]',
      ),
    },
    shows:
      'tests/t.yml:3:12  warning  LV3221  test "t" cannot test the sink "stored", which has no topic — test its input "big"',
  },
  'schema-test-needs-data': {
    files: testOf('schema', '    assertions: [{throughput: {min_per_second: 1}}]'),
    shows:
      'tests/t.yml:5:19  warning  LV3222  "throughput" requires records, but test "t" is of type "schema", which reads none — move it to a test of type "sample" or "continuous"',
  },
  'dead-letter-loop': {
    files: testOf(
      'continuous',
      '    assertions: [{not_null: {columns: [id]}}]',
      '    on_failure: {actions: [{dlq: {topic: payments.v1}}]}',
    ),
    shows:
      'tests/t.yml:6:42  error  LV3223  test "t" writes failed records to topic "payments.v1", which the model under test reads, so they fail again and again — use a topic that nothing else writes',
  },
  'dead-letter-topic-shared': {
    files: {
      ...testOf(
        'continuous',
        '    assertions: [{not_null: {columns: [id]}}]',
        '    on_failure: {actions: [{dlq: {topic: small}}]}',
      ),
      'models/small.yml': lines(
        'models:',
        '  - name: small',
        '    sql: SELECT id FROM {{ source("payments") }} WHERE amount < 1',
      ),
    },
    shows: lines(
      'tests/t.yml:6:42  warning  LV3224  test "t" writes failed records to topic "small", which model "small" also writes — use a topic that nothing else writes',
      '  6 |     on_failure: {actions: [{dlq: {topic: small}}]}',
      '    |                                          ^^^^^',
      '  models/small.yml:2:11  model defined here',
    ),
  },
  'exposure-role': {
    files: exposing('    role: consumer', '    produces: [{source: payments}]'),
    shows: lines(
      'exposures/e.yml:4:11  warning  LV3230  exposure "e" has the role "consumer", but only writes — write "role: producer"',
      '  4 |     role: consumer',
      '    |           ^^^^^^^^',
    ),
  },
  'exposure-unconnected': {
    files: exposing('    role: producer'),
    shows:
      'exposures/e.yml:2:11  warning  LV3231  exposure "e" has neither "consumes" nor "produces" — add "produces"',
  },
  'sla-contradiction': {
    files: exposing(
      '    produces: [{source: payments}]',
      '    sla: {max_produce_latency_ms: 500, max_end_to_end_latency_ms: 100}',
    ),
    shows: lines(
      'exposures/e.yml:5:35  warning  LV3232  "max_produce_latency_ms" (500) is greater than "max_end_to_end_latency_ms" (100), which includes it',
      '  5 |     sla: {max_produce_latency_ms: 500, max_end_to_end_latency_ms: 100}',
      '    |                                   ^^^',
      '  exposures/e.yml:5:67  "max_end_to_end_latency_ms"',
    ),
  },
  'sla-without-effect': {
    files: exposing('    produces: [{source: payments}]', '    sla: {max_lag_messages: 5}'),
    shows:
      'exposures/e.yml:5:11  warning  LV3233  "max_lag_messages" of exposure "e" has no effect without "consumes"',
  },
  'consumer-group-without-topic': {
    files: exposing('    consumes: [{ref: stored}]', '    consumer_group: readers'),
    shows:
      'exposures/e.yml:5:5  warning  LV3234  "consumer_group" of exposure "e" has no effect, because it consumes only sinks, which have no topic',
  },
  'schedule-never': {
    files: exposing('    consumes: [{ref: stored}]', '    schedule: 0 25 * * *'),
    shows: lines(
      'exposures/e.yml:5:17  warning  LV3235  "schedule" of exposure "e" never runs: "25" is not a valid hour, expected 0 to 23',
      '  5 |     schedule: 0 25 * * *',
      '    |                 ^^',
    ),
  },
  'duplicate-column': {
    files: declaring('    columns: [{name: id, type: INT}, {name: id, type: INT}]'),
    shows: lines(
      'sources/s.yml:4:45  error  LV3240  source "s": duplicate column "id"',
      '  4 |     columns: [{name: id, type: INT}, {name: id, type: INT}]',
      '    |                                             ^^',
      '  sources/s.yml:4:22  first defined here',
    ),
  },
  'column-described-twice': {
    files: modelling('    columns: [{name: id}, {name: id, description: key}]'),
    shows: 'models/m.yml:4:34  warning  LV3241  model "m": duplicate description of column "id"',
  },
  'column-type': {
    files: declaring('    columns: [{name: tags, type: ARRAY<TEXT>}]'),
    shows: lines(
      'sources/s.yml:4:40  error  LV3242  column "tags" of source "s": unknown type "ARRAY<TEXT>" — write STRING',
      '  4 |     columns: [{name: tags, type: ARRAY<TEXT>}]',
      '    |                                        ^^^^',
    ),
  },
  'event-time-column': {
    files: declaring('    columns: [{name: ts, type: TIMESTAMP(3)}]', '    event_time: {column: tss}'),
    shows:
      'sources/s.yml:5:26  error  LV3243  source "s": event time column "tss" is not declared — did you mean "ts"?',
  },
  'event-time-type': {
    files: declaring('    columns: [{name: ts, type: BIGINT}]', '    event_time: {column: ts}'),
    shows: lines(
      'sources/s.yml:5:26  error  LV3244  source "s": event time column "ts" has type BIGINT, expected TIMESTAMP or TIMESTAMP_LTZ with at most 3 digits — declare it as TIMESTAMP_LTZ(3)',
      '  5 |     event_time: {column: ts}',
      '    |                          ^^',
      '  sources/s.yml:4:22  column defined here',
    ),
  },
  'processing-time-type': {
    files: declaring('    columns: [{name: at, type: STRING, proctime: true}]'),
    shows:
      'sources/s.yml:4:32  warning  LV3245  column "at" of source "s" is a processing time and cannot have the type "STRING" — remove "type" or "proctime"',
  },
  'column-not-given': {
    files: modelling('    security: {classification: {idd: internal}}'),
    shows: lines(
      'models/m.yml:4:33  warning  LV3246  model "m" classifies the unknown column "idd" — did you mean "id"?',
      '  4 |     security: {classification: {idd: internal}}',
      '    |                                 ^^^',
    ),
  },
  'key-column': {
    files: modelling('    key: ts'),
    shows:
      'models/m.yml:4:10  error  LV3247  model "m": key "ts" is not one of its columns — available: "id"',
  },
  'freshness-order': {
    files: declaring('    freshness: {max_lag_seconds: 60, warn_after_seconds: 90}'),
    shows:
      'sources/s.yml:4:58  warning  LV3248  "warn_after_seconds" (90) is greater than "max_lag_seconds" (60), so the error comes before the warning',
  },
  'schema-definition': {
    files: declaring('    schema: {format: avro, definition: "message Order { string id = 1; }"}'),
    shows:
      'sources/s.yml:4:28  error  LV3249  source "s": "schema.definition" is not valid JSON, which the format "avro" requires — write "format: protobuf"',
  },
  'schema-twice': {
    files: declaring(`    schema: {registry: main, format: avro, definition: '"string"'}`),
    shows:
      'sources/s.yml:4:44  warning  LV3250  source "s": "schema" has both "registry" and "definition", expected one of them',
  },
  'ml-output-undeclared': {
    files: predicting('    description: scores'),
    shows: `models/m.yml:3:28  warning  LV3251  model "m": the machine-learning model "fraud" is not declared in "ml_outputs" — add "ml_outputs.fraud.columns"`,
  },
  'ml-output-unused': {
    files: predicting(
      '    ml_outputs:',
      '      fraud: {columns: [{name: score, type: DOUBLE}]}',
      '      freud: {columns: [{name: score, type: DOUBLE}]}',
    ),
    shows:
      'models/m.yml:6:7  warning  LV3252  "ml_outputs" of model "m" declares "freud", which its SQL does not call — its SQL calls "fraud"',
  },
};
