import {
  boolean,
  checkOptions,
  filledString,
  type OptionChecks,
  valueThat,
  wholeNumberFrom,
} from '../config/option-checks.ts';
import type { SourceOptions } from '../library/create-source.ts';
import { createSource } from '../library/create-source.ts';
import { sourceChecks } from '../library/service-options.ts';
import type { SourceHandle } from '../library/source-handle.ts';
import { createFakeFeed, type FakeFeed, type FakeRecord, fakeConnector } from './fake-feed.ts';

/** What a fake source is made of. */
export interface FakeSourceOptions extends SourceOptions {
  /** Topic of records that name none. Default `fake`. */
  readonly topic?: string | undefined;
  /** What it gives as soon as it is used. Default: nothing. */
  readonly records?: readonly FakeRecord[] | undefined;
  /** Whether it connects as soon as it is used. Default true; false: at `feed.reconnect()`. */
  readonly connects?: boolean | undefined;
  /** Most records that wait for the consumer; more are dropped and counted. Default 10000. */
  readonly queueSize?: number | undefined;
  /** Most records that are handed out at once. Default 100. */
  readonly batchSize?: number | undefined;
}

/** A source without a peer, and the feed that a test plays in its place. */
export interface FakeSource extends SourceHandle {
  /** What the test makes happen. */
  readonly feed: FakeFeed;
}

const checks: OptionChecks<FakeSourceOptions> = {
  ...sourceChecks,
  topic: filledString,
  records: valueThat('a list of records', Array.isArray),
  connects: boolean,
  queueSize: wholeNumberFrom(1),
  batchSize: wholeNumberFrom(1),
};

/**
 * A source for tests of a service that reads one: everything but the peer is real, so it counts, drops, closes and fails as the
 * sources do that it is used in place of. What happens is decided by its `feed`, and nothing happens by itself. Throws
 * `config_invalid` with every problem of the options.
 *
 * @example
 * const source = fakeSource({ topic: 'prices', records: ['{"symbol":"ABC","price":7}'] });
 * const service = startService(source);
 * await source.feed.delivered(1);
 * source.feed.disconnect('maintenance');
 */
export function fakeSource(options: FakeSourceOptions = {}): FakeSource {
  checkOptions(checks, options);
  const {
    topic = 'fake',
    records = [],
    connects = true,
    queueSize = 10_000,
    batchSize = 100,
    ...rest
  } = options;
  const { feed, wire } = createFakeFeed({ connects, records, status: () => source.status() });
  const raw = { topic, 'fake.queue.size': String(queueSize), 'fake.batch.size': String(batchSize) };
  const source: SourceHandle = createSource(fakeConnector(wire), raw, { name: 'fake', ...rest });
  return Object.assign(source, { feed });
}
