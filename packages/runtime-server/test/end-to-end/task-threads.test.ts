import { waitFor } from '@levada/connect-runtime-core/testing';
import { createTopic } from '@levada/kafka-testkit';
import { describeWithSharedBroker } from '@levada/kafka-testkit/vitest';
import { expect, it } from 'vitest';
import { numberedMessages } from './numbered-feed.ts';
import type { Attributes, ObservedWorker } from './observed-worker.ts';
import { stage, webSocketConfig } from './stage.ts';
import { clusterLog, type StoredLog } from './stored-log.ts';
import { startWorkerProcess } from './worker-process.ts';

const { newFolder, newFeed } = stage();

/** What a worker says of what a connector has stored, when it is quiet. */
async function untilStored(worker: ObservedWorker, name: string, count: number): Promise<Attributes> {
  return await worker.untilAttribute(name, 'RecordsProduced', (n) => n === count);
}

async function texts(log: StoredLog, topic: string, count: number): Promise<readonly string[]> {
  return (await log.records(topic, count)).map(({ value }) => value);
}

describeWithSharedBroker('tasks in threads of their own', {}, (broker) => {
  it('run as they do in the thread of the worker, from the first record to the last', async () => {
    for (const topic of ['threaded', 'elsewhere']) await createTopic(broker(), topic);
    const log = clusterLog(broker(), 'threads-life');
    const feed = await newFeed();
    const provider = 'org.apache.kafka.common.config.provider.EnvVarConfigProvider';
    const properties = { 'config.providers': 'env', 'config.providers.env.class': provider };
    const environment = { FEED_TOKEN: 'not-to-be-shown' };
    const worker = await startWorkerProcess(
      await newFolder(),
      { ...log.properties, ...properties },
      environment,
    );
    await worker.ready();
    const config = webSocketConfig(feed, {
      'task.isolation': 'thread',
      'platform.topic': 'threaded',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a reference of Kafka Connect
      'websocket.auth.token': '${env:FEED_TOKEN}',
    });
    expect((await worker.call('PUT', '/connectors/feed/config', config)).status).toBe(201);
    await worker.untilState('feed', 'RUNNING');
    expect((await feed.connection(1)).headers['authorization']).toBe('Bearer not-to-be-shown');
    feed.send(1000);
    const quiet = await untilStored(worker, 'feed', 1000);
    expect(quiet).toMatchObject({ MessagesReceived: 1000, UnaccountedCount: 0, IsConnected: true });
    // The thread's own link is up, too.
    expect((await worker.call('GET', '/health')).json).toEqual({
      status: 'healthy',
      message: 'Worker has completed startup and is ready to handle requests.',
    });
    const series = (await worker.call('GET', '/metrics')).text;
    expect(series).toMatch(/connect_source_records_produced_total\{[^}]*\} 1000$/m);
    expect(series).toMatch(/kafka_connect_source_task_source_record_write_total\{[^}]*\} 1000$/m);
    const { json } = await worker.call('GET', '/connectors/feed/status?expand=connection');
    expect(JSON.stringify(json)).toContain('"state":"connected"');
    expect((await worker.call('GET', '/connectors/feed/topics')).json).toEqual({
      feed: { topics: ['threaded'] },
    });

    const change = { ...config, 'platform.topic': 'elsewhere' };
    expect((await worker.call('PUT', '/connectors/feed/config', change)).status).toBe(200);
    await waitFor(() => worker.logged('task_reconfigured').length === 1, { timeoutMs: 30_000 });
    feed.send(500);
    await untilStored(worker, 'feed', 1500);
    expect((await worker.call('PUT', '/connectors/feed/pause')).status).toBe(202);
    await worker.untilState('feed', 'PAUSED');
    expect(await feed.closeOf(1)).toEqual({ code: 1001, reason: 'connector stops' });
    expect((await worker.call('PUT', '/connectors/feed/resume')).status).toBe(202);
    await feed.connection(2);
    await worker.untilState('feed', 'RUNNING');
    // Still queued when the worker is asked to end: a stop drains.
    feed.send(2000);
    await worker.untilAttribute('feed', 'MessagesReceived', (n) => n === 3500);
    expect(await worker.end('SIGTERM')).toBe(0);
    expect(await texts(log, 'threaded', 1000)).toEqual(numberedMessages(1000));
    expect(await texts(log, 'elsewhere', 2500)).toEqual(numberedMessages(3500).slice(1000));
    expect(feed.connections).toHaveLength(2);
    expect(worker.logged('task_failed')).toEqual([]);
    expect(worker.output()).not.toContain('not-to-be-shown');
    expect(worker.errors()).toBe('');
  });
});
