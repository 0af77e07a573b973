import { groupProtocols } from '@levada/connect-runtime-core/platform';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { createTopic, type ReachableBroker } from '@levada/kafka-testkit';
import { describeWithSharedBroker } from '@levada/kafka-testkit/vitest';
import { Kafka, logLevel } from 'kafkajs';
import { afterEach, expect, it } from 'vitest';
import {
  closeAll,
  closeLater,
  describeGroup,
  newGroup,
  openWorker,
  otherCluster,
  silentMember,
  slow,
} from '../../test/group-worker.ts';
import { noWork } from './work.ts';

afterEach(closeAll);

describeWithSharedBroker('the group of a Kafka cluster', {}, (broker) => {
  it('the only worker is a confirmed member that leads and runs everything', async () => {
    const groupId = newGroup();
    const worker = await openWorker(broker().bootstrap, groupId);
    await worker.membership.join();
    expect(worker.assigned).toEqual([
      {
        generation: 1,
        isLeader: true,
        leaderUrl: 'http://127.0.0.1:8083/',
        signed: true,
        work: 'all',
        members: [],
      },
    ]);
    expect(worker.membership.confirmed).toBe(true);
    expect(await describeGroup(broker(), groupId)).toMatchObject({
      protocolType: 'connect',
      protocol: 'sessioned',
      state: 'Stable',
      members: [{}],
    });
  });

  it('requests to the coordinator and the start of a rebalance are observed', async () => {
    const worker = await openWorker(broker().bootstrap, newGroup());
    await worker.membership.join();
    await waitFor(() => worker.observed.filter(({ kind }) => kind === 'heartbeat').length >= 2, slow);
    const ms = expect.any(Number);
    expect(worker.observed.filter(({ kind }) => kind !== 'rebalance-started').slice(0, 4)).toEqual([
      { kind: 'join', ms, protocol: 'sessioned' },
      { kind: 'sync', ms },
      { kind: 'heartbeat', ms },
      { kind: 'heartbeat', ms },
    ]);
    expect(worker.observed[0]).toEqual({ kind: 'rebalance-started' });
  });

  it('a stopping worker leaves the group at once', async () => {
    const groupId = newGroup();
    const worker = await openWorker(broker().bootstrap, groupId);
    await worker.membership.join();
    await worker.membership.leave();
    expect(worker.membership.confirmed).toBe(false);
    expect((await describeGroup(broker(), groupId))?.members).toEqual([]);
  });

  it.each(groupProtocols)('all work is shared among members with the %s protocol', async (protocol) => {
    const groupId = newGroup();
    const first = await openWorker(broker().bootstrap, groupId, { protocol });
    await first.membership.join();
    const second = await openWorker(broker().bootstrap, groupId, { port: 8084, protocol });
    await second.membership.join();
    await waitFor(() => second.running().size === 2 && first.running().size === 2, slow);
    expect(first.running().union(second.running())).toEqual(new Set(['a', 'b', 'a-0', 'b-0']));
    expect(second.assigned.at(-1)).toMatchObject({ isLeader: false, leaderUrl: 'http://127.0.0.1:8083/' });
    expect(first.assigned.at(-1)?.members).toMatchObject([{ url: 'http://127.0.0.1:8084/' }]);
    await second.membership.leave();
    await waitFor(() => first.assigned.at(-1)?.work === 'all', slow);
  });

  it('work moves to another member only after it has stopped', async () => {
    const groupId = newGroup();
    const first = await openWorker(broker().bootstrap, groupId);
    await first.membership.join();
    const stopped = Promise.withResolvers<void>();
    const second = await openWorker(broker().bootstrap, groupId, { port: 8084 });
    first.stopping = stopped.promise;
    const joining = second.membership.join();
    await waitFor(() => first.assigned.length === 2, slow);
    stopped.resolve();
    await joining;
    await waitFor(() => second.running().size === 2, slow);
    const both = first.running().intersection(second.running());
    expect(both).toEqual(new Set());
    expect(first.membership.confirmed).toBe(true);
  });

  it('later connectors are assigned when the leader is asked', async () => {
    const groupId = newGroup();
    const workers = [
      await openWorker(broker().bootstrap, groupId),
      await openWorker(broker().bootstrap, groupId, { port: 8084 }),
    ];
    for (const { membership } of workers) await membership.join();
    const connectors = new Set(['a', 'b', 'c', 'd']);
    for (const worker of workers) {
      worker.configured = { offset: 9, connectors, tasks: new Set() };
      worker.membership.rebalance();
    }
    const generations = (): ReadonlySet<number | undefined> =>
      new Set(workers.map(({ assigned }) => assigned.at(-1)?.generation));
    await waitFor(
      () => workers.every((worker) => worker.running().size === 2) && generations().size === 1,
      slow,
    );
    const [first, second] = workers.map((worker) => worker.running());
    expect(first?.union(second ?? new Set())).toEqual(connectors);
  });

  it('a member joins a rebalance when it reads a change, without waiting for a heartbeat', async () => {
    const groupId = newGroup();
    // The next heartbeat is due long after the wait below
    const rare = { heartbeatIntervalMs: 50_000, sessionTimeoutMs: 150_000, rebalanceTimeoutMs: 300_000 };
    const leader = await openWorker(broker().bootstrap, groupId);
    const follower = await openWorker(broker().bootstrap, groupId, { port: 8084, ...rare });
    await leader.membership.join();
    await follower.membership.join();
    await waitFor(() => leader.running().size === 2 && follower.running().size === 2, slow);
    const connectors = new Set(['a', 'b', 'c', 'd']);
    for (const worker of [follower, leader]) {
      worker.configured = { offset: 9, connectors, tasks: new Set() };
      worker.membership.rebalance();
    }
    await waitFor(() => follower.running().isSubsetOf(connectors) && follower.running().size === 2, slow);
    expect(follower.assigned.at(-1)).toMatchObject({ isLeader: false });
  });

  it('a leader reads the config topic to its end before it assigns if another member has read more', async () => {
    const groupId = newGroup();
    const first = await openWorker(broker().bootstrap, groupId);
    await first.membership.join();
    const second = await openWorker(broker().bootstrap, groupId, { port: 8084 });
    second.configured = { ...second.configured, offset: 2 };
    await second.membership.join();
    await waitFor(() => second.running().size === 2, slow);
    expect(first.reads).toBe(1);
    expect(second.reads).toBe(0);
  });

  it('a worker that cannot read the config topic in time leaves and joins again later', async () => {
    const groupId = newGroup();
    const first = await openWorker(broker().bootstrap, groupId);
    await first.membership.join();
    first.unreadable = true;
    const second = await openWorker(broker().bootstrap, groupId, { port: 8084 });
    second.configured = { ...second.configured, offset: 3 };
    await second.membership.join();
    await waitFor(() => second.assigned.at(-1)?.isLeader === true, slow);
    // It reports again if it is back before the other one leads
    expect(new Set(first.lost)).toEqual(new Set(['it could not read the config topic to its end in time']));
    expect(first.running().size).toBe(0);
    first.unreadable = false;
    await waitFor(() => first.running().size === 2 && second.running().size === 2, slow);
    expect(first.logger.withEvent('kafka_group_unsynced')).not.toEqual([]);
  });

  it('all work stops before any is assigned when an eager member joins', async () => {
    const groupId = newGroup();
    const first = await openWorker(broker().bootstrap, groupId);
    const second = await openWorker(broker().bootstrap, groupId, { port: 8084 });
    const eager = await openWorker(broker().bootstrap, groupId, { port: 8085, protocol: 'eager' });
    const all = [first, second, eager];
    for (const worker of all) {
      const connectors = new Set(['a', 'b', 'c']);
      worker.configured = { offset: 1, connectors, tasks: new Set(['a-0', 'b-0', 'c-0']) };
    }
    const running = (): string =>
      all
        .flatMap((worker) => [...worker.running()])
        .toSorted()
        .join();
    const everything = 'a,a-0,b,b-0,c,c-0';
    for (const { membership } of [first, second]) await membership.join();
    await waitFor(() => running() === everything && second.running().size > 0, slow);
    const stopped = Promise.withResolvers<void>();
    closeLater(async () => stopped.resolve());
    second.stopping = stopped.promise;
    const joining = eager.membership.join();
    // Requests are signed in the previous protocol
    await waitFor(() => second.assigned.at(-1)?.signed === false, slow);
    await joining;
    // Each of the three would have its share by now
    expect(eager.assigned.map(({ work }) => work)).toEqual([noWork]);
    stopped.resolve();
    await waitFor(() => running() === everything && eager.running().size === 2, slow);
  });

  it('work that fits into the group’s messages is shared, and longer names are reported', async () => {
    const groupId = newGroup();
    const name = 'n'.repeat(40_000);
    const worker = await openWorker(broker().bootstrap, groupId);
    worker.configured = {
      offset: 1,
      connectors: new Set(['a', 'b', name]),
      tasks: new Set(['a-0', 'b-0', `${name}-0`]),
    };
    await worker.membership.join();
    const other = await openWorker(broker().bootstrap, groupId, { port: 8084 });
    await other.membership.join();
    await waitFor(() => other.running().size === 2 && worker.running().size === 2, slow);
    expect(worker.logger.withEvent('kafka_group_name_too_long')[0]?.fields).toMatchObject({ bytes: 40_000 });
  });

  it('work of a departed member waits for the delay, and a replacement gets it', async () => {
    const groupId = newGroup();
    const options = { maxDelayMs: 600_000 };
    const first = await openWorker(broker().bootstrap, groupId, options);
    await first.membership.join();
    const second = await openWorker(broker().bootstrap, groupId, { ...options, port: 8084 });
    await second.membership.join();
    await waitFor(() => second.running().size === 2, slow);
    const ran = second.running();
    const { generation = 0 } = first.assigned.at(-1) ?? {};
    await second.membership.leave();
    await waitFor(() => (first.assigned.at(-1)?.generation ?? 0) > generation, slow);
    expect(first.running().intersection(ran)).toEqual(new Set());
    const third = await openWorker(broker().bootstrap, groupId, { ...options, port: 8085 });
    await third.membership.join();
    await waitFor(() => third.running().size === 2, slow);
    expect(third.running()).toEqual(ran);
  });

  it('a member with invalid metadata is reported and does not stop the assignment of others', async () => {
    const groupId = newGroup();
    const worker = await openWorker(broker().bootstrap, groupId);
    await worker.membership.join();
    await joinWithGarbage(broker(), groupId);
    const reports = () => worker.logger.withEvent('kafka_group_member_unreadable');
    await waitFor(() => reports().length > 0, slow);
    expect(reports()[0]?.fields['group']).toBe(groupId);
  });

  it('the join is rejected if the group belongs to ordinary consumers', async () => {
    const groupId = newGroup();
    await consumeAs(broker(), groupId);
    const worker = await openWorker(broker().bootstrap, groupId);
    await expect(worker.membership.join()).rejects.toMatchObject({
      code: 'config_invalid',
      message: `the group "${groupId}" is used by clients that are not Connect workers: choose another group.id`,
    });
  });

  it('the join is rejected if the broker does not allow the session timeout', async () => {
    const worker = await openWorker(broker().bootstrap, newGroup(), { sessionTimeoutMs: 500 });
    await expect(worker.membership.join()).rejects.toMatchObject({
      code: 'config_invalid',
      message: expect.stringContaining('group.min.session.timeout.ms'),
    });
  });

  it('a cancelled join that waits for other members ends', async () => {
    const groupId = newGroup();
    await silentMember(broker(), groupId);
    const worker = await openWorker(broker().bootstrap, groupId);
    const ending = new AbortController();
    const joining = worker.membership.join(ending.signal);
    await waitFor(async () => (await describeGroup(broker(), groupId))?.state === 'PreparingRebalance', slow);
    ending.abort();
    await expect(joining).rejects.toMatchObject({ code: 'aborted' });
    await worker.close();
  });
});

describeWithSharedBroker('the group of a Kafka 4 cluster', { version: '4.3.1' }, (broker) => {
  it('all work is shared among members, and so is the work of a member that leaves', async () => {
    const groupId = newGroup();
    const first = await openWorker(broker().bootstrap, groupId);
    await first.membership.join();
    const second = await openWorker(broker().bootstrap, groupId, { port: 8084 });
    await second.membership.join();
    await waitFor(() => second.running().size === 2 && first.running().size === 2, slow);
    expect(first.running().union(second.running())).toEqual(new Set(['a', 'b', 'a-0', 'b-0']));
    await second.membership.leave();
    await waitFor(() => first.assigned.at(-1)?.work === 'all', slow);
  });
});

/** Adds a member that sends invalid metadata. */
async function joinWithGarbage(broker: ReachableBroker, groupId: string): Promise<void> {
  const cluster = otherCluster(broker);
  closeLater(async () => cluster.close());
  const { nodeId } = await cluster.ask('FindCoordinator', { key: groupId });
  await cluster.metadata([]);
  const link = await cluster.link(nodeId, 'join');
  const request = {
    groupId,
    sessionTimeoutMs: 10_000,
    rebalanceTimeoutMs: 10_000,
    protocolType: 'connect',
    protocols: [{ name: 'sessioned', metadata: Buffer.from('garbage') }],
  };
  const { memberId } = await link.call('JoinGroup', { ...request, memberId: '' });
  // Answered when the others have joined too, unless the test ends before
  link.call('JoinGroup', { ...request, memberId }).catch(() => undefined);
}

/** Resolves when an ordinary consumer is a member of the group. */
async function consumeAs(broker: ReachableBroker, groupId: string): Promise<void> {
  const topic = `of-${groupId}`;
  await createTopic(broker, topic);
  const kafka = new Kafka({ clientId: 'c', brokers: [broker.bootstrap], logLevel: logLevel.NOTHING });
  const consumer = kafka.consumer({ groupId });
  closeLater(() => consumer.disconnect());
  await consumer.connect();
  await consumer.subscribe({ topic });
  const joined = Promise.withResolvers<void>();
  consumer.on(consumer.events.GROUP_JOIN, () => joined.resolve());
  await consumer.run({ eachMessage: async () => undefined });
  await joined.promise;
}
