import type { DiagnosticName } from '../src/index.ts';
import { projectWith } from './validate-support/validate-files.ts';

/** A project that makes a finding, and how people see it. */
export interface ColumnFixture {
  readonly files: Readonly<Record<string, string>>;
  /** What text output holds; the place included. */
  readonly shows: string;
}

const sources = `sources:
  - name: orders
    topic: orders.v1
    columns:
      - {name: id, type: STRING}
      - {name: customer_id, type: STRING}
      - {name: amount, type: "DECIMAL(10, 2)"}
      - {name: ts, type: TIMESTAMP(3)}
    event_time: {column: ts}
  - name: customers
    topic: customers.v1
    columns:
      - {name: id, type: STRING}
      - {name: name, type: STRING}
`;

/** A model with this SQL in a block, from line 4 on. */
function sql(...text: readonly string[]): Readonly<Record<string, string>> {
  const model = ['models:', '  - name: m', '    sql: |', ...text.map((line) => `      ${line}`), ''];
  return { 'sources/s.yml': sources, 'models/m.yml': model.join('\n') };
}

/** One for every code of columns. */
export const columnFixtures: Readonly<Partial<Record<DiagnosticName, ColumnFixture>>> = {
  'unknown-column': {
    files: sql('SELECT id, amuont', 'FROM {{ source("orders") }}'),
    shows:
      'models/m.yml:4:18  error  LV4101  no table in FROM has a column "amuont" — did you mean "amount"?',
  },
  'unknown-table-alias': {
    files: sql('SELECT orders.id', 'FROM {{ source("orders") }} AS o'),
    shows:
      'models/m.yml:4:14  error  LV4102  "orders" is neither a table nor a column in FROM — FROM has "o"',
  },
  'ambiguous-column': {
    files: sql(
      'SELECT id, amount',
      'FROM {{ source("orders") }} AS o',
      'JOIN {{ source("customers") }} AS c ON o.customer_id = c.id',
    ),
    shows:
      'models/m.yml:4:14  error  LV4103  the column "id" is ambiguous, more than one column in FROM has that name — write o.id or c.id',
  },
  'duplicate-alias': {
    files: sql('SELECT amount', 'FROM {{ source("orders") }} AS o, {{ source("customers") }} AS o'),
    shows:
      'models/m.yml:5:70  error  LV4104  duplicate table name "o" in FROM — add AS with another name to one of them',
  },
  'column-count': {
    files: sql('WITH c (a, b, c) AS (SELECT id, name FROM {{ source("customers") }})', 'SELECT a FROM c'),
    shows: 'models/m.yml:4:15  error  LV4105  3 names for 2 columns, expected one name for each column',
  },
  'set-operation-columns': {
    files: sql(
      'SELECT id, amount FROM {{ source("orders") }}',
      'UNION ALL',
      'SELECT id FROM {{ source("customers") }}',
    ),
    shows:
      'models/m.yml:6:7  error  LV4106  this operand of UNION ALL has 1 column, but the first one has 2 columns',
  },
  'window-type': {
    files: sql(
      'SELECT window_start, window_end, COUNT(*) AS n',
      'FROM TABLE(TUMBLE(TABLE {{ source("orders") }}, DESCRIPTOR(amount), INTERVAL \'1\' HOUR))',
      'GROUP BY window_start, window_end',
    ),
    shows:
      'models/m.yml:5:66  error  LV4130  the window is over "amount" of type DECIMAL(10, 2), which is not a time attribute',
  },
  'window-without-time-attribute': {
    files: sql(
      'WITH o AS (SELECT id, COALESCE(ts, ts) AS ts FROM {{ source("orders") }})',
      'SELECT window_start, window_end, COUNT(*) AS n',
      "FROM TABLE(TUMBLE(TABLE o, DESCRIPTOR(ts), INTERVAL '1' HOUR))",
      'GROUP BY window_start, window_end',
    ),
    shows:
      'models/m.yml:6:45  error  LV4131  the window is over "ts" of type TIMESTAMP(3), which is not a time attribute — compute it in a model of its own, name it in "advanced.event_time.column" of that model, and read that model here',
  },
  'temporal-join-without-time-attribute': {
    files: sql(
      'SELECT o.id, c.name',
      'FROM {{ source("orders") }} AS o',
      'JOIN {{ source("customers") }} FOR SYSTEM_TIME AS OF o.ts AS c ON o.customer_id = c.id',
    ),
    shows:
      'models/m.yml:6:60  error  LV4132  "ts" is compared with versions of a table without event time — name the column of its event time in "event_time" of the source',
  },
  'temporal-join-on-processing-time': {
    files: sql(
      'SELECT o.id, c.name',
      'FROM (SELECT *, PROCTIME() AS pt FROM {{ source("orders") }}) AS o',
      'JOIN {{ source("customers") }} FOR SYSTEM_TIME AS OF o.pt AS c ON o.customer_id = c.id',
    ),
    shows: 'models/m.yml:6:60  error  LV4133  "pt" is a processing time',
  },
  'not-grouped': {
    files: sql(
      'SELECT customer_id, id, COUNT(*) AS n',
      'FROM {{ source("orders") }}',
      'GROUP BY customer_id',
    ),
    shows:
      'models/m.yml:4:27  error  LV4107  the column "id" is neither grouped nor within an aggregate function, so it has more than one value in a group — add "id" to GROUP BY, or write an aggregate such as MAX(id)',
  },
  'window-grouping': {
    files: sql(
      'SELECT window_start, COUNT(*) AS n',
      'FROM TABLE(TUMBLE(TABLE {{ source("orders") }}, DESCRIPTOR(ts), INTERVAL \'1\' HOUR))',
      'GROUP BY window_start',
    ),
    shows:
      'models/m.yml:6:16  warning  LV4134  rows of windows are grouped without "window_end", so that results are updated forever and their state only grows — group by both window_start and window_end',
  },
  'window-call': {
    files: sql(
      "SELECT TUMBLE_START(ts, INTERVAL '1' HOUR) AS hour_start, COUNT(*) AS n",
      'FROM {{ source("orders") }}',
      "GROUP BY TUMBLE(ts, INTERVAL '1' DAY)",
    ),
    shows:
      'models/m.yml:4:14  error  LV4135  no matching window in GROUP BY for TUMBLE_START, expected TUMBLE with the same arguments',
  },
  'null-column': {
    files: sql('SELECT id, NULL AS note', 'FROM {{ source("orders") }}'),
    shows:
      'models/m.yml:4:18  error  LV4108  the column is NULL without a type, expected one that the engine can write — write CAST(NULL AS STRING), or the type that is meant',
  },
  'repeated-column-name': {
    files: sql('SELECT id, customer_id AS id', 'FROM {{ source("orders") }}'),
    shows:
      'models/m.yml:4:33  warning  LV4109  duplicate column name "id" in the result, so the engine renames the later one',
  },
  'window-size': {
    files: sql(
      'SELECT window_start, window_end, COUNT(*) AS n',
      "FROM TABLE(HOP(TABLE {{ source(\"orders\") }}, DESCRIPTOR(ts), INTERVAL '2' MINUTE, INTERVAL '5' MINUTE))",
      'GROUP BY window_start, window_end',
    ),
    shows:
      'models/m.yml:5:89  error  LV4136  the size of HOP is not a multiple of its slide — use a multiple of slide',
  },
  'over-window': {
    files: sql(
      'SELECT SUM(amount) OVER (PARTITION BY id ORDER BY ts DESC) AS total',
      'FROM {{ source("orders") }}',
    ),
    shows:
      'models/m.yml:4:14  error  LV4137  SUM is over rows in descending order, the engine takes windows in ascending order of time only — write ORDER BY without DESC',
  },
  'order-without-time': {
    files: sql('SELECT id, amount', 'FROM {{ source("orders") }}', 'ORDER BY amount'),
    shows:
      'models/m.yml:6:16  error  LV4138  the rows are not ordered by an ascending time attribute first, any other order requires LIMIT — remove ORDER BY',
  },
  'match-pattern': {
    files: sql(
      'SELECT *',
      'FROM {{ source("orders") }}',
      'MATCH_RECOGNIZE (ORDER BY ts MEASURES A.id AS first PATTERN (A B+) DEFINE B AS B.amount > 1) AS m',
    ),
    shows:
      'models/m.yml:6:70  error  LV4139  the pattern ends with a repetition that takes as many rows as it can, which the engine rejects',
  },
  'interval-precision': {
    files: sql(
      'SELECT id',
      'FROM {{ source("orders") }}',
      "WHERE ts > LOCALTIMESTAMP - INTERVAL '7200' SECOND",
    ),
    shows:
      "models/m.yml:6:35  error  LV4140  INTERVAL '7200' SECOND has 4 digits, expected at most 2 — write it as INTERVAL '0 02:00:00' DAY TO SECOND",
  },
  'unnamed-column': {
    files: sql('SELECT id, UPPER(customer_id)', 'FROM {{ source("orders") }}'),
    shows:
      'models/m.yml:4:18  info  LV4141  the column has no name, so the engine names it "EXPR$1" — add AS and a name',
  },
  'duplicate-table-column': {
    files: sql(
      'WITH pairs AS (',
      '  SELECT o.id, c.id FROM {{ source("orders") }} AS o JOIN {{ source("customers") }} AS c ON o.customer_id = c.id',
      ')',
      'SELECT 1 AS n FROM pairs',
    ),
    shows:
      'models/m.yml:4:12  error  LV4143  the common table "pairs" has more than one column "id" — add AS with another name to one of them',
  },
  'join-condition': {
    files: sql(
      'SELECT amount, name',
      'FROM {{ source("orders") }}',
      'LEFT JOIN {{ source("customers") }} AS c',
    ),
    shows:
      'models/m.yml:6:7  error  LV4144  LEFT JOIN has no condition, expected ON or USING — write ON and what the rows have in common, or CROSS JOIN',
  },
  'aggregate-place': {
    files: sql('SELECT id, MAX(SUM(amount)) AS top', 'FROM {{ source("orders") }}', 'GROUP BY id'),
    shows:
      'models/m.yml:4:22  error  LV4145  SUM is nested in MAX, but an aggregate function takes values of single rows — compute the inner one in a common table, and the outer one over that',
  },
  'offset-without-limit': {
    files: sql('SELECT id', 'FROM {{ source("orders") }}', 'OFFSET 5 ROWS'),
    shows:
      'models/m.yml:6:7  error  LV4146  OFFSET without LIMIT — write LIMIT and the number of rows before OFFSET',
  },
  'window-arguments': {
    files: sql(
      'SELECT id, window_start',
      'FROM TABLE(TUMBLE(TABLE {{ source("orders") }}, DESCRIPTOR(ts), 60))',
    ),
    shows:
      "models/m.yml:5:71  error  LV4147  TUMBLE of INT as a length of time, expected an INTERVAL — write INTERVAL '1' MINUTE",
  },
  'aggregate-in-where': {
    files: sql('SELECT id', 'FROM {{ source("orders") }}', 'WHERE SUM(amount) > 1'),
    shows:
      'models/m.yml:6:13  error  LV4142  WHERE has an aggregate function, but it looks at single rows — write the condition in HAVING',
  },
  'model-name-quotes': {
    files: sql('SELECT ML_PREDICT(fraud, amount) AS p', 'FROM {{ source("orders") }}'),
    shows:
      'models/m.yml:4:25  error  LV4180  the machine-learning model "fraud" is used without quotes, expected text — write ML_PREDICT(\'fraud\', ...)',
  },
  'later-version': {
    files: {
      'stream_project.yml': projectWith().replace('type: rest', "type: rest\n        version: '1.20'"),
      ...sql('SELECT id FROM {{ source("orders") }}', "WHERE ENDSWITH(id, 'x')"),
    },
    shows:
      'models/m.yml:5:13  error  LV4181  function ENDSWITH, which the engine has since version 2.0, and the cluster "main" is of version "1.20" — write it in another way, or correct "version" of the cluster',
  },
  'event-time-lost': {
    files: sql(
      'WITH o AS (SELECT id, CAST(ts AS TIMESTAMP(3)) AS ts FROM {{ source("orders") }})',
      'SELECT window_start, window_end, COUNT(*) AS n',
      "FROM TABLE(TUMBLE(TABLE o, DESCRIPTOR(ts), INTERVAL '1' HOUR))",
      'GROUP BY window_start, window_end',
    ),
    shows:
      'models/m.yml:4:29  error  LV4182  "ts" is not a time attribute after CAST, but a window or temporal join that reads it needs one — use the column without CAST',
  },
  'temporal-join-key': {
    files: {
      ...sql(
        'SELECT o.id, c.amount',
        'FROM {{ source("orders") }} AS o',
        'JOIN {{ ref("latest") }} FOR SYSTEM_TIME AS OF o.ts AS c ON o.amount = c.amount',
      ),
      'models/l.yml': [
        'models:',
        '  - name: latest',
        '    key: customer_id',
        '    sql: SELECT customer_id, amount, ts FROM {{ source("orders") }}',
        '',
      ].join('\n'),
    },
    shows:
      'models/m.yml:6:67  error  LV4183  the temporal join does not compare the key "customer_id" of the versions with "=" — add "AND customer_id = ..." to ON',
  },
  'computed-column': {
    files: {
      'sources/s.yml': [
        'sources:',
        '  - name: orders',
        '    topic: orders.v1',
        '    columns:',
        '      - {name: amount, type: BIGINT}',
        '      - {name: total, expression: SUM(amount)}',
        '',
      ].join('\n'),
    },
    shows:
      'sources/s.yml:6:35  error  LV4195  computed column "total" of source "orders" has SUM, which the engine does not compute for single rows — compute it in the SQL of a model',
  },
  'deleted-version': {
    files: {
      ...sql(
        'SELECT o.id, u.name',
        'FROM {{ source("orders") }} AS o',
        'JOIN {{ source("users") }} FOR SYSTEM_TIME AS OF o.ts AS u ON o.customer_id = u.id',
      ),
      'sources/u.yml': [
        'sources:',
        '  - name: users',
        '    topic: users.v1',
        '    changelog: upsert',
        '    key: id',
        '    columns: [{name: id, type: STRING}, {name: name, type: STRING}, {name: ts, type: TIMESTAMP(3)}]',
        '    event_time: {column: ts}',
        '',
      ].join('\n'),
    },
    shows:
      'models/m.yml:6:12  warning  LV4200  a deletion in this source has the time of the row that it deletes, so that the last version of the row is found at no time — read a topic whose deletions are rows with a time of their own and a column such as "__deleted", or disable this code if no row is deleted',
  },
  'append-only-input': {
    files: {
      ...sql(
        'SELECT customer_id, n,',
        '  SUM(n) OVER (PARTITION BY customer_id ORDER BY ts) AS total',
        'FROM {{ ref("counts") }}',
      ),
      'models/c.yml': [
        'models:',
        '  - name: counts',
        '    sql: SELECT customer_id, COUNT(*) AS n, MAX(ts) AS ts FROM {{ source("orders") }} GROUP BY customer_id',
        '    advanced: {event_time: {column: ts}}',
        '',
      ].join('\n'),
    },
    shows:
      'models/m.yml:5:9  error  LV4184  OVER takes rows that are only appended, but those that it reads change later: model "counts", whose rows change — use OVER before that, or a window in its place',
  },
};
