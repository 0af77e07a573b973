import { createManualClock } from '@levada/connect-runtime-core/testing';
import { describe, expect, it } from 'vitest';
import { Lease, type LeaseOptions } from './lease.ts';

function newLease(options: Partial<LeaseOptions> = {}) {
  const clock = createManualClock();
  const times = { sessionTimeoutMs: 10_000, heartbeatIntervalMs: 3_000, rebalanceTimeoutMs: 60_000 };
  return { clock, lease: new Lease({ clock, ...times, ...options }) };
}

describe('the lease of a member', () => {
  it('the lease ends one heartbeat interval before the session, counted from the send time of the heartbeat', async () => {
    const { clock, lease } = newLease();
    expect(lease.valid).toBe(false);
    const sentAt = lease.now();
    await clock.advance(2_000);
    lease.renew(sentAt, sentAt);
    await clock.advance(4_999);
    expect(lease.valid).toBe(true);
    await clock.advance(1);
    expect(lease.valid).toBe(false);
  });

  it('the lease ends before the group stops waiting for a member, regardless of its heartbeats', async () => {
    const { clock, lease } = newLease();
    const joinedAt = lease.now();
    for (let at = 0; at < 57_000; at += 3_000) {
      lease.renew(lease.now(), joinedAt);
      expect(lease.valid).toBe(true);
      await clock.advance(3_000);
    }
    lease.renew(lease.now(), joinedAt);
    expect(lease.valid).toBe(false);
  });

  it('the lease ends before a rebalance that is shorter than a session', async () => {
    const { clock, lease } = newLease({ rebalanceTimeoutMs: 5_000 });
    lease.renew(lease.now(), lease.now());
    await clock.advance(2_000);
    expect(lease.valid).toBe(false);
  });

  it('the lease ends after the machine has slept, although the monotonic clock stopped', () => {
    const { clock } = newLease();
    const slept = { ms: 0 };
    const sleepy = { ...clock, monotonic: () => 0, now: () => slept.ms };
    const { lease } = newLease({ clock: sleepy });
    lease.renew(lease.now(), lease.now());
    expect(lease.valid).toBe(true);
    slept.ms = 7_000;
    expect(lease.valid).toBe(false);
  });

  it('the lease ends at once with the membership', () => {
    const { lease } = newLease();
    lease.renew(lease.now(), lease.now());
    lease.end();
    expect(lease.valid).toBe(false);
  });

  it('each new end of the lease is reported', async () => {
    const ends: unknown[] = [];
    const { lease } = newLease({ onConfirmed: (until) => ends.push(until) });
    const now = lease.now();
    lease.renew(now, now);
    lease.end();
    expect(ends).toEqual([{ monotonic: now.monotonic + 7_000, wall: now.wall + 7_000 }, undefined]);
  });
});
