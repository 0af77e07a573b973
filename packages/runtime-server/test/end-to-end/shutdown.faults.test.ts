import { waitFor } from '@levada/connect-runtime-core/testing';
import { type Broker, countTopic, createTopic, readTopic } from '@levada/kafka-testkit';
import { describeWithBroker } from '@levada/kafka-testkit/vitest';
import { expect, it, onTestFinished } from 'vitest';
import { type NumberedFeed, numberedMessages } from './numbered-feed.ts';
import type { ObservedWorker } from './observed-worker.ts';
import { quickBroker } from './quick-broker.ts';
import { stage, webSocketConfig } from './stage.ts';
import { onCluster, startWorkerProcess } from './worker-process.ts';

const { newFolder, newFeed } = stage();

const QUEUED = 10_000;
/** Margin of time-outs for a busy machine; far less than records are waited for without them, which is two minutes. */
const SLACK_MS = 15_000;

/** A worker whose only connector is connected, and has stored one message in its topic. */
async function connected(
  broker: Broker,
  id: string,
  properties: Readonly<Record<string, string>> = {},
): Promise<{ readonly worker: ObservedWorker; readonly feed: NumberedFeed }> {
  const feed = await newFeed();
  await createTopic(broker, id);
  const worker = await startWorkerProcess(await newFolder(), {
    ...onCluster(broker.bootstrap, `${id}-worker`),
    ...properties,
  });
  await worker.ready();
  const config = webSocketConfig(feed, { 'platform.topic': id, 'websocket.message.queue.size': '20000' });
  expect((await worker.call('PUT', '/connectors/feed/config', config)).status).toBe(201);
  await feed.connection(1);
  feed.send(1);
  await worker.untilAttribute('feed', 'RecordsProduced', (n) => n === 1);
  return { worker, feed };
}

/** Milliseconds from the signal to the end of everything. */
function stopTook(worker: ObservedWorker): number {
  const [asked, closed] = ['signal_received', 'worker_closed'].map((event) =>
    Date.parse(String(worker.logged(event)[0]?.['time'])),
  );
  return Number(closed) - Number(asked);
}

/** Sends what cannot be stored now. Resolves with how many messages wait. */
async function queueUp(worker: ObservedWorker, feed: NumberedFeed): Promise<number> {
  feed.send(QUEUED);
  const { QueueSize = 0, InFlightCount = 0 } = await worker.untilAttribute(
    'feed',
    'MessagesReceived',
    (n) => n === QUEUED + 1,
  );
  return QueueSize + InFlightCount;
}

describeWithBroker('a worker after SIGTERM', quickBroker, (broker) => {
  it('stores ten thousand queued messages before it exits with 0', async () => {
    const { worker, feed } = await connected(broker(), 'drained', {
      // Not the five seconds by default, of which a broker that wakes may take some.
      'task.shutdown.graceful.timeout.ms': '60000',
    });
    broker().pause();
    onTestFinished(() => broker().unpause());
    // A signal takes its time, so the broker may have taken the first few.
    expect(await queueUp(worker, feed)).toBeGreaterThan(QUEUED - 2000);
    worker.signal('SIGTERM');
    expect(await feed.closeOf(1)).toEqual({ code: 1001, reason: 'connector stops' });
    broker().unpause();
    expect(await worker.ended).toBe(0);
    const records = await readTopic(broker(), 'drained', { count: QUEUED + 1, lingerMs: 100 });
    expect(records.map(({ value }) => value?.toString())).toEqual(numberedMessages(QUEUED + 1));
    expect(worker.logged('records_undelivered')).toEqual([]);
    expect(worker.logged('worker_stopped')).toMatchObject([{ undelivered: 0 }]);
    expect(worker.lines.at(-1)).toMatchObject({ event: 'worker_closed' });
    expect(worker.errors()).toBe('');
  });

  it('logs how many messages it could not store when its brokers are away, and still exits with 0', async () => {
    const { worker, feed } = await connected(broker(), 'undelivered', {
      'task.shutdown.graceful.timeout.ms': '2000',
    });
    await broker().kill();
    expect(await queueUp(worker, feed)).toBe(QUEUED);
    expect(await worker.end('SIGTERM')).toBe(0);
    expect(stopTook(worker)).toBeLessThan(2000 + SLACK_MS);
    expect(worker.logged('records_undelivered')).toMatchObject([
      { level: 'error', connector: 'feed', task: 0, count: QUEUED },
    ]);
    expect(worker.errors()).toBe('');
    await broker().restart();
    expect(await countTopic(broker(), 'undelivered')).toBe(1);
  });

  it('exits at once on a second signal, however long it might wait for its brokers', async () => {
    const { worker, feed } = await connected(broker(), 'at-once', {
      'task.shutdown.graceful.timeout.ms': '600000',
    });
    await broker().kill();
    expect(await queueUp(worker, feed)).toBe(QUEUED);
    worker.signal('SIGTERM');
    await waitFor(() => worker.logged('signal_received').length === 1);
    worker.signal('SIGINT');
    expect(await worker.ended).toBe(130);
    expect(worker.logged('worker_closed')).toEqual([]);
  });
});

describeWithBroker('a worker whose broker is frozen', {}, (broker) => {
  it('ends within its time-out while the broker is frozen, also with a request in flight', async () => {
    const { worker, feed } = await connected(broker(), 'frozen');
    broker().pause();
    onTestFinished(() => broker().unpause());
    const change = worker.call('PUT', '/connectors/feed/pause').catch(() => undefined);
    const left = await queueUp(worker, feed);
    expect(await worker.end('SIGTERM')).toBe(0);
    expect(stopTook(worker)).toBeLessThan(5000 + SLACK_MS);
    expect(worker.logged('records_undelivered')).toMatchObject([{ connector: 'feed', task: 0, count: left }]);
    await change;
  });
});
