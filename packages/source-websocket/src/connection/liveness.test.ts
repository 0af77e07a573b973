import type { ConnectorError } from '@levada/connect-runtime-core';
import { createManualClock } from '@levada/connect-runtime-core/testing';
import { describe, expect, it } from 'vitest';
import { ReadingTime } from '../session/reading-time.ts';
import { Liveness, type LivenessOptions } from './liveness.ts';

/** A watched connection on a manual clock. `answer` makes bytes arrive. */
function watched(times: Pick<LivenessOptions, 'pingIntervalMs' | 'pingTimeoutMs'>) {
  const clock = createManualClock();
  const pings: number[] = [];
  const dead: { readonly at: number; readonly error: ConnectorError }[] = [];
  const peer = { bytes: 0, answers: true };
  const reading = new ReadingTime(clock);
  const liveness = new Liveness({
    clock,
    ...times,
    idleTimeoutMs: 0,
    ping: () => {
      pings.push(clock.monotonic());
      if (peer.answers) peer.bytes += 2;
    },
    bytesRead: () => peer.bytes,
    lastMessageAt: () => undefined,
    reading,
    onDead: (error) => {
      liveness.stop();
      dead.push({ at: clock.monotonic(), error });
    },
  });
  liveness.start();
  return { clock, pings, dead, peer, reading, liveness };
}

describe('the pings of a connection', () => {
  it('are sent at the interval, also when it is shorter than the timeout', async () => {
    const { clock, pings, dead } = watched({ pingIntervalMs: 1000, pingTimeoutMs: 10_000 });
    await clock.advance(30_000);
    expect(pings).toEqual(Array.from({ length: 30 }, (_, index) => (index + 1) * 1000));
    expect(dead).toEqual([]);
  });

  it.each([
    { pingIntervalMs: 1000, pingTimeoutMs: 10_000 },
    { pingIntervalMs: 30_000, pingTimeoutMs: 10_000 },
    { pingIntervalMs: 5000, pingTimeoutMs: 5000 },
  ])(
    'notice a dead connection within interval and timeout: $pingIntervalMs and $pingTimeoutMs',
    async (times) => {
      const { clock, dead, peer } = watched(times);
      const { pingIntervalMs, pingTimeoutMs } = times;
      const lastAnswer = pingIntervalMs * 3;
      await clock.advance(lastAnswer);
      peer.answers = false;
      await clock.advance(pingIntervalMs + pingTimeoutMs - 1);
      expect(dead).toEqual([]);
      // One moment more, for what this process may not have read yet.
      await clock.advance(51);
      expect(dead.map(({ at }) => at - lastAnswer)).toEqual([pingIntervalMs + pingTimeoutMs + 50]);
      expect(dead[0]?.error.message).toBe(`nothing arrived within ${pingTimeoutMs} ms after a ping`);
      expect(clock.pending).toBe(0);
    },
  );

  it('begin to count again when something arrives, and count no time in which reading was paused', async () => {
    const { clock, dead, peer, reading } = watched({ pingIntervalMs: 1000, pingTimeoutMs: 3000 });
    peer.answers = false;
    await clock.advance(3900);
    peer.bytes += 1;
    await clock.advance(3000);
    expect(dead).toEqual([]);
    reading.pause();
    await clock.advance(60_000);
    expect(dead).toEqual([]);
    reading.resume();
    await clock.advance(4050);
    expect(dead).toHaveLength(1);
  });

  it('are not sent when the interval is 0', async () => {
    const { clock, pings } = watched({ pingIntervalMs: 0, pingTimeoutMs: 10_000 });
    expect(clock.pending).toBe(0);
    expect(pings).toEqual([]);
  });
});
