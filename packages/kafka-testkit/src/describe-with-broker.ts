// This file makes suites and is none: their names and whether they run depend on the machine.
/* oxlint-disable vitest/no-conditional-tests, vitest/valid-describe-callback, vitest/valid-title, vitest/expect-expect, vitest/no-disabled-tests */
import { afterAll, beforeAll, describe, inject, it } from 'vitest';
import { type Broker, type BrokerOptions, type ReachableBroker, startBroker } from './broker/broker.ts';
import { openBrokerDesk, type SharedBrokerAnswer, type SharedBrokerOptions } from './broker/broker-desk.ts';
import { brokerUnavailable } from './broker/broker-unavailable.ts';
import type { BrokerVersion } from './broker/broker-version.ts';
import { type BrokerCluster, type ClusterOptions, startCluster } from './broker/cluster.ts';
import { schemaRegistryUnavailable } from './broker/schema-registry.ts';

/** The first start on a machine fetches the jars. */
const START_LIMIT_MS = 420_000;
const STOP_LIMIT_MS = 30_000;

/**
 * A vitest suite on a broker that it shares with all suites of the run that give the same options, so topics and groups need
 * names of their own; `broker()` is for use inside tests. Where no broker can be started the suite is skipped and its name says
 * why; with `CI=true` it fails instead.
 */
export function describeWithSharedBroker(
  name: string,
  options: SharedBrokerOptions,
  body: (broker: () => ReachableBroker) => void,
): void {
  const start = async (): Promise<ReachableBroker & Stoppable> => {
    const shared = inject('brokerDesk');
    const own = shared === undefined ? await openBrokerDesk() : undefined;
    const worker = Number(process.env['VITEST_POOL_ID'] ?? 1);
    const broker = await sharedBroker(shared ?? own?.url ?? '', options, worker);
    return { ...broker, stop: async () => own?.close() };
  };
  describeWith({ name, reason: brokerUnavailable(options.version), start }, body);
}

/** A vitest suite on the schema registry of the run, which all suites share: topics need names of their own. */
export function describeWithSchemaRegistry(name: string, body: (url: () => string) => void): void {
  const start = async (): Promise<{ readonly url: string } & Stoppable> => {
    const shared = inject('brokerDesk');
    const own = shared === undefined ? await openBrokerDesk() : undefined;
    const response = await fetch(`${shared ?? own?.url ?? ''}schema-registry`);
    const text = await response.text();
    if (!response.ok) throw new Error(text);
    return { url: text, stop: async () => own?.close() };
  };
  describeWith({ name, reason: schemaRegistryUnavailable(), start }, (registry) =>
    body(() => registry().url),
  );
}

/** As {@link describeWithSharedBroker}, with a broker of its own: for tests that kill it, pause it, or need its log for themselves. */
export function describeWithBroker(
  name: string,
  options: BrokerOptions,
  body: (broker: () => Broker) => void,
): void {
  const reason = brokerUnavailable(options.version);
  describeWith({ name, reason, start: () => startBroker(options) }, body);
}

/** As {@link describeWithBroker}, with three brokers. */
export function describeWithCluster(
  name: string,
  options: ClusterOptions,
  body: (cluster: () => BrokerCluster) => void,
): void {
  const reason = brokerUnavailable(options.version);
  describeWith({ name, reason, start: () => startCluster(options) }, body);
}

/** A suite that runs Kafka's own classes and no broker. Skipped and failed as {@link describeWithSharedBroker} is. */
export function describeWithJava(name: string, version: BrokerVersion, body: () => void): void {
  describeOr({ name, reason: brokerUnavailable(version) }, body);
}

interface Stoppable {
  stop(): Promise<void>;
}

interface Suite<T> {
  readonly name: string;
  /** Why it cannot run; undefined when it can. */
  readonly reason: string | undefined;
  readonly start: () => Promise<T>;
}

function describeWith<T extends Stoppable>(suite: Suite<T>, body: (running: () => T) => void): void {
  describeOr(suite, () => body(runningDuring(suite)));
}

function describeOr({ name, reason }: Pick<Suite<never>, 'name' | 'reason'>, body: () => void): void {
  if (reason === undefined) {
    describe(name, body);
  } else if (process.env['CI'] === 'true') {
    describe(name, () => {
      it('has what it runs against', () => {
        throw new Error(reason);
      });
    });
  } else {
    process.stderr.write(`skipped "${name}": ${reason}\n`);
    describe.skip(`${name} (${reason})`, body);
  }
}

function runningDuring<T extends Stoppable>({ start }: Suite<T>): () => T {
  let running: T | undefined;
  beforeAll(async () => {
    running = await start();
  }, START_LIMIT_MS);
  afterAll(() => running?.stop(), STOP_LIMIT_MS);
  return () => {
    if (running === undefined) throw new Error('it is there only while tests run');
    return running;
  };
}

/** Asks a desk for the shared broker with these options. `worker` counts the test runner's workers from 1. */
async function sharedBroker(
  desk: string,
  options: SharedBrokerOptions,
  worker: number,
): Promise<ReachableBroker> {
  const response = await fetch(`${desk}?${encodeURIComponent(JSON.stringify(options))}`);
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  const { version, folder, certificates, proxies, endpoints } = JSON.parse(text) as SharedBrokerAnswer;
  const proxied = proxies[(worker - 1) % proxies.length];
  const endpoint: ReachableBroker['endpoint'] = (name) => {
    const found = endpoints[name];
    if (found === undefined) throw new Error(`the shared broker has no listener "${name}"`);
    return found;
  };
  if (proxied === undefined) throw new Error('the shared broker has no proxy');
  return { version, folder, certificates, proxied, endpoint, bootstrap: endpoint('PLAINTEXT') };
}
