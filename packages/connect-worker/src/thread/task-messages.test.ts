import { describe, expect, it } from 'vitest';
import { LeaseCell } from './task-messages.ts';

describe('a lease in shared memory', () => {
  const pair = () => {
    const worker = new LeaseCell();
    return { worker, thread: new LeaseCell(worker.memory) };
  };

  it('has ended until it is set', () => {
    expect(pair().thread.isValid(0, 0)).toBe(false);
  });

  it('ends by whichever clock says so first', () => {
    const { worker, thread } = pair();
    worker.set({ monotonic: 1000.5, wall: 1_800_000_000_000 });
    expect(thread.isValid(1000.4, 1_799_999_999_999)).toBe(true);
    expect(thread.isValid(1000.5, 0)).toBe(false);
    expect(thread.isValid(0, 1_800_000_000_000)).toBe(false);
  });

  it('ends at once when the worker says so', () => {
    const { worker, thread } = pair();
    worker.set({ monotonic: Number.POSITIVE_INFINITY, wall: Number.POSITIVE_INFINITY });
    expect(thread.isValid(1e9, 1_900_000_000_000)).toBe(true);
    worker.set(undefined);
    expect(thread.isValid(1e9, 1_900_000_000_000)).toBe(false);
  });
});
