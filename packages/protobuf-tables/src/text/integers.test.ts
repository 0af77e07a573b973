import fc from 'fast-check';
import { expect, test } from 'vitest';
import { putFour, putInt, putNine, putPair, putUint } from './integers.ts';

const bytes = Buffer.alloc(64);
const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);

function text(put: (at: number) => number): string {
  return bytes.toString('latin1', 5, put(5));
}

const EDGES = [0, 9, 10, 99, 100, 999, 1000, 9999, 10_000, 99_999_999, 100_000_000, 2 ** 31 - 1];

test.each([...EDGES, ...EDGES.map((n) => -n), -(2 ** 31)])('the int32 %d is written', (n) => {
  expect(text((at) => putInt(view, n, at))).toBe(String(n | 0));
});

test.each([2 ** 31, 2 ** 31 + 1, 4_000_000_000, 2 ** 32 - 1])(
  'the uint32 %d is written from its bits',
  (n) => {
    expect(text((at) => putUint(view, n | 0, at))).toBe(String(n));
  },
);

test('any 32 bits are written as String does', () => {
  const property = fc.property(fc.integer(), (n) => {
    expect(text((at) => putInt(view, n, at))).toBe(String(n));
    expect(text((at) => putUint(view, n, at))).toBe(String(n >>> 0));
  });
  fc.assert(property, { numRuns: 5000 });
});

test('a fixed number of digits has leading zeros', () => {
  putPair(view, 7, 5);
  putFour(view, 42, 7);
  putNine(view, 1_020_304, 11);
  expect(bytes.toString('latin1', 5, 20)).toBe('07' + '0042' + '001020304');
});
