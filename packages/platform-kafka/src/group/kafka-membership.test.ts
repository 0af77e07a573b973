import { systemClock } from '@levada/connect-runtime-core';
import type { GroupAssignment, GroupMembership } from '@levada/connect-runtime-core/platform';
import { createRecordingLogger, type RecordingLogger, waitFor } from '@levada/connect-runtime-core/testing';
import { createTopic, type ReachableBroker, startKafkaProxy, withAdmin } from '@levada/kafka-testkit';
import { describeWithSharedBroker } from '@levada/kafka-testkit/vitest';
import { Kafka, logLevel } from 'kafkajs';
import { afterEach, expect, it } from 'vitest';
import { Cluster } from '../cluster/cluster.ts';
import { openKafkaPlatform } from '../kafka-platform.ts';
import { brokerAddress } from '../wire/link-options.ts';
import { GroupCoordinator, type Joined } from './group-coordinator.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

/** A worker as its group sees it, with what it was assigned and why it was excluded. */
interface TestWorker {
  readonly membership: GroupMembership;
  readonly assigned: GroupAssignment[];
  readonly excluded: string[];
  /** Set: an exclusion is carried out when this resolves. */
  stopping: Promise<void> | undefined;
  readonly logger: RecordingLogger;
  close(): Promise<void>;
}

let groups = 0;
function newGroup(): string {
  groups += 1;
  return `group-${groups}`;
}

async function openWorker(
  bootstrap: string,
  groupId: string,
  { port = 8083, sessionTimeoutMs = 2_000 } = {},
): Promise<TestWorker> {
  const logger = createRecordingLogger();
  const config = { 'bootstrap.servers': bootstrap };
  const platform = await openKafkaPlatform({ config, logger, clock: systemClock });
  const worker: { stopping: Promise<void> | undefined } = { stopping: undefined };
  const assigned: GroupAssignment[] = [];
  const excluded: string[] = [];
  const membership = platform.membership({
    groupId,
    url: `http://127.0.0.1:${port}/`,
    sessionTimeoutMs,
    heartbeatIntervalMs: 200,
    rebalanceTimeoutMs: 5_000,
    onAssigned: (assignment) => assigned.push(assignment),
    onExcluded: async (reason) => {
      excluded.push(reason);
      await worker.stopping;
    },
  });
  const close = (): Promise<void> => platform.close({ timeoutMs: 1_000 });
  closing.push(close);
  return Object.assign(worker, { membership, assigned, excluded, logger, close });
}

async function describeGroup(broker: ReachableBroker, groupId: string) {
  return await withAdmin(broker, async (admin) => {
    const { groups: found } = await admin.describeGroups([groupId]);
    return found[0];
  });
}

const slow = { timeoutMs: 20_000 };

describeWithSharedBroker('the group of a Kafka cluster', {}, (broker) => {
  it('makes the only worker a confirmed member that leads and runs everything', async () => {
    const groupId = newGroup();
    const worker = await openWorker(broker().bootstrap, groupId);
    await worker.membership.join();
    expect(worker.assigned).toMatchObject([
      { isLeader: true, leaderUrl: 'http://127.0.0.1:8083/', connectors: 'all', tasks: 'all' },
    ]);
    expect(worker.membership.confirmed).toBe(true);
    expect(await describeGroup(broker(), groupId)).toMatchObject({
      protocolType: 'connect',
      protocol: 'sessioned',
      state: 'Stable',
      members: [{}],
    });
  });

  it('leaves the group at once when the worker stops', async () => {
    const groupId = newGroup();
    const worker = await openWorker(broker().bootstrap, groupId);
    await worker.membership.join();
    await worker.membership.leave();
    expect(worker.membership.confirmed).toBe(false);
    expect((await describeGroup(broker(), groupId))?.members).toEqual([]);
  });

  it('refuses to run a second worker, names the first, and lets it run when the first has left', async () => {
    const groupId = newGroup();
    const first = await openWorker(broker().bootstrap, groupId);
    await first.membership.join();
    const second = await openWorker(broker().bootstrap, groupId, { port: 8084 });
    const joining = second.membership.join();
    await waitFor(() => second.excluded.length > 0);
    expect(second.excluded[0]).toContain(`"${groupId}" has other members (http://127.0.0.1:8083/)`);
    expect(second.membership.confirmed).toBe(false);
    expect(first.membership.confirmed).toBe(true);
    expect(first.excluded).toEqual([]);
    await first.membership.leave();
    await joining;
    expect(second.membership.confirmed).toBe(true);
    expect(second.assigned).toHaveLength(1);
  });

  it('never confirms two workers at once when they start at the same moment', async () => {
    const groupId = newGroup();
    const workers = await Promise.all(
      [8083, 8084, 8085].map((port) => openWorker(broker().bootstrap, groupId, { port })),
    );
    let most = 0;
    const watch = setInterval(() => {
      most = Math.max(most, workers.filter(({ membership }) => membership.confirmed).length);
    }, 1);
    for (const { membership } of workers) void membership.join().catch(() => undefined);
    await waitFor(() => workers.some(({ assigned }) => assigned.length > 0), slow);
    await waitFor(() => workers.filter(({ excluded }) => excluded.length > 0).length >= 2, slow);
    clearInterval(watch);
    expect(most).toBe(1);
  });

  it('stays confirmed until everything has stopped when a foreign worker joins, then leaves the group to it', async () => {
    const groupId = newGroup();
    const worker = await openWorker(broker().bootstrap, groupId);
    await worker.membership.join();
    const stopped = Promise.withResolvers<void>();
    worker.stopping = stopped.promise;
    const other = await memberOf(broker(), groupId);
    expect(await other.join()).toMatchObject({ leads: false });
    await waitFor(() => worker.excluded.length > 0, slow);
    expect(worker.membership.confirmed).toBe(true);
    stopped.resolve();
    await waitFor(() => !worker.membership.confirmed, slow);
    const alone = await other.join();
    expect(alone).toMatchObject({ leads: true, others: [] });
    expect(await other.takeAll(alone as Joined)).toBe('member');
  });

  it('is unconfirmed before the session can expire when the coordinator is away, and confirmed again afterwards', async () => {
    const groupId = newGroup();
    const proxy = await startKafkaProxy(broker());
    closing.push(() => proxy.close());
    const worker = await openWorker(proxy.bootstrap, groupId);
    await worker.membership.join();
    proxy.blackhole(true);
    await waitFor(() => !worker.membership.confirmed, slow);
    expect((await describeGroup(broker(), groupId))?.members).toHaveLength(1);
    await waitFor(() => worker.logger.withEvent('kafka_group_unconfirmed').length > 0, slow);
    proxy.blackhole(false);
    await waitFor(() => worker.membership.confirmed, slow);
    expect(worker.excluded).toEqual([]);
  });

  it('joins again as the only member after its session has expired', async () => {
    const groupId = newGroup();
    const proxy = await startKafkaProxy(broker());
    closing.push(() => proxy.close());
    const worker = await openWorker(proxy.bootstrap, groupId);
    await worker.membership.join();
    proxy.down(true);
    await waitFor(async () => (await describeGroup(broker(), groupId))?.members.length === 0, slow);
    expect(worker.membership.confirmed).toBe(false);
    proxy.down(false);
    await waitFor(() => worker.membership.confirmed, slow);
    expect(worker.assigned).toHaveLength(2);
    expect(worker.excluded).toEqual([]);
  });

  it('tells a member that joins again after its session has expired that it was expelled, without joining', async () => {
    const groupId = newGroup();
    const member = await memberOf(broker(), groupId, { sessionTimeoutMs: 1_000 });
    const joined = await member.join();
    expect(await member.takeAll(joined as Joined)).toBe('member');
    await waitFor(async () => (await describeGroup(broker(), groupId))?.members.length === 0, slow);
    expect(await member.join()).toBe('expelled');
    expect(await member.members()).toEqual([]);
    expect(member.isMember).toBe(false);
  });

  it('rejects the join when the group belongs to ordinary consumers', async () => {
    const groupId = newGroup();
    await consumeAs(broker(), groupId);
    const worker = await openWorker(broker().bootstrap, groupId);
    await expect(worker.membership.join()).rejects.toMatchObject({
      code: 'config_invalid',
      message: `the group "${groupId}" is used by clients that are not Connect workers: choose another group.id`,
    });
  });

  it('rejects the join when the broker does not allow the session time-out', async () => {
    const worker = await openWorker(broker().bootstrap, newGroup(), { sessionTimeoutMs: 500 });
    await expect(worker.membership.join()).rejects.toMatchObject({
      code: 'config_invalid',
      message: expect.stringContaining('group.min.session.timeout.ms'),
    });
  });

  it('ends a join that waits for the other members when the platform is closed', async () => {
    const groupId = newGroup();
    const first = await openWorker(broker().bootstrap, groupId);
    await first.membership.join();
    const second = await openWorker(broker().bootstrap, groupId);
    const ending = new AbortController();
    const joining = second.membership.join(ending.signal);
    await waitFor(() => second.excluded.length > 0);
    ending.abort();
    await expect(joining).rejects.toMatchObject({ code: 'aborted' });
    await second.close();
  });
});

/** Another worker of the group, of which only the talk with the coordinator exists. */
async function memberOf(
  broker: ReachableBroker,
  groupId: string,
  { sessionTimeoutMs = 10_000 } = {},
): Promise<GroupCoordinator> {
  const at = brokerAddress(broker.bootstrap);
  const bootstrap = at === undefined ? [] : [at];
  const cluster = new Cluster({ bootstrap, link: { clientId: 'other', clock: systemClock } });
  const member = new GroupCoordinator(async () => cluster, {
    groupId,
    url: 'http://127.0.0.1:9999/',
    sessionTimeoutMs,
    rebalanceTimeoutMs: 10_000,
  });
  closing.push(() => member.close());
  return member;
}

/** Resolves when an ordinary consumer is a member of the group. */
async function consumeAs(broker: ReachableBroker, groupId: string): Promise<void> {
  const topic = `of-${groupId}`;
  await createTopic(broker, topic);
  const kafka = new Kafka({ clientId: 'c', brokers: [broker.bootstrap], logLevel: logLevel.NOTHING });
  const consumer = kafka.consumer({ groupId });
  closing.push(() => consumer.disconnect());
  await consumer.connect();
  await consumer.subscribe({ topic });
  const joined = Promise.withResolvers<void>();
  consumer.on(consumer.events.GROUP_JOIN, () => joined.resolve());
  await consumer.run({ eachMessage: async () => undefined });
  await joined.promise;
}
