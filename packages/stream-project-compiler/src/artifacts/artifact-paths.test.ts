import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fileNameFor } from './artifact-paths.ts';

test.each([
  ['orders.v1', 'orders.v1'],
  ['a-b_C.9', 'a-b_C.9'],
  ['../../etc/x', '%2E.%2F..%2Fetc%2Fx'],
  ['/etc/x', '%2Fetc%2Fx'],
  ['.hidden', '%2Ehidden'],
  ['CON', '%43ON'],
  ['nul.v1', '%6Eul.v1'],
  ['console', 'console'],
  ['a\\b:c\n', 'a%5Cb%3Ac%0A'],
  ['é😀', '%C3%A9%F0%9F%98%80'],
  ['100%', '100%25'],
])('the file of %j is %j', (name, file) => {
  expect(fileNameFor(name)).toBe(file);
});

test('writes every artifact to one folder, under a path that gives back its name', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (name) => {
      const file = fileNameFor(name);
      expect(file).toMatch(/^(?:[A-Za-z0-9_%-][A-Za-z0-9._%-]*)?$/);
      expect(decodeURIComponent(file)).toBe(name.toWellFormed());
    }),
  );
});
