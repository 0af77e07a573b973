import { createManualClock } from '@levada/connect-runtime-core/testing';
import { describe, expect, it } from 'vitest';
import { LeaseCommits } from './lease-commits.ts';

/** Heartbeats every 3 s, sessions of 10 s. */
function newCommits() {
  const clock = createManualClock();
  const committedAt: number[] = [];
  const commits = new LeaseCommits(
    { clock, heartbeatIntervalMs: 3_000 },
    () => void committedAt.push(clock.monotonic()),
  );
  const renew = (): void =>
    commits.noteRenewal({ monotonic: clock.monotonic() + 7_000, wall: clock.now() + 7_000 });
  return { clock, committedAt, commits, renew };
}

describe('the commits of a worker', () => {
  it('follow the commit interval alone while every heartbeat is answered in time', async () => {
    const { clock, committedAt, renew } = newCommits();
    for (let at = 0; at < 60_000; at += 3_000) {
      renew();
      await clock.advance(3_000);
    }
    expect(committedAt).toEqual([]);
  });

  it('are made every second while a heartbeat is late and the lease still holds, and not after it', async () => {
    const { clock, committedAt, renew } = newCommits();
    renew();
    await clock.advance(60_000);
    expect(committedAt).toEqual([4_500, 5_500, 6_500]);
    expect(clock.pending).toBe(0);
  });

  it('are made as soon as the lease is confirmed after it lapsed, and with each heartbeat from then on', async () => {
    const { clock, committedAt, renew } = newCommits();
    renew();
    await clock.advance(20_000);
    committedAt.length = 0;
    for (let i = 0; i < 3; i += 1) {
      renew();
      await clock.advance(3_000);
    }
    expect(committedAt).toEqual([20_000, 23_000, 26_000]);
  });

  it('are made with each heartbeat after the group removed the worker and it joined again', async () => {
    const { clock, committedAt, commits, renew } = newCommits();
    renew();
    await clock.advance(1_000);
    commits.noteRenewal(undefined);
    await clock.advance(60_000);
    expect(committedAt).toEqual([]);
    renew();
    await clock.advance(3_000);
    renew();
    expect(committedAt).toEqual([61_000, 64_000]);
  });

  it('follow the commit interval alone again when no heartbeat was late for ten minutes', async () => {
    const { clock, committedAt, renew } = newCommits();
    renew();
    await clock.advance(20_000);
    for (let at = 0; at < 700_000; at += 3_000) {
      renew();
      await clock.advance(3_000);
    }
    expect(committedAt.at(-1)).toBeLessThanOrEqual(620_000);
  });

  it('need no timer for a lease that does not end', () => {
    const { clock, commits } = newCommits();
    commits.noteRenewal({ monotonic: Number.POSITIVE_INFINITY, wall: Number.POSITIVE_INFINITY });
    expect(clock.pending).toBe(0);
  });
});
