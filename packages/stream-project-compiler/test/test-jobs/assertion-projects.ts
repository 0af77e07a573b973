/** A type of a column, what its values can be compared with, and types that they can be read as. */
interface TypeCase {
  readonly type: string;
  readonly values?: readonly unknown[];
  readonly readAs: readonly string[];
  readonly is?: 'number' | 'time';
}

const cases: readonly TypeCase[] = [
  {
    type: 'STRING',
    values: ['new', "it's", '-- ', '*/'],
    readAs: ['string', 'int', 'number', 'bool', 'VARCHAR(3)'],
  },
  { type: 'VARCHAR(20)', values: ['new'], readAs: ['date', 'DECIMAL(10, 2)', 'datetime', 'time'] },
  { type: 'CHAR(3)', values: ['new', null], readAs: ['bigint', 'TIMESTAMP_LTZ(3)'] },
  { type: 'BOOLEAN', values: [true, 'false'], readAs: ['text', 'bool', 'int'] },
  { type: 'TINYINT', values: [1, -1.5], readAs: ['tinyint', 'int', 'number'], is: 'number' },
  { type: 'SMALLINT', values: [1], readAs: ['tinyint', 'float', 'DECIMAL(3, 1)'], is: 'number' },
  { type: 'INT', values: [1, 2.5], readAs: ['smallint', 'bigint', 'str'], is: 'number' },
  {
    type: 'BIGINT',
    values: [9_007_199_254_740_991, -1],
    readAs: ['int', 'DECIMAL(5, 0)', 'long'],
    is: 'number',
  },
  { type: 'FLOAT', values: [0.1, 1e21], readAs: ['int', 'double', 'DECIMAL(10, 2)'], is: 'number' },
  { type: 'DOUBLE', values: [0.1, 1e-7], readAs: ['float', 'bigint', 'text'], is: 'number' },
  { type: 'DECIMAL(10, 2)', values: [0.1, 1000.5], readAs: ['int', 'DECIMAL(5, 1)', 'double'], is: 'number' },
  { type: 'DECIMAL(38, 18)', values: [1], readAs: ['bigint', 'DECIMAL(10, 2)'], is: 'number' },
  { type: 'DATE', values: ['2026-11-22'], readAs: ['timestamp', 'string', 'date'] },
  { type: 'TIME', values: ['10:00:00'], readAs: ['string', 'time'] },
  {
    type: 'TIMESTAMP(3)',
    values: ['2026-11-22 10:00:00', '2026-11-22T10:00:00.5'],
    readAs: ['date', 'datetime'],
    is: 'time',
  },
  { type: 'TIMESTAMP(6)', values: ['2026-11-22 10:00'], readAs: ['time', 'text'], is: 'time' },
  { type: 'TIMESTAMP_LTZ(3)', values: ['2026-11-22T10:00:00Z'], readAs: ['timestamp', 'date'], is: 'time' },
  { type: 'BYTES', readAs: ['BYTES'] },
  { type: 'ARRAY<INT>', readAs: [] },
  { type: 'MAP<STRING, INT>', readAs: [] },
  { type: 'ROW<a INT, b ROW<c STRING>>', readAs: [] },
];

/** Types of the column with the time of events. */
const eventTimes = ['TIMESTAMP(3)', 'TIMESTAMP_LTZ(3)'];

/** Assertions that the type of a column allows, whatever else the table has. */
function assertionsOn({ type, values, readAs, is }: TypeCase): readonly unknown[] {
  return [
    { not_null: { columns: type.startsWith('ROW') ? ['c', 'c.b.c'] : ['c'] } },
    ...readAs.map((word) => ({ accepted_types: { types: { c: word } } })),
    ...(values === undefined
      ? []
      : [
          { accepted_values: { column: 'c', values } },
          { unique_key: { key: 'c' } },
          { custom_sql: { sql: 'SELECT c FROM {{ model }} WHERE id > 0', expect: values[0] } },
        ]),
    ...(is === 'number'
      ? [
          { range: { column: 'c', min: -1.5, max: 1e3 } },
          { positive: { column: 'c' } },
          { positive: { column: 'c', allow_zero: true } },
          { custom_sql: { sql: 'SELECT SUM(c) FROM {{ model }}', expect: 0 } },
        ]
      : []),
    ...(is === 'time'
      ? [
          { max_lag: { column: 'c', max_seconds: 0.5 } },
          { max_lag: { column: 'c', max_seconds: 86_300_000 } },
          { freshness: { column: 'c', max_age_minutes: 90 } },
        ]
      : []),
  ];
}

/** Assertions for which the type of the column does not matter. */
const withoutColumn: readonly unknown[] = [
  {
    custom_sql: {
      sql: 'SELECT id, COUNT(*) AS n FROM {{ model }} GROUP BY id HAVING COUNT(*) > 5 -- many',
    },
  },
  { throughput: { min_per_second: 0.5, max_per_second: 1000 } },
];

/** Assertions that use the time of events where a table has one. */
function assertionsOverTime({ type, values, is }: TypeCase, time: string | undefined): readonly unknown[] {
  return [
    ...(values === undefined
      ? []
      : [
          { unique_key: { key: 'c, id', window: '90 MINUTES' } },
          { unique_key: { key: 'id, c', window: '1 DAY', tolerance: 0.01 } },
        ]),
    ...(is === 'number'
      ? [
          {
            distribution: {
              column: 'c',
              buckets: [
                { max: 0.1, max_ratio: 0.5 },
                { min: 0.1, max: 10, expected_ratio: 0.3, tolerance: 0.1 },
              ],
            },
          },
        ]
      : []),
    ...(values === undefined || time === undefined
      ? []
      : [{ foreign_key: { column: 'c', ref_model: `keys_${time.length}`, ref_key: 'c' } }]),
    ...(type === 'STRING' ? withoutColumn : []),
  ];
}

/** A project for each type of column, in which tables with and without event time are tested with every assertion. */
export function assertionProjects(
  version: string,
): readonly (readonly [type: string, files: Readonly<Record<string, string>>])[] {
  return cases.map((one, index) => {
    const times = [undefined, eventTimes[index % eventTimes.length]];
    return [one.type, { 'stream_project.yml': JSON.stringify(projectOf(one, times, version)) }];
  });
}

function projectOf(one: TypeCase, times: readonly (string | undefined)[], version: string) {
  const columns = (time: string | undefined) => [
    { name: 'id', type: 'BIGINT' },
    { name: 'c', type: one.type },
    { name: 'secret', type: 'STRING', classification: 'sensitive' },
    ...(time === undefined ? [] : [{ name: 'at', type: time }]),
  ];
  const named = (kind: string, time: string | undefined) => `${kind}_${time?.length ?? 0}`;
  return {
    project: { name: 'shop' },
    runtime: {
      platform: { bootstrap_servers: 'localhost:9092' },
      engine: { clusters: { main: { type: 'rest', version } } },
    },
    sources: times.map((time) => ({
      name: named('records', time),
      topic: `${named('records', time)}.v1`,
      columns: columns(time),
      ...(time === undefined ? {} : { event_time: { column: 'at' } }),
    })),
    models: times.flatMap((time) => {
      if (time === undefined) return [];
      return [
        { name: named('keys', time), sql: `SELECT c, \`at\` FROM {{ source("${named('records', time)}") }}` },
      ];
    }),
    tests: times.flatMap((time) => {
      const assertions = [...(time === undefined ? assertionsOn(one) : []), ...assertionsOverTime(one, time)];
      if (assertions.length === 0) return [];
      const handsOn = one.values === undefined ? { actions: [{ dlq: { topic: 'failed.v1' } }] } : {};
      const [name, model] = [named('test', time), named('records', time)];
      return [
        { name, model, type: 'continuous', assertions, on_failure: { severity: 'warning', ...handsOn } },
      ];
    }),
  };
}
