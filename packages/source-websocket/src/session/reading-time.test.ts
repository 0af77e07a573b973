import { createManualClock } from '@levada/connect-runtime-core/testing';
import { describe, expect, it } from 'vitest';
import { ReadingTime } from './reading-time.ts';

function setUp(ms: number) {
  const clock = createManualClock();
  const reading = new ReadingTime(clock);
  const calls: number[] = [];
  const timer = reading.after(ms, () => calls.push(clock.monotonic()));
  return { clock, reading, calls, timer };
}

describe('the time for which a connection is read', () => {
  it('passes as any other time while nothing is paused', async () => {
    const { clock, calls } = setUp(1000);
    await clock.advance(5000);
    expect(calls).toEqual([1000]);
    expect(clock.pending).toBe(0);
  });

  it('stands still during each pause', async () => {
    const { clock, reading, calls } = setUp(1000);
    for (let pause = 0; pause < 3; pause += 1) {
      await clock.advance(300);
      reading.pause();
      reading.pause();
      expect(reading.isPaused).toBe(true);
      await clock.advance(7000);
      reading.resume();
      reading.resume();
      expect(reading.since).toBe(clock.monotonic());
    }
    await clock.advance(99);
    expect(calls).toEqual([]);
    await clock.advance(1);
    expect(calls).toEqual([22_000]);
  });

  it('is not over during a pause that begins with its end', async () => {
    const { clock, reading, calls } = setUp(1000);
    await clock.advance(999.5);
    reading.pause();
    await clock.advance(60_000);
    expect(calls).toEqual([]);
    reading.resume();
    await clock.advance(50);
    expect(calls).toHaveLength(1);
  });

  it('does not call back when the timer was cancelled, also during a pause', async () => {
    const { clock, reading, calls, timer } = setUp(1000);
    reading.pause();
    await clock.advance(3000);
    timer.cancel();
    reading.resume();
    await clock.advance(3000);
    expect(calls).toEqual([]);
    expect(clock.pending).toBe(0);
  });
});
