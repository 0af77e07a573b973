import { systemClock } from '@levada/connect-runtime-core';
import {
  type GroupAssignment,
  type GroupMembership,
  type GroupProtocol,
  groupProtocols,
} from '@levada/connect-runtime-core/platform';
import { createRecordingLogger, type RecordingLogger, waitFor } from '@levada/connect-runtime-core/testing';
import { type Broker, createTopic, startKafkaProxy, withAdmin } from '@levada/kafka-testkit';
import { describeWithBroker } from '@levada/kafka-testkit/vitest';
import { Kafka, logLevel } from 'kafkajs';
import { afterEach, expect, it } from 'vitest';
import { Cluster } from '../cluster/cluster.ts';
import { openKafkaPlatform } from '../kafka-platform.ts';
import { brokerAddress } from '../wire/link-options.ts';
import { GroupCoordinator } from './group-coordinator.ts';
import { isEmpty, noWork } from './work.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

/** A worker as its group sees it. It runs what it is assigned, and stops at once. */
interface TestWorker {
  readonly membership: GroupMembership;
  readonly assigned: GroupAssignment[];
  readonly lost: string[];
  /** The config topic, as far as this worker has read it. */
  configured: { offset: number; connectors: ReadonlySet<string>; tasks: ReadonlySet<string> };
  /** Reads of the config topic to its end. */
  reads: number;
  /** Set: reading the config topic never ends. */
  unreadable: boolean;
  /** Set: an assignment is carried out when this resolves. */
  stopping: Promise<void> | undefined;
  readonly logger: RecordingLogger;
  running(): ReadonlySet<string>;
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
  {
    port = 8083,
    sessionTimeoutMs = 2_000,
    maxDelayMs = 0,
    protocol = 'sessioned' as GroupProtocol,
    config = {} as Readonly<Record<string, string>>,
  } = {},
): Promise<TestWorker> {
  const logger = createRecordingLogger();
  const keys = { 'bootstrap.servers': bootstrap, ...config };
  const platform = await openKafkaPlatform({ config: keys, logger, clock: systemClock });
  const worker: Pick<TestWorker, 'configured' | 'reads' | 'unreadable' | 'stopping'> = {
    configured: { offset: 1, connectors: new Set(['a', 'b']), tasks: new Set(['a-0', 'b-0']) },
    reads: 0,
    unreadable: false,
    stopping: undefined,
  };
  const assigned: GroupAssignment[] = [];
  const lost: string[] = [];
  let running: GroupAssignment['work'] | undefined;
  const membership = platform.membership({
    groupId,
    url: `http://127.0.0.1:${port}/`,
    protocol,
    sessionTimeoutMs,
    heartbeatIntervalMs: 200,
    rebalanceTimeoutMs: 5_000,
    maxDelayMs,
    syncTimeoutMs: 500,
    unsyncBackoffMs: 1_000,
    configured: () => worker.configured,
    readConfigs: async () => {
      worker.reads += 1;
      if (worker.unreadable) await new Promise(() => undefined);
      worker.configured = { ...worker.configured, offset: worker.configured.offset + 1 };
    },
    onAssigned: async (assignment) => {
      assigned.push(assignment);
      await worker.stopping;
      running = assignment.work;
    },
    onLost: async (reason) => {
      lost.push(reason);
      running = undefined;
    },
  });
  const close = (): Promise<void> => platform.close({ timeoutMs: 1_000 });
  closing.push(close);
  return Object.assign(worker, {
    membership,
    assigned,
    lost,
    logger,
    close,
    running: () => {
      const { connectors, tasks } = running === 'all' ? worker.configured : (running ?? noWork);
      return connectors.union(tasks);
    },
  });
}

async function describeGroup(broker: Broker, groupId: string) {
  return await withAdmin(broker, async (admin) => {
    const { groups: found } = await admin.describeGroups([groupId]);
    return found[0];
  });
}

const slow = { timeoutMs: 20_000 };

describeWithBroker('the group of a Kafka cluster', {}, (broker) => {
  it('makes the only worker a confirmed member that leads and runs everything', async () => {
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

  it('leaves the group at once when the worker stops', async () => {
    const groupId = newGroup();
    const worker = await openWorker(broker().bootstrap, groupId);
    await worker.membership.join();
    await worker.membership.leave();
    expect(worker.membership.confirmed).toBe(false);
    expect((await describeGroup(broker(), groupId))?.members).toEqual([]);
  });

  it.each(groupProtocols)(
    'shares all work out among members that speak the %s protocol',
    async (protocol) => {
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
    },
  );

  it('gives work to another member only when the one that ran it has stopped it', async () => {
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

  it('assigns what is configured later, when the leader is asked to', async () => {
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

  it('reads the config topic to its end before it assigns, when another member has read more of it', async () => {
    const groupId = newGroup();
    const first = await openWorker(broker().bootstrap, groupId);
    await first.membership.join();
    const second = await openWorker(broker().bootstrap, groupId, { port: 8084 });
    second.configured = { ...second.configured, offset: 3 };
    await second.membership.join();
    expect(first.reads).toBe(1);
    await waitFor(() => second.running().size === 2, slow);
  });

  it('leaves and joins again later when it cannot read the config topic to its end in time', async () => {
    const groupId = newGroup();
    const first = await openWorker(broker().bootstrap, groupId);
    await first.membership.join();
    first.unreadable = true;
    const second = await openWorker(broker().bootstrap, groupId, { port: 8084 });
    second.configured = { ...second.configured, offset: 3 };
    await second.membership.join();
    await waitFor(() => second.assigned.at(-1)?.isLeader === true, slow);
    expect(first.lost).toEqual(['it could not read the config topic to its end in time']);
    expect(first.running().size).toBe(0);
    first.unreadable = false;
    await waitFor(() => first.running().size === 2 && second.running().size === 2, slow);
    expect(first.logger.withEvent('kafka_group_unsynced')).not.toEqual([]);
  });

  it('has everything stopped before it assigns anything, when a member joins that speaks only eager', async () => {
    const groupId = newGroup();
    const first = await openWorker(broker().bootstrap, groupId);
    const second = await openWorker(broker().bootstrap, groupId, { port: 8084 });
    for (const { membership } of [first, second]) await membership.join();
    await waitFor(() => first.running().size === 2 && second.running().size === 2, slow);
    const before = [first.assigned.length, second.assigned.length] as const;
    const stopped = Promise.withResolvers<void>();
    second.stopping = stopped.promise;
    const eager = await openWorker(broker().bootstrap, groupId, { port: 8085, protocol: 'eager' });
    const joining = eager.membership.join();
    await waitFor(() => second.assigned.length > before[1], slow);
    await joining;
    expect(eager.running().size).toBe(0);
    expect(first.assigned.slice(before[0]).every(({ work }) => work !== 'all' && isEmpty(work))).toBe(true);
    stopped.resolve();
    const all = [first, second, eager];
    const running = (): readonly string[] => all.flatMap((worker) => [...worker.running()]).toSorted();
    await waitFor(() => running().length > 0, slow);
    await waitFor(() => running().join() === 'a,a-0,b,b-0', slow);
  });

  it('shares out what fits into the messages of the group, and reports names that do not', async () => {
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

  it('stops everything and joins again when its assignment cannot be read', async () => {
    const groupId = newGroup();
    const proxy = await startKafkaProxy(broker());
    closing.push(() => proxy.close());
    const leader = await openWorker(broker().bootstrap, groupId);
    await leader.membership.join();
    const worker = await openWorker(proxy.bootstrap, groupId, { port: 8084 });
    await worker.membership.join();
    await waitFor(() => worker.running().size === 2, slow);
    // The first bytes of the assignment, which ends the answer, are its version.
    proxy.changeResponses(SYNC_GROUP, 1, (frame) => frame.fill(0xff, frame.length - 20));
    leader.configured = { ...leader.configured, connectors: new Set(['a', 'b', 'c']) };
    leader.membership.rebalance();
    const reports = () => worker.logger.withEvent('kafka_group_assignment_unreadable');
    await waitFor(() => reports().length > 0, slow);
    await waitFor(() => worker.running().size > 1 && leader.running().size > 1, slow);
    expect(worker.lost).toEqual([]);
  });

  it('keeps work of a departed member for the delay, and gives it to a member in its place', async () => {
    const groupId = newGroup();
    const options = { maxDelayMs: 600_000, sessionTimeoutMs: 2_000 };
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

  it('assigns work beside a member whose messages cannot be read, and reports it', async () => {
    const groupId = newGroup();
    const worker = await openWorker(broker().bootstrap, groupId);
    await worker.membership.join();
    void joinWithGarbage(broker(), groupId);
    const reports = () => worker.logger.withEvent('kafka_group_member_unreadable');
    await waitFor(() => reports().length > 0, slow);
    expect(reports()[0]?.fields['group']).toBe(groupId);
  });

  it('ends the confirmation before the session can expire while the coordinator is away, and renews it afterwards', async () => {
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
  });

  it('stays confirmed when an answer to a heartbeat is lost', async () => {
    const groupId = newGroup();
    const proxy = await startKafkaProxy(broker());
    closing.push(() => proxy.close());
    const worker = await openWorker(proxy.bootstrap, groupId, { sessionTimeoutMs: 6_000 });
    await worker.membership.join();
    const seen = proxy.requests(HEARTBEAT);
    proxy.delay(60_000, HEARTBEAT);
    await waitFor(() => proxy.requests(HEARTBEAT) > seen, slow);
    proxy.delay(0, HEARTBEAT);
    await waitFor(() => proxy.requests(HEARTBEAT) > seen + 2, slow);
    expect(worker.membership.confirmed).toBe(true);
    expect(worker.logger.withEvent('kafka_group_unconfirmed')).toEqual([]);
  });

  it('gives up a join at a coordinator that has died silently, also the first one', async () => {
    const groupId = newGroup();
    const proxy = await startKafkaProxy(broker());
    closing.push(() => proxy.close());
    const other = memberOf(broker(), groupId);
    await other.join({ configOffset: -1, allocation: undefined });
    const worker = await openWorker(proxy.bootstrap, groupId);
    const joining = worker.membership.join();
    await waitFor(async () => (await describeGroup(broker(), groupId))?.state === 'PreparingRebalance', slow);
    const joins = proxy.requests(JOIN_GROUP);
    proxy.blackhole(true);
    await waitFor(() => worker.logger.withEvent('kafka_group_unconfirmed').length > 0, slow);
    proxy.reset();
    proxy.blackhole(false);
    await waitFor(() => proxy.requests(JOIN_GROUP) > joins, slow);
    await other.leave();
    await joining;
    expect(worker.membership.confirmed).toBe(true);
  });

  it('stops everything, leaves and tries again ever more seldom when the coordinator refuses it for good', async () => {
    const groupId = newGroup();
    const proxy = await startKafkaProxy(broker());
    closing.push(() => proxy.close());
    const worker = await openWorker(proxy.bootstrap, groupId);
    await worker.membership.join();
    proxy.changeResponses(HEARTBEAT, 1_000, (frame, version) => writeError(frame, version, NOT_AUTHORIZED));
    proxy.changeResponses(JOIN_GROUP, 2, (frame, version) => writeError(frame, version, NOT_AUTHORIZED));
    const refusals = () => worker.logger.withEvent('kafka_group_refused');
    await waitFor(() => refusals().length === 2, slow);
    expect(worker.lost[0]).toContain('the user has no right to read the group');
    expect(worker.running().size).toBe(0);
    expect((await describeGroup(broker(), groupId))?.members).toEqual([]);
    const [first, second] = refusals().map(({ fields }) => Number(fields['nextTryInMs']));
    expect(second).toBeGreaterThan(Number(first));
    proxy.changeResponses(HEARTBEAT, 0, () => undefined);
    await waitFor(() => worker.assigned.at(-1)?.work === 'all' && worker.running().size > 0, slow);
    expect(worker.membership.confirmed).toBe(true);
  });

  it('keeps what it runs after its session has expired, when it had and has no other members', async () => {
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
    expect(worker.lost).toEqual([]);
    expect(worker.assigned.map(({ work }) => work)).toEqual(['all', 'all']);
  });

  it('stops everything after its session has expired, when there was another member since', async () => {
    const groupId = newGroup();
    const proxy = await startKafkaProxy(broker());
    closing.push(() => proxy.close());
    const worker = await openWorker(proxy.bootstrap, groupId);
    await worker.membership.join();
    proxy.down(true);
    await waitFor(async () => (await describeGroup(broker(), groupId))?.members.length === 0, slow);
    const other = await openWorker(broker().bootstrap, groupId, { port: 8084 });
    await other.membership.join();
    await other.membership.leave();
    proxy.down(false);
    await waitFor(() => worker.membership.confirmed, slow);
    expect(worker.lost).toEqual(['the worker group removed this worker, which was silent for too long']);
    expect(worker.assigned.at(-1)?.work).toBe('all');
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

  it('ends a join that waits for the other members when it is cancelled', async () => {
    const groupId = newGroup();
    const silent = memberOf(broker(), groupId);
    await silent.join({ configOffset: -1, allocation: undefined });
    const worker = await openWorker(broker().bootstrap, groupId);
    const ending = new AbortController();
    const joining = worker.membership.join(ending.signal);
    await waitFor(async () => (await describeGroup(broker(), groupId))?.state === 'PreparingRebalance', slow);
    ending.abort();
    await expect(joining).rejects.toMatchObject({ code: 'aborted' });
    await worker.close();
  });
});

/** Kafka's numbers of requests. */
const [JOIN_GROUP, HEARTBEAT, SYNC_GROUP] = [11, 12, 14] as const;
/** GROUP_AUTHORIZATION_FAILED. */
const NOT_AUTHORIZED = 30;

/** Writes an error code into an answer: after its length, the correlation id and, since the second version, a time. */
function writeError(frame: Buffer, version: number, code: number): void {
  const throttled = version >= (frame.length > 20 ? 2 : 1);
  frame.writeInt16BE(code, 8 + (throttled ? 4 : 0));
}

/** Another worker of the group, of which only the talk with the coordinator exists. */
function memberOf(broker: Broker, groupId: string): GroupCoordinator {
  const cluster = otherCluster(broker);
  const member = new GroupCoordinator(async () => cluster, {
    groupId,
    url: 'http://127.0.0.1:9999/',
    protocol: 'sessioned',
    sessionTimeoutMs: 10_000,
    heartbeatIntervalMs: 3_000,
    rebalanceTimeoutMs: 10_000,
  });
  closing.push(() => member.close());
  return member;
}

function otherCluster(broker: Broker): Cluster {
  const at = brokerAddress(broker.bootstrap);
  const bootstrap = at === undefined ? [] : [at];
  return new Cluster({ bootstrap, link: { clientId: 'other', clock: systemClock } });
}

/** Makes something a member of the group that sends bytes which are not Connect's. */
async function joinWithGarbage(broker: Broker, groupId: string): Promise<void> {
  const cluster = otherCluster(broker);
  closing.push(async () => cluster.close());
  const { coordinator } = await cluster.ask('GroupCoordinator', { groupId });
  await cluster.metadata(['__consumer_offsets']);
  const link = await cluster.link(coordinator.nodeId, 'join');
  const request = {
    groupId,
    sessionTimeout: 10_000,
    rebalanceTimeout: 10_000,
    protocolType: 'connect',
    groupProtocols: [{ name: 'sessioned', metadata: Buffer.from('garbage') }],
  };
  const { memberId } = await link.call('JoinGroup', { ...request, memberId: '' });
  await link.call('JoinGroup', { ...request, memberId });
}

/** Resolves when an ordinary consumer is a member of the group. */
async function consumeAs(broker: Broker, groupId: string): Promise<void> {
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
