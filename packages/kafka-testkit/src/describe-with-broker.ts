// This file makes suites and is none: their names and whether they run depend on the machine.
/* oxlint-disable vitest/no-conditional-tests, vitest/valid-describe-callback, vitest/valid-title, vitest/expect-expect, vitest/no-disabled-tests */
import { afterAll, beforeAll, describe, it } from 'vitest';
import { type Broker, type BrokerOptions, startBroker } from './broker/broker.ts';
import { brokerUnavailable } from './broker/broker-unavailable.ts';
import type { BrokerVersion } from './broker/broker-version.ts';
import { type BrokerCluster, type ClusterOptions, startCluster } from './broker/cluster.ts';

/** The first start on a machine fetches the jars. */
const START_LIMIT_MS = 420_000;
const STOP_LIMIT_MS = 30_000;

/**
 * A vitest suite with one broker for all its tests; `broker()` is for use inside tests. Where no broker can be started the
 * suite is skipped and its name says why; with `CI=true` it fails instead.
 */
export function describeWithBroker(
  name: string,
  options: BrokerOptions,
  body: (broker: () => Broker) => void,
): void {
  describeWith({ name, version: options.version, start: () => startBroker(options) }, body);
}

/** As {@link describeWithBroker}, with three brokers. */
export function describeWithCluster(
  name: string,
  options: ClusterOptions,
  body: (cluster: () => BrokerCluster) => void,
): void {
  describeWith({ name, version: options.version, start: () => startCluster(options) }, body);
}

interface Suite<T> {
  readonly name: string;
  readonly version: BrokerVersion | undefined;
  readonly start: () => Promise<T>;
}

function describeWith<T extends Stoppable>(suite: Suite<T>, body: (running: () => T) => void): void {
  const { name, version } = suite;
  const reason = brokerUnavailable(version);
  if (reason === undefined) {
    describe(name, () => body(runningDuring(suite)));
  } else if (process.env['CI'] === 'true') {
    describe(name, () => {
      it('has a broker to run against', () => {
        throw new Error(reason);
      });
    });
  } else {
    process.stderr.write(`skipped "${name}": ${reason}\n`);
    describe.skip(`${name} (${reason})`, () => body(runningDuring(suite)));
  }
}

interface Stoppable {
  stop(): Promise<void>;
}

function runningDuring<T extends Stoppable>({ start }: Suite<T>): () => T {
  let running: T | undefined;
  beforeAll(async () => {
    running = await start();
  }, START_LIMIT_MS);
  afterAll(() => running?.stop(), STOP_LIMIT_MS);
  return () => {
    if (running === undefined) throw new Error('brokers are there only while tests run');
    return running;
  };
}
