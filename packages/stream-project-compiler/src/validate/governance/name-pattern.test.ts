import { describe, expect, test } from 'vitest';
import { readNamePattern } from './name-pattern.ts';

function problemOf(pattern: string) {
  const read = readNamePattern(pattern);
  return read.kind === 'wrong' ? read : undefined;
}

describe('a pattern that cannot be used', () => {
  test.each([
    ['(a', 'missing closing )', '(a'],
    ['[a', 'missing closing ]', '[a'],
    ['x*a**', 'invalid nested repetition operator', '**'],
    ['a{2,1}', 'invalid repeat count', '{2,1}'],
    ['[z-a]', 'invalid character class range', 'z-a'],
    ['a(?=b)', 'invalid or unsupported Perl syntax', '(?='],
    ['(a)\\1', 'invalid escape sequence', '\\1'],
  ])('%s: %s, with its piece', (pattern, problem, piece) => {
    const read = problemOf(pattern);
    expect(read?.problem).toBe(problem);
    expect(pattern.slice(read?.span?.start, read?.span?.end)).toBe(piece);
  });

  test('reports no place when the wrong part of a pattern occurs twice', () => {
    expect(problemOf('a\\1b\\1')?.span).toBeUndefined();
    expect(problemOf('a\\')).toMatchObject({ problem: expect.any(String), span: undefined });
  });

  test.each([
    ['x'.repeat(1001), 'it has more than 1000 characters'],
    ['x'.repeat(1000), 'it takes more than 1000 states'],
    ['(x{100}){4}y{197}', 'its counts add up to more than 300'],
    ['x{1,301}', 'its counts add up to more than 300'],
    ['(x{100}){10}', 'it takes more than 1000 states'],
  ])('%s: it is too large', (pattern, problem) => {
    expect(problemOf(pattern)?.problem).toBe(problem);
  });
});

test('a pattern that backtracks without end elsewhere is answered', () => {
  const read = readNamePattern('^([a-z]+)+$');
  expect(read.kind === 'pattern' && read.matches(`${'a'.repeat(248)}!`)).toBe(false);
});

test('a name matches as a whole, or in its beginning', () => {
  const read = readNamePattern('[a-z]+\\.v[0-9]');
  if (read.kind !== 'pattern') throw new Error(read.problem);
  expect(read.matches('orders.v1')).toBe(true);
  expect(read.matches('orders.v1x')).toBe(false);
  expect(read.matchesStart('orders.v1x')).toBe(true);
  expect(read.matchesStart('xorders-v1')).toBe(false);
});
