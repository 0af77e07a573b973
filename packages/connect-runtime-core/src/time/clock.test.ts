import { describe, expect, it, vi } from 'vitest';
import { systemClock } from './clock.ts';

describe('systemClock', () => {
  it('sleeps at least as long as it was asked to', async () => {
    const start = systemClock.monotonic();
    await systemClock.sleep(15);
    // Timers count whole milliseconds.
    expect(systemClock.monotonic() - start).toBeGreaterThanOrEqual(14);
  });

  it('rejects a sleep as soon as its signal aborts, naming the reason', async () => {
    const abort = new AbortController();
    const sleeping = systemClock.sleep(60_000, abort.signal);
    const reason = new Error('stop');
    abort.abort(reason);
    await expect(sleeping).rejects.toMatchObject({ code: 'aborted', cause: reason });
    await expect(systemClock.sleep(60_000, abort.signal)).rejects.toMatchObject({ code: 'aborted' });
  });

  it('leaves no listener on the signal of a sleep that ended', async () => {
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, 'addEventListener');
    const removed = vi.spyOn(signal, 'removeEventListener');
    await systemClock.sleep(1, signal);
    expect(removed.mock.calls.map(([, listener]) => listener)).toEqual(
      added.mock.calls.map(([, listener]) => listener),
    );
  });

  it('calls back once, unless cancelled', async () => {
    const called: string[] = [];
    const cancelled = systemClock.after(1, () => called.push('cancelled'));
    cancelled.cancel();
    const last = Promise.withResolvers<void>();
    const fired = systemClock.after(2, () => {
      called.push('fired');
      last.resolve();
    });
    await last.promise;
    fired.cancel();
    expect(called).toEqual(['fired']);
  });

  it('waits longer than a timer can, in several steps', () => {
    vi.useFakeTimers();
    try {
      let called = 0;
      systemClock.after(2 ** 31 + 1000, () => {
        called += 1;
      });
      vi.advanceTimersByTime(2 ** 31 + 999);
      expect(called).toBe(0);
      vi.advanceTimersByTime(1);
      expect(called).toBe(1);
    } finally {
      vi.useRealTimers();
    }
  });

  it('keeps the process alive for a sleep, but not for a call back', async () => {
    const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timers();
    const timer = systemClock.after(60_000, () => undefined);
    expect(timers()).toBe(before);
    const abort = new AbortController();
    const sleeping = systemClock.sleep(60_000, abort.signal);
    expect(timers()).toBe(before + 1);
    abort.abort();
    timer.cancel();
    await expect(sleeping).rejects.toThrow('wait was cancelled');
    expect(timers()).toBe(before);
  });
});
