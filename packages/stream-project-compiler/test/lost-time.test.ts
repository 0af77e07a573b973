import { describe, expect, test } from 'vitest';
import { lines, validateFiles } from './validate-support/validate-files.ts';

const columns = ['id, type: STRING', 'price, type: "DECIMAL(10, 2)"', 'ts, type: TIMESTAMP(3)'];

function source(name: string, eventTime: string): readonly string[] {
  return [
    `  - name: ${name}`,
    `    topic: ${name}.v1`,
    '    columns:',
    ...columns.map((column) => `      - {name: ${column}}`),
    ...(eventTime === '' ? [] : [`    event_time: ${eventTime}`]),
  ];
}

function model(name: string, sql: string, ...more: readonly string[]): readonly string[] {
  return [`  - name: ${name}`, '    sql: |', `      ${sql}`, ...more.map((line) => `    ${line}`)];
}

function window(table: string, time = 'ts'): string {
  return `SELECT window_start, window_end, COUNT(*) AS n FROM TABLE(TUMBLE(TABLE ${table}, DESCRIPTOR(${time}), INTERVAL '1' MINUTE)) GROUP BY window_start, window_end`;
}

async function findings(eventTime: string, ...models: readonly (readonly string[])[]) {
  const { diagnostics } = await validateFiles({
    'models/m.yml': lines(
      'sources:',
      ...source('s', eventTime),
      ...source('versions', '{column: ts}'),
      'models:',
      ...models.flat(),
    ),
  });
  return diagnostics.map(
    ({ code, severity, object, range: { start } }) => `${severity} ${code} ${object} ${start.line}`,
  );
}

const s = '{{ source("s") }}';
const cast = model('a', `SELECT id, CAST(ts AS TIMESTAMP(3)) AS ts FROM ${s}`);

describe('event time that a CAST takes away', () => {
  test('reports a lost event time at the CAST, however many models read it', async () => {
    const readers = ['b', 'c', 'd'].map((name) => model(name, window('{{ ref("a") }}')));
    const through = [
      model('e', 'SELECT id, ts FROM {{ ref("a") }}'),
      model('f', window('{{ ref("e") }}')),
      model(
        'g',
        'SELECT a.id, v.price FROM {{ ref("a") }} AS a JOIN {{ source("versions") }} FOR SYSTEM_TIME AS OF a.ts AS v ON a.id = v.id',
      ),
    ];
    expect(await findings('{column: ts}', cast, ...readers, ...through)).toEqual(['error LV4182 model:a 19']);
  });

  test('accepts a lost event time where nothing needs it', async () => {
    expect(await findings('{column: ts}', cast, model('b', 'SELECT id, ts FROM {{ ref("a") }}'))).toEqual([]);
  });

  test('accepts a lost event time where the model names its event time', async () => {
    const own = [...cast, '    advanced: {event_time: {column: ts}}'];
    expect(await findings('{column: ts}', own, model('b', window('{{ ref("a") }}')))).toEqual([]);
  });

  test('reports the reader where the model has another event time', async () => {
    const both = model('a', `SELECT id, ts AS t, CAST(ts AS TIMESTAMP(3)) AS ts FROM ${s}`);
    const found = await findings('{column: ts}', both, model('b', window('{{ ref("a") }}')));
    expect(found).toEqual(['error LV4131 model:b 22']);
  });

  test('reports versions of tables that lost their event time', async () => {
    const sql =
      'SELECT o.id, a.id AS other FROM {{ source("versions") }} AS o JOIN {{ ref("a") }} FOR SYSTEM_TIME AS OF o.ts AS a ON o.id = a.id';
    expect(await findings('{column: ts}', cast, model('b', sql))).toEqual(['error LV4182 model:a 19']);
  });
});

describe('LV4131 names the part of the SQL that makes a plain value of an event time', () => {
  const interval = `FROM ${s} AS a JOIN {{ source("versions") }} AS b ON a.id = b.id AND b.ts BETWEEN a.ts AND a.ts + INTERVAL '1' HOUR`;
  const list = "WHERE id IN ('a', 'b')";

  test.each([
    ['GROUP BY after IN with a list', 'GROUP BY', `SELECT id, MAX(ts) AS ts FROM ${s} ${list} GROUP BY id`],
    ['GROUP BY after an interval join', 'GROUP BY', `SELECT a.id, MAX(a.ts) AS ts ${interval} GROUP BY a.id`],
    [
      'IN with a query',
      'IN',
      `SELECT id, ts FROM ${s} WHERE id IN (SELECT id FROM {{ source("versions") }})`,
    ],
    [
      'a join by another column',
      'JOIN',
      `SELECT a.id, a.ts FROM ${s} AS a JOIN {{ source("versions") }} AS b ON a.id = b.id`,
    ],
  ])('%s', async (_, part, sql) => {
    const { diagnostics } = await validateFiles({
      'models/m.yml': lines(
        'sources:',
        ...source('s', '{column: ts}'),
        ...source('versions', '{column: ts}'),
        'models:',
        ...model('a', sql),
        ...model('b', window('{{ ref("a") }}')),
      ),
    });
    const said = diagnostics
      .filter(({ code }) => code === 'LV4131')
      .map(({ message, hint }) => `${message} ${hint}`);
    expect(said).toEqual([expect.stringContaining(` ${part}`)]);
  });
});

describe('a wrong event time of a source is reported once', () => {
  const readers = [
    model('a', window(s)),
    model('b', `SELECT id, ts FROM ${s}`),
    model('c', window('{{ ref("b") }}')),
    model(
      'd',
      `SELECT s.id, v.price FROM ${s} AS s JOIN {{ source("versions") }} FOR SYSTEM_TIME AS OF s.ts AS v ON s.id = v.id`,
    ),
    model(
      'e',
      `SELECT v.id, s.price FROM {{ source("versions") }} AS v JOIN ${s} FOR SYSTEM_TIME AS OF v.ts AS s ON s.id = v.id`,
    ),
  ];

  test.each([
    ['a column that is not there', '{column: tss}', 'LV3243'],
    ['a column of text', '{column: id}', 'LV3244'],
    ['a number', '{column: price}', 'LV3244'],
    ['no column', '{watermark: {max_out_of_orderness_ms: 1}}', 'LV1304'],
    ['a misspelt key', '{colum: ts}', 'LV1301'],
  ])('reports only the event time itself when it is %s', async (_, eventTime, code) => {
    const found = await findings(eventTime, ...readers);
    expect(found.map((one) => one.split(' ')[1])).toEqual([code]);
  });

  test.each([
    ['a column that is not there', '{column: tss}'],
    ['a column of text', '{column: id}'],
  ])('and so is that of a model: %s', async (_, eventTime) => {
    const own = model('a', `SELECT id, ts AS t FROM ${s}`, `advanced: {event_time: ${eventTime}}`);
    const found = await findings('{column: ts}', own, model('b', window('{{ ref("a") }}', 't')));
    expect(found).toHaveLength(1);
    expect(found[0]).toContain('model:a');
  });
});

describe('what the engine refuses of times is an error', () => {
  test('a window over a source without event time', async () => {
    expect(await findings('', model('a', window(s)))).toEqual(['error LV4131 model:a 18']);
  });

  test('a temporal join as of a DECIMAL', async () => {
    const sql = `SELECT s.id, v.price FROM ${s} AS s JOIN {{ source("versions") }} FOR SYSTEM_TIME AS OF s.price AS v ON s.id = v.id`;
    expect(await findings('{column: ts}', model('a', sql))).toEqual(['error LV4132 model:a 19']);
  });
});

describe('the key of a temporal join', () => {
  const keyed = model('latest', `SELECT id, price, ts FROM ${s}`, 'key: id');
  const join = (table: string, on: string) =>
    `SELECT v.id, l.price FROM {{ source("versions") }} AS v JOIN ${table} FOR SYSTEM_TIME AS OF v.ts AS l ON ${on}`;

  test.each(['v.id = l.id', 'l.id = v.id AND v.price > l.price', 'v.price = l.price AND v.id = l.id'])(
    'is compared by %s',
    async (on) => {
      const found = await findings('{column: ts}', keyed, model('a', join('{{ ref("latest") }}', on)));
      expect(found).toEqual([]);
    },
  );

  test.each(['v.price = l.price', 'v.id > l.id', 'v.id = l.id OR TRUE'])(
    'is not compared by %s',
    async (on) => {
      const found = await findings('{column: ts}', keyed, model('a', join('{{ ref("latest") }}', on)));
      expect(found).toEqual(['error LV4183 model:a 23']);
    },
  );

  test('accepts any column of a source as the key of a temporal join, but requires one comparison', async () => {
    expect(await findings('{column: ts}', model('a', join(s, 'v.price = l.price')))).toEqual([]);
    expect(await findings('{column: ts}', model('a', join(s, 'v.price > l.price')))).toEqual([
      'error LV4183 model:a 19',
    ]);
  });
});
