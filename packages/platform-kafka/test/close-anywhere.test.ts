import { createHook } from 'node:async_hooks';
import { silentLogger, systemClock } from '@levada/connect-runtime-core';
import type { GroupMembershipOptions, LogPlatform } from '@levada/connect-runtime-core/platform';
import { createTopic } from '@levada/kafka-testkit';
import { describeWithSharedBroker } from '@levada/kafka-testkit/vitest';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openKafkaPlatform } from '../src/kafka-platform.ts';
import { newGroup } from './group-worker.ts';
import { record } from './producing.ts';

const unowned: unknown[] = [];
const note = (reason: unknown): void => void unowned.push(reason);

beforeEach(() => {
  unowned.length = 0;
  process.on('unhandledRejection', note);
});

afterEach(() => {
  process.off('unhandledRejection', note);
});

const TOPIC = `closed-${process.pid}`;
const { signal: never } = new AbortController();

type Work = (platform: LogPlatform) => Promise<unknown>;

interface Life {
  /** Steps from one close to the next: larger for longer work. */
  readonly every: number;
  readonly work: Work;
}

function memberOptions(options: Partial<GroupMembershipOptions> = {}): GroupMembershipOptions {
  return {
    groupId: newGroup(),
    url: 'http://127.0.0.1:8083/',
    protocol: 'sessioned',
    sessionTimeoutMs: 10_000,
    heartbeatIntervalMs: 20,
    rebalanceTimeoutMs: 5_000,
    maxDelayMs: 0,
    syncTimeoutMs: 500,
    unsyncBackoffMs: 1_000,
    configured: () => ({ offset: 1, connectors: new Set(['a']), tasks: new Set(['a-0']) }),
    readConfigs: async () => undefined,
    onAssigned: async () => undefined,
    onLost: async () => undefined,
    ...options,
  };
}

const works: Readonly<Record<string, Life>> = {
  'a member joins and leaves': {
    every: 1,
    work: async (platform) => {
      const membership = platform.membership(memberOptions());
      await membership.join();
      membership.rebalance();
      await membership.leave();
    },
  },
  'a compacted log is opened, written and read': {
    every: 7,
    work: async (platform) => {
      const log = await platform.compactedLog({
        topic: { name: `${TOPIC}-log`, partitions: 1, replicationFactor: 1 },
        configKey: 'config.storage.topic',
        clientId: 'reader',
        onRecord: () => undefined,
      });
      await log.put(Buffer.from('key'), Buffer.from('value'));
      await log.readToEnd();
      await log.close();
    },
  },
  'a producer sends': {
    every: 1,
    work: async (platform) => {
      const producer = await platform.producer({ clientId: 'p' });
      await producer.send([record(TOPIC, 'x')]);
      await producer.close();
    },
  },
  'a transaction is committed and fenced': {
    every: 3,
    work: async (platform) => {
      const transactionalId = `${TOPIC}-id`;
      const producer = await platform.transactions?.producer({ clientId: 'p', transactionalId }, never);
      await producer?.send([record(TOPIC, 'x')]);
      await producer?.commit();
      await platform.transactions?.fence([transactionalId], never);
    },
  },
  'topics are created, described and read side by side': {
    every: 3,
    work: async (platform) =>
      await Promise.all([
        platform.clusterId(),
        platform.createTopics([{ name: `${TOPIC}-made` }]),
        platform.describeTopics([TOPIC]),
        platform.readRecords?.({ topic: TOPIC, after: new Map(), most: 1 }),
      ]),
  },
};

describeWithSharedBroker('a platform that is closed at any time', {}, (broker) => {
  it.each(Object.keys(works))('no rejection is unhandled while %s', async (name) => {
    await createTopic(broker(), TOPIC).catch(() => undefined); // exists after the first of these tests
    const { every, work } = works[name] as Life;
    for (let step = 1; await closeBefore(step, broker().bootstrap, work); step += every)
      expect(unowned, `closed before step ${step}`).toEqual([]);
    expect(unowned).toEqual([]);
  });

  it('no rejection is unhandled when a worker fails to stop revoked work', async () => {
    const platform = await openKafkaPlatform(contextOf(broker().bootstrap));
    const lost = Promise.withResolvers<void>();
    const onLost = async (): Promise<void> => {
      lost.resolve();
      throw new Error('cannot stop');
    };
    // Brokers refuse such a short session
    const membership = platform.membership(memberOptions({ sessionTimeoutMs: 500, onLost }));
    await expect(membership.join()).rejects.toMatchObject({ code: 'config_invalid' });
    await lost.promise;
    await platform.close({ timeoutMs: 0 });
    await afterRejections();
    expect(unowned).toEqual([]);
  });
});

function contextOf(bootstrap: string) {
  return { config: { 'bootstrap.servers': bootstrap }, logger: silentLogger, clock: systemClock };
}

/** Runs the work, and closes its platform before the given continuation of a wait. False if the work had ended by then. */
async function closeBefore(step: number, bootstrap: string, work: Work): Promise<boolean> {
  const platform = await openKafkaPlatform(contextOf(bootstrap));
  let closing: Promise<void> | undefined;
  let steps = 0;
  const hook = createHook({
    before: () => {
      steps += 1;
      if (steps !== step) return;
      queueMicrotask(() => {
        closing = platform.close({ timeoutMs: 0 });
      });
    },
  });
  hook.enable();
  await work(platform).catch(() => undefined); // that it fails when it is closed is no question here
  hook.disable();
  const isClosedEarly = closing !== undefined;
  await (closing ?? platform.close({ timeoutMs: 0 }));
  await afterRejections();
  return isClosedEarly;
}

/** Node reports a rejection once the microtasks of its turn are done. */
async function afterRejections(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
