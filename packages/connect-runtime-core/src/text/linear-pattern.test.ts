import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linearPattern } from './linear-pattern.ts';

describe('linearPattern', () => {
  it.each([
    ['prices', 'prices', true],
    ['prices', 'prices2', false],
    ['.*', '', true],
    ['^CONNECT_.*$', 'CONNECT_TOKEN', true],
    ['CONNECT_[A-Z0-9_]+', 'CONNECT_', false],
    ['(dev|test)\\.\\w+', 'test.orders', true],
    ['(?:a|b){2,3}', 'aba', true],
    ['(?:a|b){2,3}', 'a', false],
    ['a{2}', 'aa', true],
    ['a{2,}', 'aaaaa', true],
    ['[^.]+', 'a.b', false],
    ['[a\\]-]+', ']-a', true],
    ['[]]', ']', true],
    ['a|', '', true],
    ['(a*)*', 'aaa', true],
    ['x??', 'x', true],
    ['\\d\\D\\s\\S', '1a b', true],
    ['$', '', true],
    ['(?i)prices-[a-c]', 'PRICES-B', true],
    ['(?<env>dev|test)-x', 'dev-x', true],
  ])('%s fits %j: %s', (pattern, text, expected) => {
    expect(linearPattern(pattern)(text)).toBe(expected);
  });

  it.each([
    ['(a', 'pattern (a: missing ) at position 3'],
    ['a)', 'pattern a): unexpected ) at position 2'],
    ['[a', 'pattern [a: missing ] at position 3'],
    ['*', 'pattern *: unexpected * at position 1'],
    ['a**', 'pattern a**: repeated twice at position 4'],
    [
      '(?=a)',
      'pattern (?=a): only (...), (?:...) and (?<name>...) are groups, and (?i) only begins a pattern at position 2',
    ],
    ['a|^b', 'pattern a|^b: unexpected ^ at position 3'],
    ['a$b', 'pattern a$b: unexpected $ at position 2'],
    ['(?<a>x)(?<a>y)', 'pattern (?<a>x)(?<a>y): expected a new name of a group at position 11'],
    ['(a)\\1', 'pattern (a)\\1: \\1 is not supported at position 6'],
    ['a{3,2}', 'pattern a{3,2}: counts must be in order and at most 1000 at position 7'],
    ['((a{100}){100}){100}', 'pattern ((a{100}){100}){100}: too large once its counts are written out'],
    ['[z-a]', 'pattern [z-a]: expected a range such as a-z at position 4'],
  ])('refuses %s and says where it is wrong', (pattern, message) => {
    expect(() => linearPattern(pattern)).toThrowError(
      expect.objectContaining({ code: 'config_invalid', message }),
    );
  });

  it('answers like a regular expression for patterns of letters, groups and repetitions', () => {
    const atom = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '(a|b)', '(ab)', '(?:a|)');
    const piece = fc.tuple(atom, fc.constantFrom('', '*', '+', '?', '{2}', '{1,2}', '*?'));
    const patterns = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.flat().join(''));
    const texts = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 });
    fc.assert(
      fc.property(patterns, texts, (pattern, text) => {
        expect(linearPattern(pattern)(text)).toBe(new RegExp(`^(?:${pattern})$`).test(text));
      }),
      { numRuns: 500 },
    );
  });

  it('answers for patterns that keep other engines busy without an end', () => {
    expect(linearPattern('(a+)+b')('a'.repeat(10_000))).toBe(false);
    expect(linearPattern('(a|a)*(a|a)*(a|a)*c')('a'.repeat(10_000))).toBe(false);
  });
});
