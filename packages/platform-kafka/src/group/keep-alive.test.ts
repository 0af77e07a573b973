import { createManualClock } from '@levada/connect-runtime-core/testing';
import { afterEach, describe, expect, it } from 'vitest';
import type { Joined, Standing } from './group-coordinator.ts';
import { KeepAlive } from './keep-alive.ts';

const INTERVAL_MS = 3_000;
const joined = { generation: 1 } as Joined;
const ends: AbortController[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end.abort();
});

/** Heartbeats of a member with a coordinator that answers at once. */
async function keptAlive() {
  const clock = createManualClock();
  const end = new AbortController();
  ends.push(end);
  const beats: number[] = [];
  const coordinator = { standing: 'member' as Standing, abandoned: 0 };
  const keepAlive = new KeepAlive({
    clock,
    signal: end.signal,
    intervalMs: INTERVAL_MS,
    now: () => ({ monotonic: clock.monotonic(), wall: clock.now() }),
    joined: () => joined,
    onAnswer: () => undefined,
    onTrouble: () => undefined,
    coordinator: {
      heartbeat: async () => {
        beats.push(clock.monotonic());
        return coordinator.standing;
      },
      probe: async () => undefined,
      abandon: () => {
        coordinator.abandoned += 1;
      },
    },
  });
  void keepAlive.run();
  await clock.advance(INTERVAL_MS + 500);
  beats.length = 0;
  return { clock, keepAlive, beats, coordinator, start: clock.monotonic() };
}

describe('KeepAlive', () => {
  it('hurry sends heartbeats with growing waits, and repeated calls have no effect meanwhile', async () => {
    const { clock, keepAlive, beats, start } = await keptAlive();
    keepAlive.hurry();
    for (let ms = 0; ms < 100; ms += 1) {
      await clock.advance(1);
      keepAlive.hurry();
    }
    expect(beats.map((at) => at - start)).toEqual([0, 10, 30, 70]);
  });

  it('no heartbeat is sent within 10 ms of the last one', async () => {
    const { clock, keepAlive, beats, start } = await keptAlive();
    await clock.advance(INTERVAL_MS - 500);
    expect(beats).toEqual([start + INTERVAL_MS - 500]);
    await clock.advance(4);
    keepAlive.hurry();
    await clock.advance(20);
    const [first = 0, second = 0] = beats;
    expect(second - first).toBeGreaterThanOrEqual(10);
  });

  it('hurry has no effect while a request waits, which is abandoned only after an interval without an answer', async () => {
    const { clock, keepAlive, beats, coordinator } = await keptAlive();
    const answer = Promise.withResolvers<void>();
    const waiting = keepAlive.during(answer.promise);
    coordinator.standing = 'outdated';
    keepAlive.hurry();
    await clock.advance(100);
    keepAlive.hurry();
    await clock.advance(100);
    expect(beats).toEqual([]);
    await clock.advance(INTERVAL_MS);
    expect(beats).toHaveLength(1);
    expect(coordinator.abandoned).toBe(0);
    await clock.advance(INTERVAL_MS);
    expect(coordinator.abandoned).toBe(1);
    answer.resolve();
    await waiting;
  });

  it('no request is abandoned for two outdated answers within a round trip', async () => {
    const { clock, keepAlive, beats, coordinator } = await keptAlive();
    keepAlive.hurry();
    await clock.advance(1);
    const answer = Promise.withResolvers<void>();
    const waiting = keepAlive.during(answer.promise);
    coordinator.standing = 'outdated';
    await clock.advance(100);
    expect(beats.length).toBeGreaterThan(1);
    expect(coordinator.abandoned).toBe(0);
    answer.resolve();
    await waiting;
  });

  it('a request is abandoned at once when the group removed the member', async () => {
    const { clock, keepAlive, coordinator } = await keptAlive();
    const answer = Promise.withResolvers<void>();
    const waiting = keepAlive.during(answer.promise);
    coordinator.standing = 'expelled';
    await clock.advance(INTERVAL_MS);
    expect(coordinator.abandoned).toBe(1);
    answer.resolve();
    await waiting;
  });
});
