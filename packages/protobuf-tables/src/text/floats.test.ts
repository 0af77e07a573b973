import fc from 'fast-check';
import { expect, test } from 'vitest';
import { putFloat } from './floats.ts';

const bytes = Buffer.alloc(64);
const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
const from = new DataView(new ArrayBuffer(8));

function text(value: number): string {
  from.setFloat32(1, value, true);
  return bytes.toString('latin1', 5, putFloat(bytes, view, from, 1, 5));
}

function floatOf(bits: number): number {
  from.setInt32(0, bits, true);
  return from.getFloat32(0, true);
}

function digitsIn(json: string): number {
  return json
    .replace(/e.*/, '')
    .replace(/[-.]/g, '')
    .replace(/^0+|0+$/g, '').length;
}

test.each([
  [0, '0'],
  [-0, '-0'],
  [0.1, '0.1'],
  [0.3, '0.3'],
  [-2.5, '-2.5'],
  [16777216, '16777216'],
  [16777218, '16777218'],
  [33554432, '33554432'],
  [3.4028234663852886e38, '3.4028235e+38'],
  [1.1754943508222875e-38, '1.1754944e-38'],
  [1.401298464324817e-45, '1e-45'],
  [9.999999974752427e-7, '0.000001'],
  [2 ** -44, '5.684342e-14'],
  [2 ** 87, '1.5474251e+26'],
  [2 ** 90, '1.2379401e+27'],
  [Number.NaN, '"NaN"'],
  [Number.POSITIVE_INFINITY, '"Infinity"'],
  [Number.NEGATIVE_INFINITY, '"-Infinity"'],
])('the float nearest to %d is written as %s', (value, expected) => {
  expect(text(value)).toBe(expected);
});

test('any float is written in the notation of JSON.stringify and reads back as the same float', () => {
  const property = fc.property(fc.integer(), (bits) => {
    const value = floatOf(bits);
    fc.pre(Number.isFinite(value) && value !== 0);
    const json = text(value);
    expect(Math.fround(Number(json))).toBe(value);
    expect(JSON.stringify(Number(json))).toBe(json);
  });
  fc.assert(property, { numRuns: 5000 });
});

test('a float has the fewest possible digits', () => {
  const property = fc.property(fc.integer({ min: 1, max: 0x7f7fffff }), (bits) => {
    const value = floatOf(bits);
    const digits = digitsIn(text(value));
    if (digits < 2) return;
    // any decimal of fewer digits that rounds to the float is one of the two around it
    const [mantissa = '', exponent = ''] = value.toExponential(digits - 2).split('e');
    const n = Number(mantissa.replace('.', ''));
    const scale = Number(exponent) - (digits - 2);
    for (const near of [n - 1, n, n + 1]) expect(Math.fround(Number(`${near}e${scale}`))).not.toBe(value);
  });
  fc.assert(property, { numRuns: 5000 });
});

test('every power of 2 has the fewest possible digits', () => {
  for (let exponent = -149; exponent <= 127; exponent += 1) {
    const value = 2 ** exponent;
    const json = text(value);
    expect(Math.fround(Number(json))).toBe(value);
    const shorter = Math.max(0, digitsIn(json) - 2);
    const [mantissa = '', power = ''] = value.toExponential(shorter).split('e');
    if (digitsIn(json) < 2) continue;
    for (const d of [-1, 0, 1]) {
      const candidate = `${Number(mantissa.replace('.', '')) + d}e${Number(power) - shorter}`;
      expect(Math.fround(Number(candidate)), `${json} or ${candidate}`).not.toBe(value);
    }
  }
});
