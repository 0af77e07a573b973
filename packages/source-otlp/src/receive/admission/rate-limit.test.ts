import { createManualClock } from '@levada/connect-runtime-core/testing';
import { describe, expect, it } from 'vitest';
import { createRateLimit } from './rate-limit.ts';

const tries = (allow: (peer: string) => boolean, count: number, peer = 'a'): number =>
  Array.from({ length: count }, () => allow(peer)).filter(Boolean).length;

describe('createRateLimit', () => {
  it('the rate limit allows twice its rate at once, then its rate', async () => {
    const clock = createManualClock();
    const allow = createRateLimit(10, clock);
    expect(tries(allow, 50)).toBe(20);
    await clock.advance(1000);
    expect(tries(allow, 50)).toBe(10);
    await clock.advance(60_000);
    expect(tries(allow, 50)).toBe(20);
  });

  it('the rate limit counts each client by itself', () => {
    const allow = createRateLimit(1, createManualClock());
    expect([tries(allow, 5, 'a'), tries(allow, 5, 'b')]).toEqual([2, 2]);
  });

  it('the rate limit applies no limit with 0', () => {
    expect(tries(createRateLimit(0, createManualClock()), 1000)).toBe(1000);
  });

  it('the rate limit forgets the client that was idle longest when there are too many', () => {
    const allow = createRateLimit(1, createManualClock());
    expect(tries(allow, 3, 'first')).toBe(2);
    for (let i = 0; i < 10_000; i += 1) allow(`client ${i}`);
    expect(allow('first')).toBe(true);
  });
});
