import fc from 'fast-check';
import { expect, test } from 'vitest';
import { putInt64, putUint64 } from './integers64.ts';

const bytes = Buffer.alloc(64);
const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);

function texts(n: bigint): readonly string[] {
  const low = Number(BigInt.asIntN(32, n));
  const high = Number(BigInt.asIntN(32, n >> 32n));
  const signed = bytes.toString('latin1', 3, putInt64(view, low, high, 3));
  const unsigned = bytes.toString('latin1', 3, putUint64(view, low, high, 3));
  return [signed, unsigned];
}

function expectTexts(n: bigint): readonly string[] {
  return [String(BigInt.asIntN(64, n)), String(BigInt.asUintN(64, n))];
}

const powers = Array.from({ length: 64 }, (_, n) => 1n << BigInt(n));
const tens = Array.from({ length: 20 }, (_, n) => 10n ** BigInt(n));

test('powers of 2 and 10, their neighbours and their negatives are written exactly', () => {
  const edges = [...powers, ...tens].flatMap((n) => [n - 1n, n, n + 1n, -n - 1n, -n, -n + 1n]);
  expect(edges.map(texts)).toEqual(edges.map(expectTexts));
});

test('the largest and the smallest 64-bit integers are written exactly', () => {
  expect(texts(2n ** 63n - 1n)[0]).toBe('9223372036854775807');
  expect(texts(-(2n ** 63n))[0]).toBe('-9223372036854775808');
  expect(texts(2n ** 64n - 1n)[1]).toBe('18446744073709551615');
});

test('any 64 bits are written as BigInt does, including those near multiples of a billion', () => {
  const near = fc
    .tuple(fc.bigInt(0n, 18_446_744_073n), fc.bigInt(-3n, 3n))
    .map(([n, d]) => n * 1_000_000_000n + d);
  const property = fc.property(fc.oneof(fc.bigInt(-(2n ** 63n), 2n ** 64n - 1n), near), (n) => {
    expect(texts(n)).toEqual(expectTexts(n));
  });
  fc.assert(property, { numRuns: 5000 });
});
