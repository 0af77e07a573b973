import { expect, it } from 'vitest';
import { murmur2, partitionOfKey } from './murmur2.ts';

// The vectors of Kafka's own UtilsTest.
it.each([
  ['21', -973_932_308],
  ['foobar', -790_332_482],
  ['a-little-bit-long-string', -985_981_536],
  ['a-little-bit-longer-string', -1_486_304_829],
  ['lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8', -58_897_971],
  ['abc', 479_470_107],
])('hashes %s as Java clients do', (key, hash) => {
  expect(murmur2(Buffer.from(key))).toBe(hash);
});

it('never chooses a partition that does not exist', () => {
  const chosen = Array.from({ length: 200 }, (_, i) => partitionOfKey(Buffer.from(`${i}`), 7));
  expect(Math.min(...chosen)).toBe(0);
  expect(Math.max(...chosen)).toBe(6);
});
