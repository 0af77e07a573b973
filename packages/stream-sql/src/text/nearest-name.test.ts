import { expect, test } from 'vitest';
import { nearestName } from './nearest-name.ts';

const names = [
  'max_partitions',
  'min_partitions',
  'naming_pattern',
  'tags',
  'key',
  'sql',
  'sink',
  'orders_clean',
  'amount',
];

test.each([
  ['max_partitons', 'max_partitions'],
  ['maxPartitions', 'max_partitions'],
  ['min-partitions', 'min_partitions'],
  ['MIN_PARTITIONS', 'min_partitions'],
  ['order_clean', 'orders_clean'],
  ['tag', 'tags'],
  ['sqll', 'sql'],
  ['sqk', 'sql'],
  ['amnt', 'amount'],
] as const)('"%s" means "%s"', (written, meant) => {
  expect(nearestName(written, names)).toBe(meant);
});

test.each(['', 'x', 'kk', 'foo', 'owner', 'partitions_of_everything', 'ab'])(
  '"%s" is close to none',
  (written) => {
    expect(nearestName(written, names)).toBeUndefined();
  },
);

test('suggests the first of two names that are equally close', () => {
  expect(nearestName('mxn_partitions', ['min_partitions', 'man_partitions'])).toBe('min_partitions');
});

test('a name is never its own correction', () => {
  expect(nearestName('tags', ['tags'])).toBeUndefined();
});

test('names of any length take no time', () => {
  expect(nearestName('m'.repeat(1_000_000), names)).toBeUndefined();
  expect(nearestName('tags', ['t'.repeat(1_000_000)])).toBeUndefined();
});
