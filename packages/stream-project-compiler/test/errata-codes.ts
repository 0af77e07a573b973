import type { DiagnosticName } from '../src/index.ts';
import { lines } from './validate-support/validate-files.ts';

/** A project whose rows a defect of the engine makes wrong, and how people see it. */
export interface ErratumFixture {
  readonly files: Readonly<Record<string, string>>;
  /** What text output holds; the place included. */
  readonly shows: string;
}

const sources = lines(
  'sources:',
  '  - name: orders',
  '    topic: orders.v1',
  '    columns: [{name: id, type: INT}, {name: customer, type: STRING}, {name: amount, type: INT}, {name: body, type: STRING}]',
);

/** A model `m`, whose SQL begins at 4:7, before others at which jobs end. */
export function errataModel(
  sql: readonly string[],
  others: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const more = Object.entries(others).flatMap(([name, text]) => [
    `  - name: ${name}`,
    '    advanced: {engine: {ends_job: true}}',
    `    sql: ${text}`,
  ]);
  const text = sql.map((line) => `      ${line}`);
  return {
    'sources/s.yml': sources,
    'models/m.yml': lines('models:', '  - name: m', '    sql: |', ...text, ...more),
  };
}

/** One for every code of errata. */
export const errataFixtures: Readonly<Partial<Record<DiagnosticName, ErratumFixture>>> = {
  'engine-keeps-extreme': {
    files: errataModel(
      ['SELECT customer, MIN(id) AS first_id', 'FROM {{ ref("pairs") }}', 'GROUP BY customer'],
      {
        pairs: 'SELECT DISTINCT customer, id FROM {{ source("orders") }}',
      },
    ),
    shows:
      'models/m.yml:4:24  warning  LV4160  MIN keeps the value of a row after that is withdrawn: the engine takes these rows for appended, because no column is read that changes — add a column that changes to a model that is read, such as COUNT(*)',
  },
  'engine-keeps-place': {
    files: errataModel(['SELECT customer, id', 'FROM {{ ref("pairs") }}', 'ORDER BY id', 'LIMIT 3'], {
      pairs: 'SELECT DISTINCT customer, id FROM {{ source("orders") }}',
    }),
    shows:
      'models/m.yml:6:16  warning  LV4164  a row keeps its place after it is withdrawn: the engine takes this order for one in which rows only move forward — add a column that changes to the rows that are ordered, such as COUNT(*), or order by one',
  },
  'null-in-time': {
    files: {
      'sources/s.yml': lines(
        'sources:',
        '  - name: readings',
        '    topic: readings.v1',
        '    columns: [{name: id, type: INT}, {name: at, type: TIMESTAMP(3) NULL}]',
        '    event_time: {column: at}',
      ),
      'models/m.yml': lines(
        'models:',
        '  - name: m',
        '    sql: |',
        '      SELECT window_start, COUNT(*) AS n',
        '      FROM TABLE(TUMBLE(TABLE {{ source("readings") }}, DESCRIPTOR(`at`), INTERVAL \'1\' HOUR))',
        '      GROUP BY window_start, window_end',
      ),
    },
    shows:
      'models/m.yml:5:68  warning  LV4165  rows with a null in "at" are in no window: it is declared with NULL — declare it without NULL where each row has a time, or leave such rows out with WHERE at IS NOT NULL',
  },
  'engine-repeats-first-row': {
    files: errataModel([
      'SELECT COUNT(*) AS n FROM (',
      '  SELECT id, ROW_NUMBER() OVER (PARTITION BY customer ORDER BY amount) AS place FROM {{ source("orders") }}',
      ') WHERE place = 1',
    ]),
    shows:
      'models/m.yml:5:20  warning  LV4161  an aggregate also gets the rows that were replaced: the engine takes the first rows in this order for appended — order by one column with DESC, such as -x DESC NULLS FIRST for x, or write these rows into a model of their own, and read that',
  },
  'engine-rounds-deviation': {
    files: errataModel([
      'SELECT customer, STDDEV_POP(amount) AS spread',
      'FROM {{ source("orders") }}',
      'GROUP BY customer',
    ]),
    shows:
      'models/m.yml:4:24  warning  LV4162  STDDEV_POP of whole numbers is a whole number — write "STDDEV_POP(CAST(... AS DOUBLE))"',
  },
  'engine-rounds-json': {
    files: {
      'stream_project.yml': lines(
        'project: {name: shop}',
        'runtime:',
        '  platform: {bootstrap_servers: "localhost:9092"}',
        '  engine: {clusters: {main: {version: "1.20"}}}',
      ),
      ...errataModel(["SELECT JSON_VALUE(body, '$.price') AS price", 'FROM {{ source("orders") }}']),
    },
    shows:
      'models/m.yml:4:14  info  LV4163  JSON_VALUE of a decimal number loses digits in this version — write such numbers as texts in the JSON, or run the model on 2.0 or newer',
  },
};
