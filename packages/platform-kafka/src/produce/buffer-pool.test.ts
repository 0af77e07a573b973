import { createManualClock } from '@levada/connect-runtime-core/testing';
import { describe, expect, it } from 'vitest';
import { BufferPool } from './buffer-pool.ts';

function newPool(size = 1000, keep = 2) {
  const clock = createManualClock();
  return { clock, pool: new BufferPool({ size, keep, clock }) };
}

describe('a pool of buffers', () => {
  it('returned buffers are reused, the latest first', () => {
    const { pool } = newPool();
    const [first, second] = [pool.take(1), pool.take(1000)];
    pool.give(first);
    pool.give(second);
    expect(pool.take(10)).toBe(second);
    expect(pool.take(10)).toBe(first);
  });

  it('all but the first eight buffers are disjoint parts of one slab, on word boundaries', () => {
    const { pool } = newPool(1001);
    const buffers = Array.from({ length: 10 }, (_, i) => pool.take(1).fill(i));
    expect(new Set(buffers.map(({ buffer }) => buffer)).size).toBe(9);
    expect(buffers.map(({ byteOffset }) => byteOffset % 8)).toEqual(Array(10).fill(0));
    expect(buffers.map((buffer) => [buffer.length, buffer.at(0), buffer.at(-1)])).toEqual(
      buffers.map((_, i) => [1001, i, i]),
    );
  });

  it('larger buffers are allocated on demand and not kept', () => {
    const { pool } = newPool();
    const large = pool.take(1001);
    expect([large.length, large.byteOffset]).toEqual([1001, 0]);
    pool.give(large);
    expect(pool.take(1001)).not.toBe(large);
    expect(newPool(40 * 1024 * 1024).pool.take(1)).toHaveLength(40 * 1024 * 1024);
  });

  it('at most the configured number of unused buffers is kept', () => {
    const { pool } = newPool(1000, 1);
    const [first, second] = [pool.take(1), pool.take(1)];
    pool.give(first);
    pool.give(second);
    expect(pool.take(1)).toBe(first);
    expect(pool.take(1)).not.toBe(second);
  });

  it('buffers that a slow feed did not need for two seconds are released', async () => {
    const { clock, pool } = newPool(1000, 10);
    const buffers = Array.from({ length: 5 }, () => pool.take(1));
    for (const buffer of buffers) pool.give(buffer);
    for (let times = 0; times < 8; times += 1) {
      pool.give(pool.take(1));
      await clock.advance(500);
    }
    expect(pool.take(1)).toBe(buffers[4]);
    expect(buffers).not.toContain(pool.take(1));
  });

  it('memory is released after two seconds without use, even while a buffer is in use', async () => {
    const { clock, pool } = newPool();
    const [first, second] = [pool.take(1), pool.take(1)];
    pool.give(first);
    await clock.advance(4000);
    expect(pool.take(1)).not.toBe(first);
    pool.give(first);
    pool.give(second);
    await clock.advance(2000);
    expect(pool.take(1)).toBe(second);
    pool.give(second);
    await clock.advance(4000);
    expect(pool.take(1).buffer).not.toBe(first.buffer);
  });

  it('a closed pool keeps no memory', async () => {
    const { clock, pool } = newPool();
    const buffer = pool.take(1);
    pool.close();
    pool.give(buffer);
    expect(pool.take(1)).not.toBe(buffer);
    await clock.advance(10_000);
  });
});
