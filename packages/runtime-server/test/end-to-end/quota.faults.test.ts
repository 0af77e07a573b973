import { waitFor } from '@levada/connect-runtime-core/testing';
import { createTopic, limitProducers, readTopic } from '@levada/kafka-testkit';
import { describeWithBroker } from '@levada/kafka-testkit/vitest';
import { expect, it } from 'vitest';
import type { ObservedWorker } from './observed-worker.ts';
import { stage, webSocketConfig } from './stage.ts';
import { onCluster, startWorkerProcess } from './worker-process.ts';

const { newFolder, newFeed } = stage();

const BYTES_PER_SECOND = 300_000;
const text = 'x'.repeat(180);
const message = (number: number): string => `{"n":${number},"text":"${text}"}`;

describeWithBroker('a worker whose broker has a quota', {}, (broker) => {
  it.each([
    ['5000 messages a second', (feed: Feed) => pace(feed, 8)],
    ['a flood', async (feed: Feed) => feed.send(40_000)],
  ])(
    'loses nothing of %s, although waits are longer than the grace, and reports the quota',
    async (name, send) => {
      const topic = `quota-${name.length}`;
      const feed = await newFeed({ message });
      await createTopic(broker(), topic);
      await limitProducers(broker(), BYTES_PER_SECOND);
      const worker = await startWorkerProcess(await newFolder(), {
        ...onCluster(broker().bootstrap, topic),
        // Shorter than a wait: requests that were on their way wait at the broker for its end.
        'producer.request.timeout.ms': '1000',
      });
      await worker.ready();
      const config = { 'platform.topic': topic, 'websocket.queue.full.grace.ms': '1000' };
      await worker.call('PUT', '/connectors/feed/config', webSocketConfig(feed, config));
      const quiet = await newFeed({ message });
      await worker.call('PUT', '/connectors/quiet/config', webSocketConfig(quiet, config));
      await feed.connection(1);
      await quiet.connection(1);
      await send(feed);
      await waitFor(async () => (await worker.call('GET', '/health')).text.includes('throttled'), slow);
      expect(await worker.call('GET', '/health')).toMatchObject({
        status: 200,
        json: {
          status: 'healthy',
          message: expect.stringMatching(
            /Part of the log is throttled since .*: brokers throttle producer connector-producer-feed-0 because of a quota: they asked to wait \d+ ms$/,
          ),
        },
      });
      expect(await stateOf(worker)).toEqual(['throttled, partial: true']);
      const { json } = await worker.call('GET', '/connectors/feed/status?expand=connection');
      expect(json).toMatchObject({ connection: [{ task: 0, log: 'throttled' }] });
      const { json: other } = await worker.call('GET', '/connectors/quiet/status?expand=connection');
      expect(other).toMatchObject({ connection: [{ task: 0, log: 'ok' }] });
      expect(worker.logged('kafka_throttled').length).toBeGreaterThan(0);
      expect(worker.logged('kafka_unavailable')).toEqual([]);
      const waits = await waitFor(async () => {
        const { HeldUpMillis = 0 } = await worker.attributes('feed');
        return HeldUpMillis > 1_000;
      }, slow);
      expect(waits).toBe(true);
      await limitProducers(broker(), null);
      const total = feed.sent;
      const after = await worker.untilAttribute('feed', 'RecordsProduced', (n) => n === total);
      expect(after).toMatchObject({ MessagesReceived: total, MessagesDropped: 0, UnaccountedCount: 0 });
      expect(worker.logged('queue_grace_over')).toEqual([]);
      const records = await readTopic(broker(), topic, { count: total, lingerMs: 100 });
      expect(records.map(({ value }) => JSON.parse(String(value)).n)).toEqual(
        Array.from({ length: total }, (_, n) => n),
      );
      await waitFor(async () => (await stateOf(worker)).join() === 'ok, partial: false', slow);
      expect(await worker.end('SIGTERM')).toBe(0);
    },
  );
});

type Feed = Awaited<ReturnType<typeof newFeed>>;

const slow = { timeoutMs: 60_000 };

async function pace(feed: Feed, seconds: number): Promise<void> {
  const stop = feed.sendSteadily(5000);
  await waitFor(() => feed.sent >= seconds * 5000, slow);
  stop();
}

async function stateOf(worker: ObservedWorker): Promise<readonly string[]> {
  const { text: series } = await worker.call('GET', '/metrics');
  const rows = series.matchAll(/^connect_worker_log_state\{state="(\w+)",partial="(\w+)"\} 1$/gm);
  return [...rows].map(([, state, partial]) => `${state}, partial: ${partial}`);
}
