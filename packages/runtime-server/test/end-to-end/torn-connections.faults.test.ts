import { waitFor } from '@levada/connect-runtime-core/testing';
import { createTopic, readTopic, startKafkaProxy } from '@levada/kafka-testkit';
import { describeWithSharedBroker } from '@levada/kafka-testkit/vitest';
import { expect, it } from 'vitest';
import { numberedMessages } from './numbered-feed.ts';
import { stage, webSocketConfig } from './stage.ts';
import { onCluster, startWorkerProcess } from './worker-process.ts';

const { newFolder, newFeed } = stage();

const PRODUCE = 0;
const PER_SECOND = 3000;
const UNSURE = 6;

describeWithSharedBroker('a worker with a bad network to its broker', {}, (broker) => {
  it('stores each message once and in order when acknowledgements get lost and connections are torn', async () => {
    await createTopic(broker(), 'torn');
    const proxy = await startKafkaProxy(broker());
    const feed = await newFeed();
    const worker = await startWorkerProcess(await newFolder(), onCluster(proxy.bootstrap, 'torn-worker'));
    await worker.ready();
    const config = { 'platform.topic': 'torn', 'websocket.message.queue.size': '100000' };
    await worker.call('PUT', '/connectors/feed/config', webSocketConfig(feed, config));
    await feed.connection(1);
    const stop = feed.sendSteadily(PER_SECOND);
    for (let unsure = 1; unsure <= UNSURE; unsure += 1) {
      proxy.dropResponses(PRODUCE, 1);
      await waitFor(() => proxy.dropped === unsure, { timeoutMs: 20_000 });
    }
    const made = proxy.connections;
    proxy.resetEvery(20);
    const torn = feed.sent;
    await waitFor(() => proxy.connections > made + 10 && feed.sent > torn + PER_SECOND, {
      timeoutMs: 20_000,
    });
    proxy.resetEvery(0);
    stop();
    const total = feed.sent;
    const quiet = await worker.untilAttribute('feed', 'RecordsProduced', (n) => n === total);
    expect(quiet).toMatchObject({ MessagesReceived: total, MessagesDropped: 0, UnaccountedCount: 0 });
    const records = await readTopic(broker(), 'torn', { count: total, lingerMs: 200 });
    expect(records.map(({ value }) => value?.toString())).toEqual(numberedMessages(total));
    await worker.untilState('feed', 'RUNNING');
    expect(worker.logged('task_failed')).toEqual([]);
    expect(await worker.end('SIGTERM')).toBe(0);
    await proxy.close();
  });
});
