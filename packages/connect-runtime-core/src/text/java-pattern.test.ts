import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { javaPattern } from './java-pattern.ts';

describe('javaPattern', () => {
  it.each([
    ['(.*)-(.*)', 'a-b-c', ['a-b-c', 'a-b', 'c']],
    ['(.*?)-(.*)', 'a-b-c', ['a-b-c', 'a', 'b-c']],
    ['a|ab', 'ab', ['a']],
    ['(a)|(ab)$', 'ab', ['a', 'a', undefined]],
    ['(a|ab)$', 'ab', ['ab', 'ab']],
    ['(?<env>dev|test)\\.(.+)', 'test.x', ['test.x', 'test', 'x']],
    ['(.*?)', 'abc', ['', '']],
  ])('%s finds in %s what Java finds', (pattern, text, captured) => {
    expect(javaPattern(pattern).findAtStart(text)).toEqual(captured);
  });

  it('captures as regular expressions do', () => {
    // What may be empty is not repeated: there JavaScript forgets a capture that Java keeps.
    const repeated = fc.tuple(
      fc.constantFrom('a', 'b', '.', '[ab]', '(a|b)', '(ab)', '(a|ab)', '(.+?)'),
      fc.constantFrom('', '?', '??'),
    );
    const piece = fc.oneof(repeated, fc.constantFrom('(.*)', '(.*?)', '(b?)'));
    const patterns = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.flat().join(''));
    const texts = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 });
    const property = fc.property(patterns, texts, (pattern, text) => {
      const found = new RegExp(`^(?:${pattern})`).exec(text);
      expect(javaPattern(pattern).findAtStart(text)).toEqual(found === null ? undefined : [...found]);
      expect(javaPattern(pattern).matches(text)).toBe(new RegExp(`^(?:${pattern})$`).test(text));
    });
    fc.assert(property, { numRuns: 500 });
  });

  it('takes time in proportion to the text', () => {
    expect(javaPattern('(a+)+b').matches('a'.repeat(5_000))).toBe(false);
  });
});
