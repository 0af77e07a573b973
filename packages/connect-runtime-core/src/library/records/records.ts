import type { SourceRecord } from '../../contract/source-record.ts';
import { ConnectorError } from '../../diagnostics/connector-error.ts';
import type { Clock } from '../../time/clock.ts';
import { BatchFeed, type BatchOptions } from './batch-feed.ts';
import type { EndRule } from './ending.ts';
import { ItemIterator, type ItemReader } from './item-iterator.ts';
import { type FeedOptions, RecordFeed } from './record-feed.ts';
import type { RecordReader } from './record-reader.ts';

/**
 * Records of a source, one after the other, for `for await`, `Readable.from` or `ReadableStream.from`. A record counts as
 * delivered when the next one is asked for. To leave the loop closes the source. The source is read once: by this or by another of
 * its iterables.
 */
export interface Records<V> extends AsyncIterable<SourceRecord<V>> {
  /**
   * At most so many records; then the loop ends, and the source closes. Unlike with `break`, the last one counts as
   * delivered. Throws `config_invalid` unless `count` is a whole number of 0 or more.
   *
   * @example
   * ```ts
   * for await (const { value } of source.limit(10)) console.log(value);
   * ```
   */
  limit(count: number): Records<V>;
  /**
   * Ends after the first record for which the condition is true; then the source closes, and that record counts as
   * delivered. The condition is asked after the loop is through with a record. What it throws ends the loop.
   *
   * @example
   * ```ts
   * for await (const { value } of source.json<Price>().until(({ value }) => value.isLast)) console.log(value);
   * ```
   */
  until(condition: (record: SourceRecord<V>) => boolean): Records<V>;
  /**
   * The records in batches, which are never empty. A batch counts as delivered, as a whole, when the next one is asked for.
   * When the source closes or ends, what is there is the last batch.
   *
   * @example
   * ```ts
   * for await (const batch of source.batches({ max: 500, maxWaitMs: 200 })) await store(batch);
   * ```
   */
  batches(options?: BatchOptions): RecordBatches<V>;
}

/** Records of a source in batches; see {@link Records.batches}. */
export interface RecordBatches<V> extends AsyncIterable<readonly SourceRecord<V>[]> {
  /** At most so many batches; see {@link Records.limit}. */
  limit(count: number): RecordBatches<V>;
  /** Ends after the first batch for which the condition is true; see {@link Records.until}. */
  until(condition: (batch: readonly SourceRecord<V>[]) => boolean): RecordBatches<V>;
}

/** Where records come from. */
export interface RecordOrigin {
  readonly clock: Clock;
  /** Becomes the one consumer. Throws when there is or was one. */
  open(): RecordReader;
}

/** What records are read as. */
export type Reading<V> = Omit<FeedOptions<V>, 'rules'>;

/** The records of an origin in one reading, up to the first for which a rule holds. Nothing is opened before they are iterated. */
export function recordsOf<V>(
  origin: RecordOrigin,
  reading: Reading<V>,
  rules: readonly EndRule<SourceRecord<V>>[],
): Pick<Records<V>, 'batches' | typeof Symbol.asyncIterator> {
  const feed = (): RecordFeed<V> => new RecordFeed(origin.open(), { ...reading, rules });
  return {
    batches: (options = {}) => batchesOf(feed, { ...batchLimits(options), clock: origin.clock }),
    ...iterable(feed),
  };
}

function batchesOf<V>(
  feed: () => RecordFeed<V>,
  limits: { readonly max: number; readonly maxWaitMs: number; readonly clock: Clock },
  rules: readonly EndRule<readonly SourceRecord<V>[]>[] = [],
): RecordBatches<V> {
  return {
    limit: (count) => batchesOf(feed, limits, [...rules, limitRule(count)]),
    until: (condition) => batchesOf(feed, limits, [...rules, untilRule(condition)]),
    ...iterable(() => new BatchFeed(feed(), { ...limits, rules })),
  };
}

function iterable<T>(open: () => ItemReader<T>): AsyncIterable<T> {
  return { [Symbol.asyncIterator]: () => new ItemIterator(open()) };
}

/** See {@link Records.limit}. */
export function limitRule(count: number): Extract<EndRule<never>, { kind: 'limit' }> {
  checkNumber('limit', count, 0);
  return { kind: 'limit', count };
}

/** See {@link Records.until}. */
export function untilRule<T>(condition: (item: T) => boolean): EndRule<T> {
  return { kind: 'until', condition };
}

function batchLimits({ max = 1000, maxWaitMs = 0 }: BatchOptions) {
  checkNumber('batches: max', max, 1);
  checkNumber('batches: maxWaitMs', maxWaitMs, 0);
  return { max, maxWaitMs };
}

function checkNumber(name: string, value: number, least: number): void {
  if (Number.isInteger(value) && value >= least) return;
  const message = `${name} must be a whole number of ${least} or more, got ${String(value)}`;
  throw new ConnectorError('config_invalid', message, { issues: [{ key: name, message }] });
}
