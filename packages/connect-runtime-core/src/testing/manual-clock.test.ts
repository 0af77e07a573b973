import { describe, expect, it } from 'vitest';
import { createManualClock } from './manual-clock.ts';

describe('createManualClock', () => {
  it('runs due timers in the order of their times, and of setting for the same time', async () => {
    const clock = createManualClock();
    const ran: string[] = [];
    clock.after(20, () => ran.push(`late at ${clock.monotonic()}`));
    clock.after(10, () => ran.push(`first at ${clock.monotonic()}`));
    clock.after(10, () => ran.push(`second at ${clock.monotonic()}`));
    await clock.advance(15);
    expect(ran).toEqual(['first at 10', 'second at 10']);
    await clock.advance(15);
    expect(ran).toEqual(['first at 10', 'second at 10', 'late at 20']);
    expect(clock.monotonic()).toBe(30);
  });

  it('runs timers that are set while it moves, when they fall due on the way', async () => {
    const clock = createManualClock();
    const ran: number[] = [];
    const loop = async (): Promise<void> => {
      for (let i = 0; i < 3; i += 1) {
        await clock.sleep(10);
        ran.push(clock.monotonic());
      }
    };
    const looping = loop();
    await clock.advance(25);
    expect(ran).toEqual([10, 20]);
    await clock.advance(5);
    await looping;
    expect(ran).toEqual([10, 20, 30]);
  });

  it('lets promises settle that were pending before it moves', async () => {
    const clock = createManualClock();
    const ran: string[] = [];
    void Promise.resolve()
      .then(() => undefined)
      .then(() => clock.after(5, () => ran.push('fired')));
    await clock.advance(5);
    expect(ran).toEqual(['fired']);
  });

  it('counts armed timers, and forgets cancelled ones', () => {
    const clock = createManualClock();
    const timer = clock.after(50, () => undefined);
    clock.after(70, () => undefined);
    expect([clock.pending, clock.nextInMs]).toEqual([2, 50]);
    timer.cancel();
    timer.cancel();
    expect([clock.pending, clock.nextInMs]).toEqual([1, 70]);
  });

  it('rejects a sleep when its signal aborts, and leaves no timer', async () => {
    const clock = createManualClock();
    const abort = new AbortController();
    const sleeping = clock.sleep(10, abort.signal);
    abort.abort();
    await expect(sleeping).rejects.toMatchObject({ code: 'aborted' });
    await expect(clock.sleep(10, abort.signal)).rejects.toMatchObject({ code: 'aborted' });
    expect(clock.pending).toBe(0);
  });

  it('moves the wall clock alone in a jump', async () => {
    const clock = createManualClock({ now: 1000 });
    clock.jump(-600);
    await clock.advance(5);
    expect([clock.now(), clock.monotonic()]).toEqual([405, 5]);
  });
});
