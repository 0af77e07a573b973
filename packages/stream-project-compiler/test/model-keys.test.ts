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
      'any column of one row',
      'SELECT COUNT(*) AS n FROM @orders',
      undefined,
      'the query gives one row, so that any column can be its key: write "key: n"',
    ],
    [
      'none of a join that has none',
      joined,
      'id',
      'remove "key", so that no row is lost, or group or number the rows in the SQL',
    ],
  ])('%s', async (_, sql, key, hint) => {
    expect(await hintOf(sql, key)).toBe(hint);
  });
});
