// biome-ignore-all lint/suspicious/noTemplateCurlyInString: a variable of the project
import { expect, test } from 'vitest';
import { holdsCredentials } from './secret-in-clear.ts';

test.each([
  'http://user:pass@host:8081',
  'jdbc:database://user:p%40ss@host/orders',
  'user:pass@host:9092',
  'jdbc:database://host/orders?user=a&password=b',
  'jdbc:database://host;PWD=b',
  'https://host/hook?api_key=b',
  'http://user:a${B}@host',
])('"%s" holds a password', (text) => {
  expect(holdsCredentials(text)).toBe(true);
});

test.each([
  'http://host:8081',
  'http://user@host:8081',
  'http://user:${PASSWORD}@host',
  'jdbc:database://host/orders?password=${PASSWORD}&user=a',
  'broker-1:9092,broker-2:9092',
  'http://host:8081/a@b',
  'orders:a@b is no address',
  '#orders',
  '',
])('"%s" holds none', (text) => {
  expect(holdsCredentials(text)).toBe(false);
});

test('long values take no time', () => {
  expect(holdsCredentials('//'.repeat(1_000_000))).toBe(false);
});
