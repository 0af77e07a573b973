import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { javaDouble, javaFloat, numberText } from './java-number.ts';

describe('javaDouble', () => {
  it.each([
    [1, '1.0'],
    [0, '0.0'],
    [-0, '-0.0'],
    [0.1, '0.1'],
    [1e7, '1.0E7'],
    [9999999, '9999999.0'],
    [1e-3, '0.001'],
    [9.99e-4, '9.99E-4'],
    [1e21, '1.0E21'],
    [-2.25, '-2.25'],
    [123456789.125, '1.23456789125E8'],
    [Number.MAX_VALUE, '1.7976931348623157E308'],
    [Number.MIN_VALUE, '4.9E-324'],
    [1e-5, '1.0E-5'],
    [100, '100.0'],
    [Number.NEGATIVE_INFINITY, '-Infinity'],
    [Number.NaN, 'NaN'],
  ])('prints %d as Java does', (value, printed) => {
    expect(javaDouble(value)).toBe(printed);
  });

  it('prints every number so that it reads back as the same number', () => {
    fc.assert(
      fc.property(fc.double(), (value) => {
        expect(Number(javaDouble(value))).toBe(value);
      }),
    );
  });
});

describe('javaFloat', () => {
  it.each([
    [1, '1.0'],
    [0.1, '0.1'],
    [1e10, '1.0E10'],
    [1.17549435e-38, '1.1754944E-38'],
    [3.4028235e38, '3.4028235E38'],
    [16777216, '1.6777216E7'],
    [290.640625, '290.64062'],
    [1e-3, '0.001'],
    [9.99e-4, '9.99E-4'],
  ])('prints %d as Java does', (value, printed) => {
    expect(javaFloat(value)).toBe(printed);
  });

  it('prints every number so that it reads back as the same number', () => {
    fc.assert(
      fc.property(fc.float(), (value) => {
        expect(Math.fround(Number(javaFloat(value)))).toBe(value);
      }),
    );
  });
});

describe('numberText', () => {
  it('prints whole numbers without a point unless the schema is of floating point', () => {
    expect([numberText(undefined, 5), numberText('int64', 5), numberText('float64', 5)]).toEqual([
      '5',
      '5',
      '5.0',
    ]);
  });
});
