import { describe, expect, it } from 'vitest';
import { murmur2, partitionOfKey } from './murmur2.ts';

describe('murmur2', () => {
  it.each([
    ['21', -973932308],
    ['foobar', -790332482],
    ['a-little-bit-long-string', -985981536],
    ['a-little-bit-longer-string', -1486304829],
    ['lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8', -58897971],
    ['abc', 479470107],
  ])('hashes %s as the Java client does', (key, hash) => {
    expect(murmur2(Buffer.from(key))).toBe(hash);
  });

  it('puts a key into the partition that the Java client chooses', () => {
    expect(partitionOfKey(Buffer.from('foobar'), 25)).toBe((-790332482 & 0x7fffffff) % 25);
    expect(partitionOfKey(Buffer.from('foobar'), 1)).toBe(0);
  });

  it('never chooses a partition that does not exist', () => {
    const chosen = Array.from({ length: 200 }, (_, i) => partitionOfKey(Buffer.from(`${i}`), 7));
    expect([Math.min(...chosen), Math.max(...chosen)]).toEqual([0, 6]);
  });
});
