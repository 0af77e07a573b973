import { expect, test } from 'vitest';
import { matchesPath, matchesPattern } from './selector-methods.ts';

test.each([
  ['orders', 'orders', true],
  ['orders', 'orders2', false],
  ['*', '', true],
  ['ord*', 'orders', true],
  ['*ers', 'orders', true],
  ['o*r*s', 'orders', true],
  ['a*a', 'a', false],
  ['a**b', 'ab', true],
  ['o.ders', 'orders', false],
  ['*x*', 'orders', false],
])('the pattern %s and the name %s: %s', (pattern, text, expected) => {
  expect(matchesPattern(pattern, text)).toBe(expected);
});

test.each([
  ['models', 'models/a.yml', true],
  ['models', 'models2/a.yml', false],
  ['models/', 'models/a/b.yml', true],
  ['./models/a.yml', 'models/a.yml', true],
  ['*.yml', 'models/a/b.yml', true],
  ['', 'models/a.yml', false],
])('the pattern %s and the path %s: %s', (pattern, path, expected) => {
  expect(matchesPath(pattern, path)).toBe(expected);
});

test('a pattern of many stars does not take long', () => {
  expect(matchesPattern('*a'.repeat(2000), `${'a'.repeat(100_000)}b`)).toBe(false);
});
