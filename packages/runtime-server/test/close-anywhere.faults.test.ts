import { createHook } from 'node:async_hooks';
import { type RawConfig, silentLogger, systemClock } from '@levada/connect-runtime-core';
import { createScriptedConnector, waitFor } from '@levada/connect-runtime-core/testing';
import { describeWithSharedBroker } from '@levada/kafka-testkit/vitest';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { composeRuntime, openPlatform } from '../src/compose.ts';
import { readWorkerConfig } from '../src/config/worker-config.ts';
import { scriptedClass } from './runtime-fixture.ts';

/** Workers that are closed in each test, at steps that are spread over their lives. */
const CLOSES = 20;

const unowned: unknown[] = [];
const note = (reason: unknown): void => void unowned.push(reason);

beforeEach(() => {
  unowned.length = 0;
  process.on('unhandledRejection', note);
});

afterEach(() => {
  process.off('unhandledRejection', note);
});

describeWithSharedBroker('a worker on a Kafka cluster that ends at any time', {}, (broker) => {
  it.each<[string, Life]>([
    ['when it is stopped', { name: 'stopped' }],
    ['when its platform is closed under it', { name: 'closed', isAbrupt: true }],
    ['with transactions', { name: 'exactly-once', keys: { 'exactly.once.source.support': 'enabled' } }],
    ['with an offsets topic of a connector', { name: 'own', connector: { 'offsets.storage.topic': 'own' } }],
  ])(
    'leaves no rejection unhandled %s',
    async (_, life) => {
      const { bootstrap } = broker();
      const whole = await endBefore(Number.POSITIVE_INFINITY, bootstrap, life);
      const every = Math.ceil(whole / CLOSES);
      for (let step = 1; step < whole; step += every) {
        await endBefore(step, bootstrap, life);
        expect(unowned, `ended before step ${step} of ${whole}`).toEqual([]);
      }
    },
    180_000,
  );
});

interface Life {
  readonly name: string;
  readonly keys?: RawConfig;
  readonly connector?: RawConfig;
  /** The worker is not stopped first. */
  readonly isAbrupt?: boolean;
}

/** Lets a worker start, run and delete a connector, and ends it before that continuation of a wait. Resolves with the number of steps. */
async function endBefore(step: number, bootstrap: string, life: Life): Promise<number> {
  const { platform, runtime, peer } = await openWorker(bootstrap, life);
  const ending = new AbortController();
  const ended = Promise.withResolvers<void>();
  const end = async (): Promise<void> => {
    ending.abort();
    if (life.isAbrupt !== true) await runtime.stop({ timeoutMs: 200 });
    await platform.close({ timeoutMs: 0 });
  };
  let steps = 0;
  const hook = createHook({
    before: () => {
      steps += 1;
      if (steps === step) queueMicrotask(() => ended.resolve(end()));
    },
  });
  const work = async (): Promise<void> => {
    await runtime.start(ending.signal);
    const { herder } = runtime;
    const config = { 'connector.class': scriptedClass, topic: `ended-${life.name}`, ...life.connector };
    await herder.create('feed', config);
    for (let i = 0; i < 5; i += 1) {
      await waitFor(() => ending.signal.aborted || peer.send(`message ${i}`) > 0);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await herder.offsets('feed');
    await herder.delete('feed');
  };
  hook.enable();
  // That it fails when the worker is ended is no question here.
  await Promise.race([work().catch(() => undefined), ended.promise]);
  hook.disable();
  if (steps >= step) await ended.promise;
  await runtime.stop({ timeoutMs: 200 });
  await platform.close({ timeoutMs: 0 });
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  return steps;
}

async function openWorker(bootstrap: string, { name, keys }: Life) {
  const topics = ['config', 'offset', 'status'].flatMap((kind) => [
    [`${kind}.storage.topic`, `${name}-${process.pid}-${kind}`],
    [`${kind}.storage.replication.factor`, '1'],
  ]);
  const string = 'org.apache.kafka.connect.storage.StringConverter';
  const config = readWorkerConfig({
    'bootstrap.servers': bootstrap,
    'group.id': `${name}-${process.pid}`,
    'key.converter': string,
    'value.converter': string,
    'offset.storage.partitions': '1',
    'status.storage.partitions': '1',
    'offset.flush.interval.ms': '20',
    ...Object.fromEntries(topics),
    ...keys,
  });
  const context = { logger: silentLogger, clock: systemClock };
  const platform = await openPlatform(config, context);
  const { connector, peer } = createScriptedConnector();
  const runtime = composeRuntime(config, {
    ...context,
    platform,
    onLoggerLevel: () => undefined,
    workerId: '127.0.0.1:8083',
    scheme: 'http',
    plugins: { connectors: [connector] },
    configProviders: new Map(),
  });
  return { platform, runtime, peer };
}
