import { describe, expect, it } from 'vitest';
import { SequenceGaps } from './sequence-gaps.ts';

describe('SequenceGaps', () => {
  it('finds nothing among numbers that follow each other, from the one after the last run', () => {
    const gaps = new SequenceGaps(7);
    expect([8, 9, 10].map((sequence) => gaps.passed(sequence))).toEqual([undefined, undefined, undefined]);
    expect(gaps.ended(10)).toBeUndefined();
  });

  it('finds a run of missing numbers once, with its length', () => {
    const gaps = new SequenceGaps(0);
    expect(gaps.passed(4)).toEqual({ expected: 1, received: 4, missing: 3 });
    expect(gaps.passed(5)).toBeUndefined();
  });

  it('finds what is missing at the end, once', () => {
    const gaps = new SequenceGaps(0);
    gaps.passed(1);
    expect(gaps.ended(3)).toEqual({ expected: 2, received: 4, missing: 2 });
    expect(gaps.ended(3)).toBeUndefined();
  });
});
