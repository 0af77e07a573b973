import { describe, expect, test } from 'vitest';
import { entryOf } from '../src/index.ts';
import { compileFiles } from './resolve-support/compile-files.ts';

const columns = ['id', 'product', 'customer'].map((name) => ({ name, type: 'STRING' }));
const sources = [
  { name: 'orders', topic: 'orders.v1', columns: [...columns, { name: 'ts', type: 'TIMESTAMP(3)' }] },
  { name: 'users', topic: 'users.v1', columns },
];

/** What is said of the key of a model: message and hint, or nothing. */
async function saidOf(
  sql: string,
  key?: string,
): Promise<readonly (readonly [string, string | undefined])[]> {
  const written = sql.replace(/@(\w+)/g, '{{ source("$1") }}');
  const models = [{ name: 'm', sql: written, ...(key === undefined ? {} : { key }) }];
  const { diagnostics } = await compileFiles({ 'models/m.yml': JSON.stringify({ sources, models }) });
  const found = diagnostics.filter(({ code }) => entryOf(code).name === 'key-of-changes');
  return found.map(({ message, hint }) => [message, hint]);
}

async function hintOf(sql: string, key?: string): Promise<string | undefined> {
  return (await saidOf(sql, key))[0]?.[1];
}

const counted = 'SELECT product, COUNT(*) AS n FROM @orders GROUP BY product';
const latest =
  'SELECT id, customer FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY id ORDER BY customer DESC) AS n FROM @orders) WHERE n = 1';
const joined = 'SELECT o.id, u.customer FROM @orders o LEFT JOIN @users u ON o.customer = u.id';

describe('nothing is said of a model', () => {
  test.each([
    ['whose rows are only appended', 'SELECT id, product FROM @orders', 'product'],
    ['with the key of its query', counted, 'product'],
    ['without a key whose query has one', counted, undefined],
    [
      'without a key whose query has one of several columns',
      `${counted}, customer`.replace('product,', 'product, customer,'),
      undefined,
    ],
    ['with one row, whatever its key', 'SELECT COUNT(*) AS n FROM @orders', 'n'],
    ['with the key of PARTITION BY', latest, 'id'],
  ])('%s', async (_, sql, key) => {
    expect(await saidOf(sql, key)).toEqual([]);
  });
});

describe('the key that would work is', () => {
  test.each([
    ['the column of GROUP BY', counted, 'n', 'write "key: product", the column of GROUP BY'],
    [
      'the column of DISTINCT',
      'SELECT p AS kind, UPPER(p) AS shown FROM (SELECT DISTINCT product AS p FROM @orders)',
      'shown',
      'write "key: kind", the column of DISTINCT',
    ],
    ['the column of PARTITION BY', latest, 'customer', 'write "key: id", the column of PARTITION BY'],
    [
      'of a common table',
      `WITH l AS (${latest}) SELECT * FROM l`,
      'customer',
      'write "key: id", the column of PARTITION BY',
    ],
    [
      'all columns of GROUP BY',
      'SELECT product, customer, COUNT(*) AS n FROM @orders GROUP BY product, customer',
      'product',
      'remove "key": rows are then written by "product" and "customer", the columns of GROUP BY',
    ],
    [
      'a column of GROUP BY that is not selected',
      'SELECT COUNT(*) AS n FROM @orders GROUP BY product',
      'n',
      'add "product" to SELECT and write "key: product", the column of GROUP BY',
    ],
    [
      'a column of GROUP BY for a model without a key',
      'SELECT COUNT(*) AS n FROM @orders GROUP BY product',
      undefined,
      'add "product" to SELECT and write "key: product", the column of GROUP BY',
    ],
    [
      'columns of GROUP BY of which one is not selected',
      'SELECT product, COUNT(*) AS n FROM @orders GROUP BY product, customer',
      'product',
      'add "product" and "customer" to SELECT and remove "key": rows are then written by these, the columns of GROUP BY',
    ],
    [
      'a column of one row that is never null',
      'SELECT MAX(id) AS last, COUNT(*) AS n FROM @orders',
      undefined,
      'the query gives one row, so that any column without nulls can be its key: write "key: n"',
    ],
    [
      'none of one row whose columns can be null',
      'SELECT MAX(id) AS last FROM @orders',
      undefined,
      'the query gives one row: add COUNT(*) AS n to SELECT, and write "key: n"',
    ],
    [
      'none of a join that has none',
      joined,
      'id',
      'keep it if "id" differs in every row; otherwise write the column that does, or group or number the rows in the SQL',
    ],
  ])('%s', async (_, sql, key, hint) => {
    expect(await hintOf(sql, key)).toBe(hint);
  });
});

describe('a join on the whole key of one side', () => {
  const orders = { changelog: 'upsert', key: 'id' };
  const users = { changelog: 'upsert', key: 'id' };
  const enriched = 'SELECT o.id, o.product, u.customer FROM @orders o JOIN @users u ON o.customer = u.id';
  /** Code, message and hint of what is said of a key, with sources of tables. */
  const keysOf = async (
    sql: string,
    key: string | undefined,
    [ofOrders, ofUsers]: readonly [object, object] = [orders, users],
  ) => {
    const [one, other] = sources;
    const models = [
      { name: 'm', sql: sql.replace(/@(\w+)/g, '{{ source("$1") }}'), ...(key === undefined ? {} : { key }) },
    ];
    const tables = [
      { ...one, ...ofOrders },
      { ...other, ...ofUsers },
    ];
    const { diagnostics } = await compileFiles({
      'models/m.yml': JSON.stringify({ sources: tables, models }),
    });
    return diagnostics
      .filter(({ code }) => ['LV4004', 'LV4150', 'LV4199'].includes(code))
      .map(({ code, message, hint }) => ({ code, says: message.split(', and ')[1], hint }));
  };

  test('keeps the key of the other side, which the engine does not derive', async () => {
    const found = {
      code: 'LV4199',
      says: 'the engine does not find that each has its own "id", the key: it keeps a history of each key',
      hint: 'keep the key: no row is lost, the engine only needs more state',
    };
    expect(await keysOf(enriched, 'id')).toEqual([found]);
    expect(await keysOf(enriched.replace('JOIN', 'LEFT JOIN'), 'id')).toEqual([found]);
  });

  test('is followed to the key that a model without one should have, and advice is not taken back', async () => {
    const [found] = await keysOf(enriched, undefined);
    expect(found).toEqual({
      code: 'LV4004',
      says: 'the engine finds no column that distinguishes them: each change is a record without a key',
      hint: 'write "key: id", which differs in every row',
    });
  });

  test('says that several rows can have a key only where they can', async () => {
    const [found] = await keysOf(enriched, 'product');
    expect(found?.says).toBe('several can have the same "product", the key: only the last of these is kept');
    expect(found?.hint).toBe('write "key: id", which differs in every row');
    const [unknown] = await keysOf(enriched, 'id', [{}, users]);
    expect(unknown?.says).toBe(
      'nothing says that each has its own "id", the key: of several with the same one only the last is kept',
    );
    expect(unknown?.hint).toBe(
      'keep it if "id" differs in every row; otherwise write the column that does, or group or number the rows in the SQL',
    );
  });

  test.each([
    ['a RIGHT JOIN', enriched.replace('JOIN', 'RIGHT JOIN')],
    ['a FULL JOIN', enriched.replace('JOIN', 'FULL JOIN')],
    ['a join on another column', enriched.replace('u.id', 'u.product')],
  ])('%s does not keep the key of the left side', async (_, sql) => {
    expect((await keysOf(sql, 'id')).map(({ code }) => code)).toContain('LV4004');
  });

  test.each([
    [
      'a second join',
      'SELECT o.id, u.customer, v.product FROM @orders o JOIN @users u ON o.customer = u.id LEFT JOIN @users v ON o.product = v.id',
    ],
    ['a condition', `${enriched} WHERE u.customer <> 'x'`],
    [
      'a query around it',
      `SELECT id, customer FROM (${enriched}) q WHERE product IN (SELECT product FROM @users)`,
    ],
    ['another name', enriched.replace('o.id,', 'o.id AS order_id,')],
  ])('keeps it through %s', async (_, sql) => {
    const key = sql.includes('order_id') ? 'order_id' : 'id';
    expect((await keysOf(sql, key)).map(({ code }) => code)).toEqual(['LV4199']);
  });

  test('of a row and one of many rows has the key of the many', async () => {
    const sql = 'SELECT o.id, u.id AS user_id FROM @users u JOIN @orders o ON o.customer = u.id';
    expect((await keysOf(sql, 'user_id'))[0]?.says).toBe(
      'several can have the same "user_id", the key: only the last of these is kept',
    );
    expect((await keysOf(sql, 'user_id'))[0]?.hint).toBe('write "key: id", which differs in every row');
  });

  const partly = 'SELECT o.id, u.id AS uid FROM @orders o LEFT JOIN @users u ON o.customer = u.customer';

  test('an outer join of many rows with many gets both keys, with COALESCE around the nullable one', async () => {
    const advised =
      /; "(\w+)" can be null, and such rows are not written: write COALESCE\(\.\.\., 'none'\) AS \1/;
    expect((await keysOf(partly, 'id'))[0]?.hint).toMatch(advised);
    expect((await keysOf(partly.replace('LEFT', 'RIGHT'), undefined))[0]?.hint).toMatch(advised);
    const whole = partly.replace('u.id AS uid', "COALESCE(u.id, 'none') AS uid");
    const numbered = `SELECT id, uid FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY id, uid ORDER BY id DESC) AS n FROM (${whole})) WHERE n = 1`;
    expect(await keysOf(numbered, undefined)).toEqual([]);
  });

  test('LV4004 says that no key is known when the side of many rows declares none', async () => {
    const [found] = await keysOf(enriched, undefined, [{}, users]);
    expect(found?.says).toBe(
      'nothing says which columns distinguish them: each change is a record without a key',
    );
  });

  test('of many rows with many has both keys', async () => {
    const sql = 'SELECT o.id, u.id AS user_id FROM @users u JOIN @orders o ON o.customer = u.customer';
    expect((await keysOf(sql, 'id'))[0]?.hint).toBe(
      'number the rows with ROW_NUMBER() OVER (PARTITION BY id, user_id ...) and keep the first ones: each row has its own "id" and "user_id", so that none is lost; then remove "key"',
    );
  });
});
