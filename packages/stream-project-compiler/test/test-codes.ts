import type { DiagnosticName } from '../src/index.ts';
import { lines } from './validate-support/validate-files.ts';

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
  '    sink: {connector: jdbc-sink, config: {a: b}}',
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
      'tests/t.yml:7:9  warning  LV3202  test "t" has the same "range" twice',
      '  7 |       - range: {min: 1, column: amount}',
      '    |         ^^^^^',
      '  tests/t.yml:6:9  the first one',
    ),
  },
  'repeated-entry': {
    files: asserting('- not_null: {columns: [id, amount, id]}'),
    shows: 'tests/t.yml:6:42  warning  LV3203  "not_null" of test "t" lists "id" twice',
  },
  'contradictory-bounds': {
    files: asserting('- range: {column: amount, min: 5, max: 1}'),
    shows: lines(
      'tests/t.yml:6:38  error  LV3204  "min" (5) is above "max" (1), so no value is within the range',
      '  6 |       - range: {column: amount, min: 5, max: 1}',
      '    |                                      ^',
      '  tests/t.yml:6:46  "max"',
    ),
  },
  'bucket-without-effect': {
    files: asserting('- distribution: {column: amount, buckets: [{min: 1, max: 2}]}'),
    shows:
      'tests/t.yml:6:50  warning  LV3205  a bucket of test "t" says nothing of its share of the records — give it "expected_ratio", "min_ratio" or "max_ratio"',
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
      'tests/t.yml:6:34  error  LV3207  "not_null" of test "t" names the column "amuont", which model "big" does not have — did you mean "amount"?',
      '  6 |       - not_null: {columns: [id, amuont]}',
      '    |                                  ^^^^^^',
    ),
  },
  'assertion-type': {
    files: asserting('- positive: {column: id}'),
    shows:
      'tests/t.yml:6:28  error  LV3208  "positive" of test "t" is about the column "id", which is STRING, expected a number',
  },
  'accepted-value-type': {
    files: asserting('- accepted_values: {column: id, values: ["1", 2]}'),
    shows:
      'tests/t.yml:6:53  error  LV3209  "accepted_values" of test "t" has the number "2", and the column "id" is STRING — put it in quotes',
  },
  'too-many-values': {
    files: asserting(
      `- accepted_values: {column: amount, values: [${Array.from({ length: 1001 }, (_, at) => at).join(', ')}]}`,
    ),
    shows:
      'tests/t.yml:6:43  warning  LV3210  "accepted_values" of test "t" has 1001 values, more than 1000 — keep them in a model, and refer to it with "foreign_key"',
  },
  'accepted-type': {
    files: asserting('- accepted_types: {types: {id: text, amount: numbr}}'),
    shows:
      'tests/t.yml:6:52  error  LV3211  "accepted_types" of test "t" asks for "numbr", expected a type of the engine or a word such as "number" — did you mean "number"?',
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
      'tests/t.yml:7:37  warning  LV3213  "max_lag" of test "t" is about the column "at", which is the time of processing and never behind — name the column of the event time',
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
      'tests/t.yml:7:49  warning  LV3214  "window" of "unique_key" of test "t" counts processing time, because source "clicks" has no event time — hand on the event time of what it reads, or declare it with "event_time"',
  },
  'custom-sql-target': {
    files: asserting('- custom_sql: {sql: \'SELECT id FROM {{ source("payments") }}\'}'),
    shows:
      'tests/t.yml:6:27  warning  LV3215  "custom_sql" of test "t" does not read model "big", which is under test — write {{ model }} for it',
  },
  'custom-sql-columns': {
    files: asserting('- custom_sql: {sql: "SELECT id, ts FROM {{ model }}", expect: 0}'),
    shows:
      'tests/t.yml:6:69  warning  LV3216  "custom_sql" of test "t" answers 2 columns, and "expect" is one value — select the one column that "expect" is about',
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
      'tests/t.yml:3:12  warning  LV3221  test "t" is about the sink "stored", which has no topic to read records from — test what it reads: "big"',
  },
  'schema-test-needs-data': {
    files: testOf('schema', '    assertions: [{throughput: {min_per_second: 1}}]'),
    shows:
      'tests/t.yml:5:19  warning  LV3222  "throughput" takes records, and test "t" is of type "schema", which reads none — move it to a test of type "sample" or "continuous"',
  },
  'dead-letter-loop': {
    files: testOf(
      'continuous',
      '    assertions: [{not_null: {columns: [id]}}]',
      '    on_failure: {actions: [{dlq: {topic: payments.v1}}]}',
    ),
    shows:
      'tests/t.yml:6:42  error  LV3223  test "t" writes records that fail to the topic "payments.v1", which the model under test reads, so they come back — name a topic that nothing else writes',
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
      'tests/t.yml:6:42  warning  LV3224  test "t" writes records that fail to the topic "small", which model "small" writes too — name a topic that nothing else writes',
      '  6 |     on_failure: {actions: [{dlq: {topic: small}}]}',
      '    |                                          ^^^^^',
      '  models/small.yml:2:11  the model',
    ),
  },
  'exposure-role': {
    files: exposing('    role: consumer', '    produces: [{source: payments}]'),
    shows: lines(
      'exposures/e.yml:4:11  warning  LV3230  exposure "e" has the role "consumer" and only writes — write "role: producer"',
      '  4 |     role: consumer',
      '    |           ^^^^^^^^',
    ),
  },
  'exposure-unconnected': {
    files: exposing('    role: producer'),
    shows:
      'exposures/e.yml:2:11  warning  LV3231  exposure "e" lists neither what it reads nor what it writes — add "produces"',
  },
  'sla-contradiction': {
    files: exposing(
      '    produces: [{source: payments}]',
      '    sla: {max_produce_latency_ms: 500, max_end_to_end_latency_ms: 100}',
    ),
    shows: lines(
      'exposures/e.yml:5:35  warning  LV3232  "max_produce_latency_ms" (500) is above "max_end_to_end_latency_ms" (100), which includes it',
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
      'exposures/e.yml:5:17  warning  LV3235  "schedule" of exposure "e" never comes: "25" is no hour, expected 0 to 23',
      '  5 |     schedule: 0 25 * * *',
      '    |                 ^^',
    ),
  },
};
