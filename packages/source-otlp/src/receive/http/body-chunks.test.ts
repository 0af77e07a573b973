import fc from 'fast-check';
import { expect, it } from 'vitest';
import { BodyChunks } from './body-chunks.ts';

it('BodyChunks returns a body of one chunk without copying it', () => {
  const chunks = new BodyChunks();
  const chunk = Buffer.from('spans');
  chunks.add(chunk);
  expect(chunks.take()).toBe(chunk);
  expect(chunks.length).toBe(0);
  expect(chunks.take()).toHaveLength(0);
});

it('BodyChunks joins chunks of any size in order', () => {
  const sizes = fc.array(fc.oneof(fc.nat(20), fc.integer({ min: 4000, max: 4200 }), fc.constant(16_384)), {
    maxLength: 60,
  });
  fc.assert(
    fc.property(sizes, (list) => {
      const chunks = new BodyChunks();
      const parts = list.map((size, index) => Buffer.alloc(size, String.fromCharCode(65 + (index % 26))));
      const expected = Buffer.concat(parts);
      for (const part of parts) chunks.add(part);
      expect(chunks.length).toBe(expected.length);
      expect(Buffer.compare(chunks.take(), expected)).toBe(0);
    }),
    { numRuns: 200 },
  );
});

it('BodyChunks collects a new body after clear', () => {
  const chunks = new BodyChunks();
  for (const text of ['a', 'b', 'c']) chunks.add(Buffer.from(text));
  chunks.clear();
  expect(chunks.length).toBe(0);
  chunks.add(Buffer.from('d'));
  chunks.add(Buffer.from('e'));
  expect(Buffer.from(chunks.take()).toString()).toBe('de');
});
