import { waitFor } from '@levada/connect-runtime-core/testing';
import { startKafkaProxy } from '@levada/kafka-testkit';
import { describeWithSharedBroker } from '@levada/kafka-testkit/vitest';
import { afterEach, expect, it } from 'vitest';
import {
  closeAll,
  closeLater,
  describeGroup,
  newGroup,
  openWorker,
  silentMember,
  slow,
} from '../../test/group-worker.ts';
import { decodeResponse } from '../wire/kafka-calls.ts';

afterEach(closeAll);

/** Settings of a worker that detects expired sessions and lost answers sooner. */
const impatient = { sessionTimeoutMs: 6_000 };

/** Kafka's request numbers. */
const [JOIN_GROUP, HEARTBEAT, SYNC_GROUP] = [11, 12, 14] as const;
/** GROUP_AUTHORIZATION_FAILED. */
const NOT_AUTHORIZED = 30;

/** Writes an error code into an answer of a flexible version: after length, correlation id, no optional fields and a time. */
function writeError(frame: Buffer, code: number): void {
  frame.writeInt16BE(code, 13);
}

describeWithSharedBroker('a worker whose coordinator is away or refuses', {}, (broker) => {
  it('a worker with an invalid assignment stops everything and joins again', async () => {
    const groupId = newGroup();
    const proxy = await startKafkaProxy(broker());
    closeLater(() => proxy.close());
    const leader = await openWorker(broker().bootstrap, groupId);
    await leader.membership.join();
    const worker = await openWorker(proxy.bootstrap, groupId, { port: 8084 });
    await worker.membership.join();
    await waitFor(() => worker.running().size === 2, slow);
    proxy.changeResponses(SYNC_GROUP, 1, (frame, version) => {
      // A view of the frame, which begins with length and correlation id. The first field of an assignment is its version
      decodeResponse('SyncGroup', version, frame.subarray(8)).assignment.writeInt16BE(-1);
    });
    leader.configured = { ...leader.configured, connectors: new Set(['a', 'b', 'c']) };
    leader.membership.rebalance();
    const reports = () => worker.logger.withEvent('kafka_group_assignment_unreadable');
    await waitFor(() => reports().length > 0, slow);
    await waitFor(() => worker.running().size > 1 && leader.running().size > 1, slow);
    expect(worker.lost).toEqual([]);
  });

  it('the confirmation ends before the session can expire while the coordinator is away, and is renewed afterwards', async () => {
    const groupId = newGroup();
    const proxy = await startKafkaProxy(broker());
    closeLater(() => proxy.close());
    // Both limits are seconds apart, which leaves time for requests to the broker
    const times = { sessionTimeoutMs: 8_000, heartbeatIntervalMs: 3_000 };
    const worker = await openWorker(proxy.bootstrap, groupId, times);
    await worker.membership.join();
    proxy.blackhole(true);
    await waitFor(() => !worker.membership.confirmed, slow);
    expect((await describeGroup(broker(), groupId))?.members).toHaveLength(1);
    await waitFor(() => worker.logger.withEvent('kafka_group_unconfirmed').length > 0, slow);
    proxy.blackhole(false);
    await waitFor(() => worker.membership.confirmed, slow);
  });

  it('a worker stays confirmed if the answer to a heartbeat is lost', async () => {
    const groupId = newGroup();
    const proxy = await startKafkaProxy(broker());
    closeLater(() => proxy.close());
    const worker = await openWorker(proxy.bootstrap, groupId, { sessionTimeoutMs: 12_000 });
    await worker.membership.join();
    const held = Promise.withResolvers<number>();
    proxy.changeResponses(HEARTBEAT, 1, () => held.resolve(proxy.requests(HEARTBEAT)));
    proxy.delay(60_000, HEARTBEAT);
    const seen = await held.promise;
    proxy.delay(0, HEARTBEAT);
    let lapses = 0;
    await waitFor(() => {
      if (!worker.membership.confirmed) lapses += 1;
      return proxy.requests(HEARTBEAT) > seen + 1;
    }, slow);
    expect(lapses).toBe(0);
  });

  it('a join at a silently dead coordinator is given up, even the first one', async () => {
    const groupId = newGroup();
    const proxy = await startKafkaProxy(broker());
    closeLater(() => proxy.close());
    const other = await silentMember(broker(), groupId);
    const worker = await openWorker(proxy.bootstrap, groupId, impatient);
    const joining = worker.membership.join();
    await waitFor(async () => (await describeGroup(broker(), groupId))?.state === 'PreparingRebalance', slow);
    const joins = proxy.requests(JOIN_GROUP);
    const { connections } = proxy;
    proxy.blackhole(true);
    // It looks for a coordinator over new connections
    await waitFor(() => proxy.connections > connections + 1, slow);
    proxy.reset();
    proxy.blackhole(false);
    await waitFor(() => proxy.requests(JOIN_GROUP) > joins, slow);
    await other.leave();
    await joining;
    expect(worker.membership.confirmed).toBe(true);
  });

  it('a worker joins again if the answer to its join was lost', async () => {
    const groupId = newGroup();
    const proxy = await startKafkaProxy(broker());
    closeLater(() => proxy.close());
    const worker = await openWorker(proxy.bootstrap, groupId, impatient);
    await worker.membership.join();
    proxy.delay(60_000, JOIN_GROUP);
    const other = await openWorker(broker().bootstrap, groupId, { port: 8084 });
    const joining = other.membership.join();
    // The coordinator has answered all joins, and waits for the leader's assignment
    await waitFor(
      async () => (await describeGroup(broker(), groupId))?.state === 'CompletingRebalance',
      slow,
    );
    proxy.delay(0, JOIN_GROUP);
    await joining;
    await waitFor(() => worker.running().size === 2 && other.running().size === 2, slow);
    expect(worker.membership.confirmed).toBe(true);
  });

  it('a permanently refused worker stops everything, leaves and retries with growing waits', async () => {
    const groupId = newGroup();
    const proxy = await startKafkaProxy(broker());
    closeLater(() => proxy.close());
    const worker = await openWorker(proxy.bootstrap, groupId);
    await worker.membership.join();
    proxy.changeResponses(HEARTBEAT, 1_000, (frame) => writeError(frame, NOT_AUTHORIZED));
    proxy.changeResponses(JOIN_GROUP, 1_000, (frame) => writeError(frame, NOT_AUTHORIZED));
    const refusals = () => worker.logger.withEvent('kafka_group_refused');
    await waitFor(() => refusals().length >= 2, slow);
    expect(worker.lost[0]).toContain('the user has no right to read the group');
    expect(worker.running().size).toBe(0);
    expect((await describeGroup(broker(), groupId))?.members).toEqual([]);
    const [first, second] = refusals().map(({ fields }) => Number(fields['nextTryInMs']));
    expect(second).toBeGreaterThan(Number(first));
    for (const request of [HEARTBEAT, JOIN_GROUP]) proxy.changeResponses(request, 0, () => undefined);
    await waitFor(() => worker.assigned.at(-1)?.work === 'all' && worker.running().size > 0, slow);
    expect(worker.membership.confirmed).toBe(true);
  });

  it.each([
    { beside: 'without other members', others: 0 },
    { beside: 'beside another member', others: 1 },
  ])(
    'an expelled worker joins as a new member only after it has stopped its work, $beside',
    async ({ others }) => {
      const groupId = newGroup();
      const proxy = await startKafkaProxy(broker());
      closeLater(() => proxy.close());
      for (let i = 0; i < others; i += 1) {
        const other = await openWorker(broker().bootstrap, groupId, { port: 8084 });
        await other.membership.join();
      }
      const worker = await openWorker(proxy.bootstrap, groupId);
      await worker.membership.join();
      await waitFor(() => worker.running().size > 0, slow);
      const assigned = worker.assigned.length;
      worker.stopFailures = 2;
      proxy.changeResponses(HEARTBEAT, 1, (frame) => writeError(frame, NOT_AUTHORIZED));
      proxy.changeResponses(JOIN_GROUP, 1, (frame) => writeError(frame, NOT_AUTHORIZED));
      await waitFor(() => worker.lost.length > 0, slow);
      await waitFor(() => worker.assigned.length > assigned && worker.membership.confirmed, slow);
      expect(worker.lost).toHaveLength(3);
    },
  );

  it('a worker that was and is the only member keeps its work after its session expired', async () => {
    const groupId = newGroup();
    const proxy = await startKafkaProxy(broker());
    closeLater(() => proxy.close());
    const worker = await openWorker(proxy.bootstrap, groupId, impatient);
    await worker.membership.join();
    proxy.down(true);
    await waitFor(async () => (await describeGroup(broker(), groupId))?.members.length === 0, slow);
    expect(worker.membership.confirmed).toBe(false);
    proxy.down(false);
    await waitFor(() => worker.membership.confirmed, slow);
    expect(worker.lost).toEqual([]);
    expect(worker.assigned.map(({ work }) => work)).toEqual(['all', 'all']);
  });

  it('a worker stops everything after its session expired if there was another member since', async () => {
    const groupId = newGroup();
    const proxy = await startKafkaProxy(broker());
    closeLater(() => proxy.close());
    const worker = await openWorker(proxy.bootstrap, groupId, impatient);
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
});
