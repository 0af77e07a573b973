import { silentLogger, systemClock } from '@levada/connect-runtime-core';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { type BrokerCluster, createTopic, readTopic, withAdmin } from '@levada/kafka-testkit';
import { describeWithCluster } from '@levada/kafka-testkit/vitest';
import { expect, it } from 'vitest';
import { problemsOf, producerAt, sendNumbers, sumOf } from '../test/producing.ts';
import { openKafkaPlatform } from './kafka-platform.ts';

const replicated = { replicas: 3, config: { 'min.insync.replicas': '2' } };
const KEYS = ['a', 'b', 'c', 'd', 'e'];

/** Leader of the first partition according to node `asked`; -1 if unknown. */
async function leaderOf(cluster: BrokerCluster, topic: string, asked: number): Promise<number> {
  const read = withAdmin(cluster.node(asked), (admin) => admin.fetchTopicMetadata({ topics: [topic] }));
  const [found] = (await read.catch(() => ({ topics: [] }))).topics;
  return found?.partitions.find(({ partitionId }) => partitionId === 0)?.leader ?? -1;
}

/** Kills the leader and waits until there is another one. Returns a running node. */
async function killLeader(cluster: BrokerCluster, topic: string): Promise<number> {
  const leader = await leaderOf(cluster, topic, 1);
  const other = (leader % 3) + 1;
  await cluster.node(leader).kill();
  const moved = async (): Promise<boolean> => {
    const now = await leaderOf(cluster, topic, other);
    return now > 0 && now !== leader;
  };
  await waitFor(moved, { timeoutMs: 30_000 });
  return other;
}

describeWithCluster('when the leader is killed under load', {}, (cluster) => {
  it('no record is lost, repeated or reordered when a leader is killed', async () => {
    await createTopic(cluster().node(1), 'moved', { partitions: 3, ...replicated });
    const producer = producerAt(cluster().bootstrap.split(',')[0] ?? '', { 'batch.size': '8000' });
    let goal = Number.POSITIVE_INFINITY;
    let last = 0;
    const load = sendNumbers(producer, 'moved', (sent) => {
      last = sent;
      return sent >= goal;
    });
    await waitFor(() => last > 5000);
    const other = await killLeader(cluster(), 'moved');
    goal = last + 5000;
    const { sent, results } = await load;
    expect(sumOf(results)).toEqual({ stored: sent, failures: [] });
    const records = await readTopic(cluster().node(other), 'moved', { count: sent, withinMs: 60_000 });
    expect(problemsOf(records, sent)).toEqual([]);
    await producer.close();
    const dead = cluster().brokers.filter((broker) => !broker.running);
    await Promise.all(dead.map((broker) => broker.restart()));
  }, 120_000);

  it('each record of a compacted log is delivered once and in order when a leader is killed', async () => {
    const config = { 'bootstrap.servers': cluster().bootstrap };
    const platform = await openKafkaPlatform({ config, logger: silentLogger, clock: systemClock });
    const seen = new Map<string, number[]>(KEYS.map((key) => [key, []]));
    const log = await platform.compactedLog({
      topic: { name: 'log', partitions: 3, replicationFactor: 3, config: replicated.config },
      configKey: 'offset.storage.topic',
      clientId: 'reader',
      onRecord: ({ key, value }) =>
        seen.get(String(Buffer.from(key ?? [])))?.push(Number(Buffer.from(value ?? []))),
    });
    const values: number[] = [];
    const write = async (): Promise<void> => {
      const value = Buffer.from(String(values.length));
      await Promise.all(KEYS.map((key) => log.put(Buffer.from(key), value)));
      values.push(values.length);
    };
    let moved = false;
    const killing = killLeader(cluster(), 'log').finally(() => {
      moved = true;
    });
    while (!moved) await write();
    await killing;
    for (let more = 0; more < 20; more++) await write();
    await log.readToEnd();
    expect([...seen.values()]).toEqual(KEYS.map(() => values));
    await waitFor(() => platform.health().status === 'ok');
    await platform.close();
  }, 120_000);
});
