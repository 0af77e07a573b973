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
] as const)('"%s" is corrected to "%s"', (written, meant) => {
  expect(nearestName(written, names)).toBe(meant);
});

test.each(['', 'x', 'kk', 'foo', 'owner', 'partitions_of_everything', 'ab'])(
  '"%s" is close to no name',
  (written) => {
    expect(nearestName(written, names)).toBeUndefined();
  },
);

test('the first of two equally close names is suggested', () => {
  expect(nearestName('mxn_partitions', ['min_partitions', 'man_partitions'])).toBe('min_partitions');
});

test('a name is never its own correction', () => {
  expect(nearestName('tags', ['tags'])).toBeUndefined();
});

test('very long names are not compared', () => {
  expect(nearestName('m'.repeat(1_000_000), names)).toBeUndefined();
  expect(nearestName('tags', ['t'.repeat(1_000_000)])).toBeUndefined();
});
