import type { FieldPath } from '@levada/stream-project-schema';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { isDeclared } from '../../parse/is-declared.ts';
import { listAt, numberAt } from '../../parse/known-value.ts';
import type { ObjectNode, TypedNode } from '../../parse/typed-node.ts';
import type { PlacedAssertion } from '../../test-jobs/assertion.ts';
import { at, finding, named, rangeBelow } from '../finding.ts';
import { checkOrder, type OrderedNumbers } from '../number-order.ts';
import { testCodes } from './test-codes.ts';

/** One bucket of a distribution. */
interface Bucket {
  readonly node: ObjectNode;
  readonly path: FieldPath;
  readonly min: number;
  readonly max: number;
}

/** Reports buckets of a `distribution` that contradict themselves or each other, or say nothing. */
export function checkBuckets(assertion: PlacedAssertion): readonly Diagnostic[] {
  const { node, path } = assertion;
  const items = listAt(node, 'buckets')?.items ?? [];
  const buckets = bucketsOf(items, [...path, 'buckets']);
  const each = buckets.flatMap((bucket) => [
    ...checkBucket(assertion, bucket),
    ...checkRatio(assertion, bucket),
  ]);
  if (each.length > 0 || !areBoundsKnown(items)) return each;
  return [...checkOverlap(assertion, buckets), ...checkSum(assertion, buckets)];
}

function bucketsOf(items: readonly TypedNode[], path: FieldPath): readonly Bucket[] {
  return items.flatMap((item, index) => {
    if (item.kind !== 'object') return [];
    const min = numberAt(item, 'min')?.value ?? Number.NEGATIVE_INFINITY;
    const max = numberAt(item, 'max')?.value ?? Number.POSITIVE_INFINITY;
    return [{ node: item, path: [...path, index], min, max }];
  });
}

/** A bound that is misspelt or wrong was reported, and what is right of it is not known. */
function areBoundsKnown(items: readonly TypedNode[]): boolean {
  return items.every((item) => isDeclared(item, 'min') && isDeclared(item, 'max'));
}

const entry = testCodes['contradictory-bounds'];

/** What must be in order within a bucket; values of a bucket stay below its `max`. */
const orders: readonly (Pick<OrderedNumbers, 'low' | 'high' | 'because'> & { readonly strict?: true })[] = [
  { low: 'min', high: 'max', because: 'so no value is within the bucket', strict: true },
  { low: 'min_ratio', high: 'max_ratio', because: 'so no share is within them' },
  { low: 'min_ratio', high: 'expected_ratio', because: 'so the expected share is wrong' },
  { low: 'expected_ratio', high: 'max_ratio', because: 'so the expected share is wrong' },
];

function checkBucket({ test }: PlacedAssertion, { node, path }: Bucket): readonly Diagnostic[] {
  return orders.flatMap((order) => checkOrder({ definition: test.definition, node, path, entry, ...order }));
}

const ratios = ['expected_ratio', 'min_ratio', 'max_ratio'] as const;

/** Without a share there is nothing to check. */
function checkRatio({ test }: PlacedAssertion, { node, path }: Bucket): readonly Diagnostic[] {
  const { definition } = test;
  // An unknown key may be meant for one of them
  if (node.hasUnknownKeys === true) return [];
  if (ratios.every((key) => !node.entries.has(key))) {
    const message = `a bucket of ${named(definition)} has no expected share`;
    const hint = 'add "expected_ratio", "min_ratio" or "max_ratio"';
    return [finding(testCodes['bucket-without-effect'], at(definition, path), { message, hint })];
  }
  if (!node.entries.has('tolerance') || node.entries.has('expected_ratio')) return [];
  const message = `"tolerance" of a bucket of ${named(definition)} has no effect without "expected_ratio"`;
  return [
    finding(testCodes['bucket-without-effect'], at(definition, [...path, 'tolerance'], 'key'), { message }),
  ];
}

/** A value in two buckets counts twice. */
function checkOverlap(
  { test: { definition } }: PlacedAssertion,
  buckets: readonly Bucket[],
): readonly Diagnostic[] {
  const ordered = [...buckets].sort((one, other) => one.min - other.min || one.max - other.max);
  let widest = ordered[0];
  return ordered.slice(1).flatMap((bucket) => {
    const before = widest;
    if (before === undefined || bucket.max > before.max) widest = bucket;
    if (before === undefined || bucket.min >= before.max) return [];
    const message = `buckets of ${named(definition)} overlap, so some values count twice`;
    const related = [{ message: 'other bucket', range: rangeBelow(definition, before.path) }];
    return [finding(testCodes['overlapping-buckets'], at(definition, bucket.path), { message, related })];
  });
}

/** Sums of ratios are not exact. */
const ROUNDING = 1e-9;

/** Shares of all records are 1 together; buckets may leave values out, so less is right. */
function checkSum(
  { test: { definition }, path }: PlacedAssertion,
  buckets: readonly Bucket[],
): readonly Diagnostic[] {
  const least = buckets.map(({ node }) => leastShare(node));
  if (overlap(buckets) || least.reduce((sum, share) => sum + share, 0) <= 1 + ROUNDING) return [];
  const message = `the minimum shares of the buckets of ${named(definition)} add up to more than 1, so the test always fails`;
  return [
    finding(testCodes['contradictory-bounds'], at(definition, [...path, 'buckets'], 'key'), { message }),
  ];
}

function overlap(buckets: readonly Bucket[]): boolean {
  const ordered = [...buckets].sort((one, other) => one.min - other.min);
  return ordered.some(({ max }, index) => max > (ordered[index + 1]?.min ?? Number.POSITIVE_INFINITY));
}

function leastShare(node: ObjectNode): number {
  const expected = numberAt(node, 'expected_ratio')?.value ?? 0;
  const tolerance = numberAt(node, 'tolerance')?.value ?? 0;
  return Math.max(numberAt(node, 'min_ratio')?.value ?? 0, expected - tolerance, 0);
}

/** Reports a `range` that holds no value. */
export function checkRange({ test, node, path }: PlacedAssertion): readonly Diagnostic[] {
  const because = 'so no value is within the range';
  return checkOrder({ definition: test.definition, node, path, low: 'min', high: 'max', because, entry });
}

/** Reports a `throughput` that no stream has. */
export function checkThroughput({ test, node, path }: PlacedAssertion): readonly Diagnostic[] {
  return checkOrder({
    definition: test.definition,
    node,
    path,
    low: 'min_per_second',
    high: 'max_per_second',
    because: 'so no stream has such a throughput',
    entry,
  });
}
