import { describe, expect, it } from 'vitest';
import { quantile, spreadOf } from './statistics.ts';

describe('spreadOf', () => {
  it('takes the middle value of an odd number of values, and the least and greatest', () => {
    expect(spreadOf([5, 1, 100])).toEqual({ median: 5, min: 1, max: 100 });
  });

  it('takes the mean of the two middle values of an even number', () => {
    expect(spreadOf([4, 1, 2, 100]).median).toBe(3);
  });

  it('refuses to make a figure of nothing', () => {
    expect(() => spreadOf([])).toThrow('nothing was measured');
  });
});

describe('quantile', () => {
  it('takes p99 of values in any order', () => {
    const values = Float64Array.from({ length: 200 }, (_, at) => (at * 37) % 200);
    expect(quantile(values, 0.99)).toBe(198);
    expect(quantile(values, 0.5)).toBe(100);
  });

  it('is 0 without values', () => {
    expect(quantile(new Float64Array(0), 0.99)).toBe(0);
  });
});
