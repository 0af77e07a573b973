import fc from 'fast-check';
import { expect, test } from 'vitest';
import { putDuration, putTimestamp } from './times.ts';

const out = Buffer.alloc(64);
const view = new DataView(out.buffer, out.byteOffset, out.length);

function timestamp(seconds: number, nanos: number): string {
  return out.toString('latin1', 2, putTimestamp(out, view, seconds, nanos, 2));
}

function duration(seconds: number, nanos: number): string {
  return out.toString('latin1', 2, putDuration(out, view, seconds, nanos, 2));
}

test.each([
  [-62135596800, 0, '0001-01-01T00:00:00Z'],
  [253402300799, 999_999_999, '9999-12-31T23:59:59.999999999Z'],
  [0, 0, '1970-01-01T00:00:00Z'],
  [-1, 1, '1969-12-31T23:59:59.000000001Z'],
  [951782400, 120_000_000, '2000-02-29T00:00:00.120Z'],
  [4107542399, 1000, '2100-02-28T23:59:59.000001Z'],
])('the time %d s, %d ns is written as %s', (seconds, nanos, text) => {
  expect(timestamp(seconds, nanos)).toBe(`"${text}"`);
});

test('any time from year 1 to 9999 is written as Date does', () => {
  const seconds = fc.integer({ min: -62135596800, max: 253402300799 });
  const property = fc.property(seconds, fc.integer({ min: 0, max: 999 }), (s, ms) => {
    const expected = new Date(s * 1000 + ms).toISOString().replace('.000Z', 'Z');
    expect(timestamp(s, ms * 1_000_000)).toBe(`"${expected}"`);
  });
  fc.assert(property, { numRuns: 5000 });
});

test.each([
  [0, 0, '0s'],
  [1, 500_000_000, '1.500s'],
  [0, -1, '-0.000000001s'],
  [-3, -10_000, '-3.000010s'],
  [315576000000, 999_999_999, '315576000000.999999999s'],
  [-315576000000, 0, '-315576000000s'],
])('the duration %d s, %d ns is written as %s', (seconds, nanos, text) => {
  expect(duration(seconds, nanos)).toBe(`"${text}"`);
});
