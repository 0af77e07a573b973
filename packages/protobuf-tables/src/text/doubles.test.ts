import fc from 'fast-check';
import { expect, test } from 'vitest';
import { putDouble } from './doubles.ts';

const bytes = Buffer.alloc(64);
const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
const from = new DataView(new ArrayBuffer(16));

function text(value: number): string {
  from.setFloat64(3, value, true);
  return bytes.toString('latin1', 5, putDouble(bytes, view, from, 3, 5));
}

test.each([
  [0, '0'],
  [-0, '-0'],
  [1e21, '1e+21'],
  [123456789012345680000, '123456789012345680000'],
  [1e-6, '0.000001'],
  [9.5e-7, '9.5e-7'],
  [0.1, '0.1'],
  [-1234.5, '-1234.5'],
  [99.99, '99.99'],
  [3999999.123456789, '3999999.123456789'],
  [4000000.1234567, '4000000.1234567'],
  [2147483648, '2147483648'],
  [-9007199254740991, '-9007199254740991'],
  [5e-324, '5e-324'],
  [1.7976931348623157e308, '1.7976931348623157e+308'],
  [Number.NaN, '"NaN"'],
  [Number.POSITIVE_INFINITY, '"Infinity"'],
  [Number.NEGATIVE_INFINITY, '"-Infinity"'],
])('%d is written as %s', (value, expected) => {
  expect(text(value)).toBe(expected);
});

test('any finite double but -0 is written as JSON.stringify does', () => {
  const property = fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
    expect(text(value)).toBe(Object.is(value, -0) ? '-0' : JSON.stringify(value));
  });
  fc.assert(property, { numRuns: 5000 });
});

test('decimals of any length and their neighbours are written as JSON.stringify does', () => {
  const decimal = fc.tuple(fc.maxSafeInteger(), fc.integer({ min: 0, max: 16 })).map(([n, d]) => n / 10 ** d);
  const property = fc.property(decimal, fc.integer({ min: -2, max: 2 }), (value, ulps) => {
    from.setFloat64(0, value, true);
    from.setBigInt64(0, from.getBigInt64(0, true) + BigInt(ulps), true);
    const neighbour = from.getFloat64(0, true);
    fc.pre(Number.isFinite(neighbour) && !Object.is(neighbour, -0));
    expect(text(neighbour)).toBe(JSON.stringify(neighbour));
  });
  fc.assert(property, { numRuns: 10_000 });
});
