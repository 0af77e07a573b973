import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { backoffDelay } from './backoff.ts';

const ATTEMPTS = 100_000;
const none = (): number => 0;
const most = (): number => 0.999_999;

const policies = fc.record({
  intervalMs: fc.oneof(fc.constantFrom(1, 5000, 60_000), fc.integer({ min: 1, max: 2 ** 53 - 1 })),
  maxMs: fc.oneof(fc.constantFrom(1, 5000, 60_000), fc.integer({ min: 1, max: 2 ** 53 - 1 })),
});

describe('backoffDelay', () => {
  it('stays between the interval and the maximum for a hundred thousand attempts of any policy', () => {
    const property = fc.property(policies, fc.double({ min: 0, max: 1, noNaN: true }), (policy, random) => {
      const low = Math.min(policy.intervalMs, policy.maxMs);
      const wrong: string[] = [];
      let last = 0;
      for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
        const delay = backoffDelay(policy, attempt, none);
        const jittered = backoffDelay(policy, attempt, () => random);
        const right = delay >= last && delay >= low && jittered >= delay && jittered <= policy.maxMs;
        if (!right) wrong.push(`attempt ${attempt}: ${delay} ms, with jitter ${jittered} ms`);
        last = delay;
      }
      expect(wrong).toEqual([]);
      expect(last).toBe(policy.maxMs);
    });
    fc.assert(property, { numRuns: 20 });
  });

  it('doubles with each attempt until the maximum', () => {
    const policy = { intervalMs: 5000, maxMs: 60_000 };
    const delays = [1, 2, 3, 4, 5, 6].map((attempt) => backoffDelay(policy, attempt, none));
    expect(delays).toEqual([5000, 10_000, 20_000, 40_000, 60_000, 60_000]);
  });

  it('adds up to a quarter, but nothing above the maximum', () => {
    const policy = { intervalMs: 1000, maxMs: 4500 };
    const delays = [1, 2, 3, 4].map((attempt) => backoffDelay(policy, attempt, most));
    expect(delays).toEqual([1249, 2499, 4500, 4500]);
  });

  it('never waits longer than the maximum, even when the interval is longer', () => {
    expect(backoffDelay({ intervalMs: 9000, maxMs: 100 }, 1, most)).toBe(100);
  });
});
