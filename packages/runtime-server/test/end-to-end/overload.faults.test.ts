import { waitFor } from '@levada/connect-runtime-core/testing';
import { createTopic, readTopic } from '@levada/kafka-testkit';
import { describeWithBroker } from '@levada/kafka-testkit/vitest';
import { expect, it, onTestFinished } from 'vitest';
import type { Attributes, ObservedWorker } from './observed-worker.ts';
import { stage, webSocketConfig } from './stage.ts';
import { onCluster, startWorkerProcess } from './worker-process.ts';

const { newFolder, newFeed } = stage();

const MiB = 1024 * 1024;

/** Waits until everything sent has arrived; then the books must balance. */
async function balanced(worker: ObservedWorker, received: number): Promise<Attributes> {
  const attributes = await worker.untilAttribute('feed', 'MessagesReceived', (n) => n === received);
  const { RecordsProduced = 0, MessagesDropped = 0, QueueSize = 0, InFlightCount = 0 } = attributes;
  expect(RecordsProduced + MessagesDropped + QueueSize + InFlightCount).toBe(received);
  expect(attributes['UnaccountedCount']).toBe(0);
  return attributes;
}

describeWithBroker('a worker that gets more than its broker takes', {}, (broker) => {
  it('drops the newest messages and counts each, and stores the others once and in order when the broker resumes', async () => {
    const feed = await newFeed();
    await createTopic(broker(), 'overload');
    const worker = await startWorkerProcess(await newFolder(), {
      ...onCluster(broker().bootstrap, 'overload-worker'),
      // Shorter than the pause, so that requests with an unknown outcome are sent again.
      'producer.request.timeout.ms': '1000',
      'producer.linger.ms': '0',
    });
    await worker.ready();
    const config = webSocketConfig(feed, {
      'platform.topic': 'overload',
      'websocket.message.queue.size': '5000',
      'websocket.queue.full.grace.ms': '0',
    });
    await worker.call('PUT', '/connectors/feed/config', config);
    await feed.connection(1);
    feed.send(100);
    await worker.untilAttribute('feed', 'RecordsProduced', (n) => n === 100);
    expect(await balanced(worker, 100)).toMatchObject({ RecordsProduced: 100 });

    broker().pause();
    onTestFinished(() => broker().unpause());
    // In parts, so that the queue is full only when the producer takes nothing more.
    for (let sent = 1_100; sent <= 40_100; sent += 1_000) {
      feed.send(1_000);
      await worker.untilAttribute('feed', 'MessagesReceived', (n) => n === sent);
    }
    const full = await balanced(worker, 40_100);
    expect(full).toMatchObject({ QueueSize: 5000, IsConnected: true });
    expect(full['MessagesDropped']).toBe(full['DroppedQueueFull']);
    expect(full['MessagesDropped']).toBeGreaterThan(10_000);
    await waitFor(() => worker.logged('kafka_unavailable').length > 0, { timeoutMs: 20_000 });
    feed.send(1000);
    await balanced(worker, 41_100);
    broker().unpause();
    await worker.untilAttribute('feed', 'LagCount', (n) => n === (full['MessagesDropped'] as number) + 1000);
    const after = await balanced(worker, 41_100);
    expect(after).toMatchObject({ QueueSize: 0, InFlightCount: 0 });
    feed.send(100);
    const count = (after['RecordsProduced'] as number) + 100;
    await worker.untilAttribute('feed', 'RecordsProduced', (n) => n === count);
    expect(await worker.end('SIGTERM')).toBe(0);

    const records = await readTopic(broker(), 'overload', { count, lingerMs: 200 });
    const numbers = records.map(({ value }) => JSON.parse(String(value)).n as number);
    expect(numbers).toHaveLength(count);
    const kept = count - 100;
    expect(numbers.slice(0, kept)).toEqual(numbers.slice(0, kept).map((_, i) => i));
    expect(numbers.slice(kept)).toEqual(Array.from({ length: 100 }, (_, i) => 41_100 + i));
    expect(worker.logged('message_dropped').length).toBeGreaterThan(0);
  });

  it('takes no more memory than its queue may hold, however much is sent', async () => {
    const text = 'x'.repeat(64 * 1024);
    const feed = await newFeed({ message: (number) => `${number}:${text}` });
    await createTopic(broker(), 'heavy');
    const worker = await startWorkerProcess(await newFolder(), onCluster(broker().bootstrap, 'heavy-worker'));
    await worker.ready();
    const config = webSocketConfig(feed, {
      'platform.topic': 'heavy',
      'websocket.message.queue.size': '100000',
      'websocket.message.queue.bytes': String(32 * MiB),
      'websocket.queue.full.grace.ms': '1000',
      'websocket.max.message.size': String(MiB),
    });
    await worker.call('PUT', '/connectors/feed/config', config);
    await feed.connection(1);
    feed.send(1);
    await worker.untilAttribute('feed', 'RecordsProduced', (n) => n === 1);
    const idle = worker.residentBytes();
    broker().pause();
    onTestFinished(() => broker().unpause());
    let most = 0;
    for (let sent = 1; sent < 8000; ) {
      feed.send(100);
      sent += 100;
      await balanced(worker, sent);
      most = Math.max(most, worker.residentBytes());
    }
    const full = await worker.attributes('feed');
    // Beside what was configured, one message and what the socket had read: reading was paused first.
    expect(full['QueueBytes']).toBeLessThanOrEqual(33 * MiB + 128 * 1024);
    expect(worker.logged('queue_grace_over')).toHaveLength(1);
    expect(full['DroppedQueueBytes']).toBe(full['MessagesDropped']);
    expect(full['MessagesDropped']).toBeGreaterThan(6000);
    // Queue, what is on its way, and as much again for buffers and garbage; 500 MB were sent.
    expect(most - idle).toBeLessThan(160 * MiB);
    broker().unpause();
    expect(await worker.end('SIGTERM')).toBe(0);
  });
});
