import { createManualClock, type ManualClock } from '@levada/connect-runtime-core/testing';
import { describe, expect, it } from 'vitest';
import { Keepalive } from './keepalive.ts';

interface Connection {
  readonly clock: ManualClock;
  readonly keepalive: Keepalive;
  /** Monotonic times of the pings. */
  readonly pings: number[];
  answer: () => void;
  bytes: number;
  dead: number;
}

function connection(): Connection {
  const clock = createManualClock();
  const pings: number[] = [];
  const state: Connection = {
    clock,
    pings,
    answer: () => undefined,
    bytes: 0,
    dead: 0,
    keepalive: new Keepalive({
      clock,
      timeMs: 30_000,
      timeoutMs: 10_000,
      ping: (answered) => {
        pings.push(clock.monotonic());
        state.answer = answered;
      },
      bytesRead: () => state.bytes,
      onDead: () => {
        state.dead += 1;
      },
    }),
  };
  state.keepalive.start();
  return state;
}

describe('Keepalive', () => {
  it('pings when nothing was read for the time', async () => {
    const state = connection();
    await state.clock.advance(29_999);
    expect(state.pings).toEqual([]);
    await state.clock.advance(1);
    expect(state.pings).toEqual([30_000]);
  });

  it('does not ping while bytes are read, and at most a tenth late afterwards', async () => {
    const state = connection();
    for (let second = 0; second < 100; second += 1) {
      state.bytes += 1;
      await state.clock.advance(1000);
    }
    expect(state.pings).toEqual([]);
    await state.clock.advance(40_000);
    expect(state.pings).toHaveLength(1);
    expect(state.pings[0]).toBeGreaterThanOrEqual(99_000 + 30_000);
    expect(state.pings[0]).toBeLessThanOrEqual(99_000 + 33_000);
  });

  it('pings again after an answer, and sets no more than one timer', async () => {
    const state = connection();
    await state.clock.advance(30_000);
    await state.clock.advance(100);
    state.bytes += 17;
    state.answer();
    expect(state.clock.pending).toBe(1);
    await state.clock.advance(30_000);
    expect(state.pings).toEqual([30_000, 60_100]);
    expect(state.dead).toBe(0);
  });

  it('gives up when nothing arrives within the timeout', async () => {
    const state = connection();
    await state.clock.advance(39_999);
    expect(state.dead).toBe(0);
    await state.clock.advance(1);
    expect(state.dead).toBe(1);
    expect(state.clock.pending).toBe(0);
  });

  it('takes any byte for an answer', async () => {
    const state = connection();
    await state.clock.advance(30_000);
    state.bytes += 1;
    await state.clock.advance(10_000);
    expect(state.dead).toBe(0);
    await state.clock.advance(30_000);
    expect(state.pings).toEqual([30_000, 70_000]);
  });

  it('looks again for what arrived while this process stood still', async () => {
    const state = connection();
    await state.clock.advance(30_000);
    setImmediate(() => {
      state.bytes += 1; // read after the timer, before the second look
    });
    await state.clock.advance(10_000);
    expect(state.dead).toBe(0);
  });

  it('ignores an answer that comes after other bytes showed the same', async () => {
    const state = connection();
    await state.clock.advance(30_000);
    const { answer } = state;
    state.bytes += 1;
    await state.clock.advance(10_000);
    answer();
    expect(state.clock.pending).toBe(1);
  });

  it('does nothing more once it is stopped', async () => {
    const state = connection();
    await state.clock.advance(30_000);
    state.keepalive.stop();
    state.answer();
    await state.clock.advance(100_000);
    expect([state.pings.length, state.dead, state.clock.pending]).toEqual([1, 0, 0]);
  });
});
