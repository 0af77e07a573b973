import { waitFor } from '@levada/connect-runtime-core/testing';
import { createTopic, withAdmin } from '@levada/kafka-testkit';
import { describeWithBroker } from '@levada/kafka-testkit/vitest';
import { expect, it } from 'vitest';
import { stage, webSocketConfig } from './stage.ts';
import { onCluster, startWorkerProcess } from './worker-process.ts';

const { newFolder, newFeed } = stage();

const slow = { timeoutMs: 30_000 };

describeWithBroker('a worker whose config topic is deleted', {}, (broker) => {
  it('is unhealthy, keeps its tasks, refuses changes, and is healthy again once somebody made the topic', async () => {
    const feed = await newFeed();
    await createTopic(broker(), 'prices');
    const worker = await startWorkerProcess(await newFolder(), onCluster(broker().bootstrap, 'bereft'));
    await worker.ready();
    const config = webSocketConfig(feed, { 'platform.topic': 'prices' });
    await worker.call('PUT', '/connectors/feed/config', config);
    await feed.connection(1);
    feed.send(10);
    await worker.untilAttribute('feed', 'RecordsProduced', (n) => n === 10);

    await withAdmin(broker(), (admin) => admin.deleteTopics({ topics: ['bereft-configs'] }));
    const health = await waitFor(async () => {
      const answer = await worker.call('GET', '/health');
      return answer.status === 500 ? answer : undefined;
    }, slow);
    expect(health.json).toMatchObject({
      status: 'unhealthy',
      message: expect.stringMatching(/The log is away since .*"bereft-configs"/),
    });
    expect((await worker.call('GET', '/health/ready')).status).toBe(500);
    expect((await worker.call('GET', '/health/live')).status).toBe(200);
    expect((await worker.call('GET', '/metrics')).text).toContain(
      'connect_worker_log_state{state="away",partial="false"} 1\n',
    );
    const refused = await worker.call('PUT', '/connectors/feed/config', {
      ...config,
      'websocket.message.queue.size': '5',
    });
    expect(refused).toMatchObject({ status: 500, json: { error_code: 500 } });
    feed.send(10);
    await worker.untilAttribute('feed', 'RecordsProduced', (n) => n === 20);
    expect((await worker.call('GET', '/connectors/feed/status')).json).toMatchObject({
      tasks: [{ state: 'RUNNING' }],
    });
    const topics = await withAdmin(broker(), (admin) => admin.listTopics());
    expect(topics).not.toContain('bereft-configs');

    await createTopic(broker(), 'bereft-configs', { config: { 'cleanup.policy': 'compact' } });
    await waitFor(async () => (await worker.call('GET', '/health')).status === 200, slow);
    expect((await worker.call('PUT', '/connectors/feed/config', config)).status).toBe(200);
    expect(await worker.end('SIGTERM')).toBe(0);
    const next = await startWorkerProcess(await newFolder(), onCluster(broker().bootstrap, 'bereft'));
    await next.ready();
    await next.untilState('feed', 'RUNNING');
    await feed.connection(2);
    feed.send(10);
    await next.untilAttribute('feed', 'RecordsProduced', (n) => n === 10);
    expect(await next.end('SIGTERM')).toBe(0);
  });
});
