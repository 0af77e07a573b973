import { createManualClock } from '@levada/connect-runtime-core/testing';
import { describe, expect, it } from 'vitest';
import { type NeededRoom, RoomWaits, type WaitEnd } from './room-waits.ts';

const LIMITS = { graceMs: 1000, mostMs: 8000, again: false };
const ONE = { exports: 1, bytes: 10 };

function setUp() {
  const clock = createManualClock();
  const state = { room: 0, capacity: 100, throttledUntil: undefined as number | undefined };
  const refusal = ({ exports }: NeededRoom) => {
    if (exports > state.capacity) return 'never';
    return exports > state.room ? 'queue_full' : undefined;
  };
  const seen: (string | number)[] = [];
  const waits: RoomWaits = new RoomWaits({
    clock,
    refusal,
    throttledUntil: () => state.throttledUntil,
    onChange: () => seen.push(`${waits.size} wait`),
    onGraceOver: (graceMs) => seen.push(graceMs),
  });
  const ends: (readonly [name: string, end: WaitEnd])[] = [];
  const wait = (name: string, need = ONE, limits = LIMITS) => {
    const one = waits.wait(need, limits);
    void one?.ended.then((end) => ends.push([name, end]));
    return one;
  };
  const take = async (room: number): Promise<void> => {
    state.room = room;
    waits.offerFreed();
    await clock.advance(0);
  };
  return { clock, state, waits, ends, seen, wait, take };
}

describe('requests that wait for room in a queue', () => {
  it('held requests continue in the order in which they came, as many as fit', async () => {
    const { waits, ends, wait, take } = setUp();
    for (const name of ['a', 'b', 'c']) wait(name);
    await take(2);
    expect(ends).toEqual([
      ['a', 'room'],
      ['b', 'room'],
    ]);
    expect(waits.size).toBe(1);
  });

  it('held requests wait for as long as the log asks to wait, and for the grace after that', async () => {
    const { clock, state, ends, seen, wait } = setUp();
    wait('a');
    state.throttledUntil = clock.monotonic() + 3_000;
    await clock.advance(3_999);
    expect(ends).toEqual([]);
    await clock.advance(1);
    expect(ends).toEqual([['a', 'late']]);
    expect(seen).toContain(1000);
    expect(clock.pending).toBe(0);
  });

  it('held requests that were admitted before go first', async () => {
    const { waits, ends, wait, take } = setUp();
    for (const name of ['a', 'b']) wait(name);
    await take(1);
    wait('a again', ONE, { ...LIMITS, again: true });
    await take(2);
    expect(ends.map(([name]) => name)).toEqual(['a', 'a again', 'b']);
    expect(waits.size).toBe(0);
  });

  it('held requests are not overtaken by smaller ones', async () => {
    const { ends, wait, take } = setUp();
    wait('large', { exports: 3, bytes: 10 });
    wait('small');
    await take(2);
    expect(ends).toEqual([]);
    await take(4);
    expect(ends).toEqual([
      ['large', 'room'],
      ['small', 'room'],
    ]);
  });

  it('held requests pass admitted ones whose bodies do not arrive, twice as many each tenth of a second', async () => {
    const { clock, ends, wait, take } = setUp();
    for (const name of ['slow', 'b', 'c', 'd']) wait(name);
    await take(1);
    await clock.advance(99);
    expect(ends).toEqual([['slow', 'room']]);
    await clock.advance(1);
    expect(ends.slice(1)).toEqual([
      ['b', 'room'],
      ['c', 'room'],
    ]);
    await clock.advance(100);
    expect(ends.at(-1)).toEqual(['d', 'room']);
    expect(clock.pending).toBe(0);
  });

  it('held requests pass only as many as have room after something was taken', async () => {
    const { clock, ends, wait, take } = setUp();
    for (const name of ['slow', 'b', 'c', 'd', 'e']) wait(name);
    await take(1);
    await clock.advance(100);
    expect(ends).toHaveLength(3);
    await take(1);
    expect(ends).toHaveLength(4);
  });

  it('held requests do not wait long for many admitted ones whose bodies do not arrive', async () => {
    const { clock, ends, wait, take } = setUp();
    for (let slow = 0; slow < 1000; slow += 1) wait('slow');
    wait('b');
    await take(1);
    for (let tenths = 0; tenths < 9; tenths += 1) await clock.advance(100);
    expect(ends.at(-1)).toEqual(['b', 'room']);
  });

  it('held requests stay when the queue is empty and the log has nothing to take', async () => {
    const { clock, ends, waits, wait, take } = setUp();
    for (const name of ['slow', 'b', 'c']) wait(name, ONE, { ...LIMITS, graceMs: 50 });
    await take(1);
    await clock.advance(50);
    await clock.advance(50);
    expect(ends.map(([, end]) => end)).toEqual(['room', 'room', 'room']);
    expect(waits.canHold(50)).toBe(true);
  });

  it('held requests do not wait for one that no longer fits since the queue became smaller', async () => {
    const { state, ends, wait, take } = setUp();
    wait('large', { exports: 3, bytes: 10 });
    wait('small');
    state.capacity = 2;
    await take(1);
    expect(ends).toEqual([
      ['large', 'late'],
      ['small', 'room'],
    ]);
  });

  it('held requests end when nothing was taken for the grace period, and later ones do not wait until something is', async () => {
    const { clock, ends, seen, wait, take } = setUp();
    wait('a');
    await clock.advance(999);
    expect(seen).toEqual(['1 wait']);
    expect(ends).toEqual([]);
    await clock.advance(1);
    expect(ends).toEqual([['a', 'late']]);
    expect(seen).toEqual(['1 wait', 1000, '0 wait']);
    expect(wait('b')).toBeUndefined();
    await take(0);
    expect(wait('c')).toBeDefined();
  });

  it('held requests wait as long as something is taken now and then, up to their limit', async () => {
    const { clock, ends, wait, take } = setUp();
    wait('a', ONE, { ...LIMITS, mostMs: 2500 });
    wait('b');
    for (let i = 0; i < 3; i += 1) {
      await clock.advance(900);
      await take(0);
    }
    expect(ends).toEqual([['a', 'late']]);
    await take(1);
    expect(ends.at(-1)).toEqual(['b', 'room']);
  });

  it('held requests leave no timer when they end, their clients leave, or the receivers stop', async () => {
    const { clock, waits, ends, wait, take } = setUp();
    wait('a')?.cancel();
    wait('b');
    await take(1);
    wait('c');
    waits.close();
    await clock.advance(0);
    expect(ends).toEqual([
      ['a', 'gone'],
      ['b', 'room'],
      ['c', 'late'],
    ]);
    expect(clock.pending).toBe(0);
    expect(wait('d')).toBeUndefined();
  });
});
