import type { Row, RowsCase } from '../rows-case.ts';
import { partition, projectFile } from './project-rows.ts';

const files = {
  'stream_project.yml': `${projectFile('readings')}  tests: { violations_topic: PREFIX.violations }
`,
  'sources/sources.yml': `sources:
  - name: readings_raw
    topic: PREFIX.source.readings
    columns:
      - { name: id, type: BIGINT }
      - { name: device, type: STRING }
      - { name: amount, type: "DECIMAL(10, 2)" }
      - { name: kind, type: STRING }
      - { name: code, type: STRING }
      - { name: read_at, type: TIMESTAMP(3) }
    event_time: { column: read_at }
  - name: devices_raw
    topic: PREFIX.source.devices
    columns:
      - { name: device, type: STRING }
      - { name: since, type: TIMESTAMP(3) }
    event_time: { column: since }
`,
  'models/readings.yml': `models:
  - name: readings
    sql: SELECT id, device, amount, kind, code, read_at FROM {{ source("readings_raw") }}
    advanced: { topic: { name: PREFIX.readings } }
  - name: devices
    key: device
    sql: |
      SELECT device, since
      FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY device ORDER BY since DESC) AS n FROM {{ source("devices_raw") }})
      WHERE n = 1
    advanced: { event_time: { column: since }, topic: { name: PREFIX.devices } }
`,
  'tests/readings.yml': `tests:
  - name: good
    model: readings
    type: continuous
    assertions:
      - not_null: { columns: [amount, kind] }
      - accepted_values: { column: kind, values: [a, b] }
      - accepted_types: { types: { code: int } }
      - range: { column: amount, min: 0, max: 100 }
      - positive: { column: amount }
      - max_lag: { column: read_at, max_seconds: 60 }
      - unique_key: { key: id }
      - foreign_key: { column: device, ref_model: devices, ref_key: device }
      - custom_sql: { sql: "SELECT id, amount FROM {{ model }} WHERE amount = 13" }
      - custom_sql: { sql: "SELECT COUNT(amount) AS n FROM {{ model }}", expect: 7 }
  - name: balanced
    model: readings_raw
    type: continuous
    assertions:
      - unique_key: { key: device, window: 10 MINUTE, tolerance: 0.4 }
      - distribution:
          column: amount
          buckets: [{ min: 0, max: 50, expected_ratio: 0.9, tolerance: 0.1 }]
`,
};

const before = [
  ...partition(
    0,
    `
{"id":1,"device":"d1","amount":10,"kind":"a","code":"12","read_at":"2020-03-29 01:00:00"}
{"id":1,"device":"d1","amount":10,"kind":"a","code":"12","read_at":"2020-03-29 01:00:00"}
{"id":2,"device":null,"amount":null,"kind":null,"code":null,"read_at":"2020-03-29 01:00:01"}
{"id":3,"device":"d1","amount":-1,"kind":"b","code":"-7","read_at":"2020-03-29 01:00:02"}
{"id":4,"device":"d9","amount":0,"kind":"c","code":"x1","read_at":"2020-03-29 01:00:03"}
{"id":5,"device":"d2","amount":101,"kind":"a","code":"7","read_at":"2020-03-29 01:00:04"}
{"id":8,"device":"d1","amount":1,"kind":"a","code":"1","read_at":"2020-03-29 02:30:00"}`,
  ),
  ...partition(
    1,
    `
{"id":6,"device":"d2","amount":13,"kind":"a","code":"1","read_at":"2020-03-29 01:00:05"}
{"id":7,"device":"d2","amount":100,"kind":"b","code":"5","read_at":"2020-03-29 02:30:00"}`,
  ),
];
const after = [
  ...partition(
    0,
    '{"id":10,"device":"d1","amount":20,"kind":"b","code":"3","read_at":"2020-03-29 03:40:00"}',
  ),
  ...partition(
    1,
    '{"id":11,"device":"d2","amount":20,"kind":"b","code":"3","read_at":"2020-03-29 03:40:00"}',
  ),
];
const devices = [
  ...partition(
    0,
    `
{"device":"d1","since":"2020-03-29 00:00:00"}
{"device":"d7","since":"2020-03-29 02:30:00"}`,
  ),
  ...partition(
    1,
    `
{"device":"d2","since":"2020-03-29 00:00:00"}
{"device":"d8","since":"2020-03-29 02:30:00"}`,
  ),
];

/** Rows of the readings with these numbers. */
function readings(...ids: readonly number[]): readonly Row[] {
  return ids.map((id) => [...before, ...after].find(({ row }) => row?.['id'] === id)?.row ?? {});
}

function violations(
  test: string,
  assertion: string,
  column: string | null,
  records: readonly Row[],
): readonly Row[] {
  return records.map((record) => ({ test, assertion, column, severity: 'error', record }));
}

const window = (from: string, to: string, records: number, measured: number) => ({
  window_start: `2020-03-29 ${from}`,
  window_end: `2020-03-29 ${to}`,
  records,
  measured,
});

/** All violations, with the ids that several rows of the model have, and the number of its amounts. */
function allViolations(repeated: readonly number[], amounts: number): readonly Row[] {
  return [
    ...violations('good', 'not_null', 'amount', readings(2)),
    ...violations('good', 'not_null', 'kind', readings(2)),
    ...violations('good', 'accepted_values', 'kind', readings(4)),
    ...violations('good', 'accepted_types', 'code', readings(4)),
    ...violations('good', 'range', 'amount', readings(3, 5)),
    ...violations('good', 'positive', 'amount', readings(3, 4)),
    ...violations('good', 'max_lag', 'read_at', readings(1, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11)),
    ...violations('good', 'unique_key', 'id', readings(...repeated)),
    ...violations('good', 'foreign_key', 'device', readings(4)),
    ...violations('good', 'custom_sql', null, [{ id: 6, amount: 13 }]),
    ...violations('good', 'custom_sql', null, [{ n: amounts }]).map((row) => ({
      ...row,
      violation: 'good/10',
    })),
    ...violations('balanced', 'unique_key', 'device', [window('01:00:00', '01:10:00', 6, 0.5)]),
    ...violations('balanced', 'distribution', 'amount', [
      window('01:00:00', '02:00:00', 7, 4 / 7),
      window('02:00:00', '03:00:00', 2, 0.5),
    ]),
  ];
}

/** Every assertion that does not wait for the clock, each with a record that violates it. */
export const readingsCase: RowsCase = {
  name: 'readings',
  construct: 'project: assertions with planted violations',
  sources: [],
  models: [{ name: 'devices' }, { name: 'violations', unlike: ['detected_at', 'expected'] }],
  project: {
    files,
    sources: {
      readings: { partitions: 2, before, after },
      devices: { partitions: 2, before: devices, after: [] },
    },
  },
  judge: {
    devices: devices.map(({ row }) => row ?? {}),
    violations: allViolations([1], 10),
  },
  // The model writes its first rows twice
  repeated: { violations: allViolations([1, 2, 3, 4, 5, 6, 7, 8], 18) },
};
