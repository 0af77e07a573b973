import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editDistance } from './nearest-name.ts';

test.each([
  ['', '', 0],
  ['topic', 'topic', 0],
  ['topc', 'topic', 1],
  ['topiic', 'topic', 1],
  ['tobic', 'topic', 1],
  ['tpoic', 'topic', 1],
  ['descripton', 'description', 1],
  ['schema', 'sink', 5],
] as const)('the distance from "%s" to "%s" is %i', (from, to, distance) => {
  expect(editDistance(from, to, 9)).toBe(distance);
});

test('a distance above the limit is the limit plus one', () => {
  expect(editDistance('schema', 'sink', 2)).toBe(3);
  expect(editDistance('a'.repeat(50), 'b', 3)).toBe(4);
});

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 });

test('a distance is the same both ways, and zero only between equal texts', () => {
  fc.assert(
    fc.property(word, word, (from, to) => {
      const distance = editDistance(from, to, 99);
      expect(editDistance(to, from, 99)).toBe(distance);
      expect(distance === 0).toBe(from === to);
      expect(distance).toBeLessThanOrEqual(Math.max(from.length, to.length));
    }),
    { numRuns: 500 },
  );
});

test('a limit never changes a distance within it', () => {
  fc.assert(
    fc.property(word, word, fc.nat({ max: 8 }), (from, to, limit) => {
      expect(editDistance(from, to, limit)).toBe(Math.min(editDistance(from, to, 99), limit + 1));
    }),
    { numRuns: 500 },
  );
});
