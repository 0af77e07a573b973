import { describe, expect, it } from 'vitest';
import { ConnectionWatch, type Sight, type Verdict } from './connection-watch.ts';

/** A connection whose settings came at once. */
function watched(): ConnectionWatch {
  const watch = new ConnectionWatch(0);
  watch.noteSettings();
  return watch;
}

/** A look each second, the same every time. */
function looks(
  watch: ConnectionWatch,
  seconds: readonly [from: number, to: number],
  sight: Omit<Sight, 'now'>,
) {
  const verdicts: Verdict[] = [];
  for (let at = seconds[0]; at <= seconds[1]; at += 1)
    verdicts.push(watch.look({ ...sight, now: at * 1000 }));
  return verdicts.find((verdict) => verdict !== 'keep');
}

describe('ConnectionWatch', () => {
  it('the watch keeps a connection whose last call was still open at the previous check', () => {
    const watch = watched();
    watch.noteCall();
    expect(looks(watch, [1, 1], { calls: 1, bytesRead: 100 })).toBeUndefined();
    expect(looks(watch, [2, 1700], { calls: 0, bytesRead: 900 })).toBeUndefined();
  });

  it('the watch ends a connection that sends bytes without a call for ten seconds, after calls or without any', () => {
    const watch = watched();
    watch.noteCall();
    looks(watch, [1, 2], { calls: 1, bytesRead: 100 });
    looks(watch, [3, 3], { calls: 0, bytesRead: 100 });
    expect(looks(watch, [4, 13], { calls: 0, bytesRead: 101 })).toBeUndefined();
    expect(looks(watch, [14, 14], { calls: 0, bytesRead: 101 })).toBe('end');
  });
});

describe('the phases of a connection', () => {
  it('the watch cuts a connection whose settings do not come within ten seconds', () => {
    const watch = new ConnectionWatch(0);
    expect(looks(watch, [1, 9], { calls: 0, bytesRead: 24 })).toBeUndefined();
    expect(looks(watch, [10, 10], { calls: 0, bytesRead: 24 })).toBe('cut');
  });

  it('the watch ends a connection without a call after thirty seconds, pings or not', () => {
    const watch = watched();
    for (let at = 1; at < 30; at += 1) {
      watch.notePing();
      expect(looks(watch, [at, at], { calls: 0, bytesRead: 17 * at })).toBeUndefined();
    }
    watch.notePing();
    expect(looks(watch, [30, 30], { calls: 0, bytesRead: 510 })).toBe('end');
  });

  it('the watch ends a connection half an hour after the check that found its last call closed', () => {
    const watch = watched();
    watch.noteCall();
    expect(looks(watch, [1, 1], { calls: 0, bytesRead: 100 })).toBeUndefined();
    expect(looks(watch, [2, 1800], { calls: 0, bytesRead: 100 })).toBeUndefined();
    expect(looks(watch, [1801, 1801], { calls: 0, bytesRead: 100 })).toBe('end');
  });
});
