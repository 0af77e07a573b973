import { waitFor } from '@levada/connect-runtime-core/testing';
import { brokerUser, createTopic, readTopic } from '@levada/kafka-testkit';
import { describeWithBroker } from '@levada/kafka-testkit/vitest';
import { expect, it } from 'vitest';
import { numberedMessages } from './numbered-feed.ts';
import type { ObservedWorker } from './observed-worker.ts';
import { quickBroker } from './quick-broker.ts';
import { stage, webSocketConfig } from './stage.ts';
import { onCluster, startWorkerProcess } from './worker-process.ts';

const { newFolder, newFeed } = stage();

const PER_SECOND = 2000;
const AWAY_SECONDS = 5;
/** Longest that a change of a connector may wait for a worker that is still starting: it does not wait for its brokers. */
const ANSWER_MS = 20_000;

/** Asks these paths over and over. `end` stops that and returns what was answered. */
function askSteadily(worker: ObservedWorker, paths: readonly string[]) {
  const answered = new Map<string, Set<number>>(paths.map((path) => [path, new Set()]));
  let asking = true;
  const done = (async () => {
    while (asking) {
      for (const path of paths) answered.get(path)?.add((await worker.call('GET', path)).status);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
  return {
    end: async (): Promise<Readonly<Record<string, readonly number[]>>> => {
      asking = false;
      await done;
      return Object.fromEntries([...answered].map(([path, statuses]) => [path, [...statuses]]));
    },
  };
}

const jaas = (password: string): string =>
  `org.apache.kafka.common.security.plain.PlainLoginModule required username="${brokerUser.username}" password="${password}";`;

describeWithBroker('a worker whose broker goes away', { ...quickBroker, sasl: true }, (broker) => {
  it('holds the server up while its queue is full, stores each message once and in order, and says what is wrong', async () => {
    const feed = await newFeed();
    await createTopic(broker(), 'outage');
    const worker = await startWorkerProcess(
      await newFolder(),
      onCluster(broker().bootstrap, 'outage-worker'),
    );
    await worker.ready();
    const config = { 'platform.topic': 'outage', 'websocket.message.queue.size': '1000' };
    await worker.call('PUT', '/connectors/feed/config', webSocketConfig(feed, config));
    await feed.connection(1);
    const stop = feed.sendSteadily(PER_SECOND);
    await worker.untilAttribute('feed', 'RecordsProduced', (n) => n > PER_SECOND);
    await broker().kill();
    const asking = askSteadily(worker, [
      '/',
      '/connectors',
      '/connectors/feed/status',
      '/connectors/feed/config',
    ]);
    const before = feed.sent;
    await waitFor(async () => (await worker.call('GET', '/health')).text.includes('The log is away'), {
      timeoutMs: 10_000,
    });
    await waitFor(() => feed.sent >= before + AWAY_SECONDS * PER_SECOND, { timeoutMs: 30_000 });
    expect((await worker.call('GET', '/health')).status).toBe(500);
    await broker().restart();
    await worker.untilAttribute('feed', 'RecordsProduced', (n) => n > before + AWAY_SECONDS * PER_SECOND);
    await waitFor(async () => (await worker.call('GET', '/health')).status === 200, { timeoutMs: 30_000 });
    stop();
    const total = feed.sent;
    const quiet = await worker.untilAttribute('feed', 'RecordsProduced', (n) => n === total);
    expect(quiet).toMatchObject({ MessagesReceived: total, MessagesDropped: 0, UnaccountedCount: 0 });
    expect(await asking.end()).toEqual({
      '/': [200],
      '/connectors': [200],
      '/connectors/feed/status': [200],
      '/connectors/feed/config': [200],
    });
    const records = await readTopic(broker(), 'outage', { count: total, lingerMs: 100 });
    expect(records.map(({ value }) => value?.toString())).toEqual(numberedMessages(total));
    expect(feed.connections.map(({ closed }) => closed)).toEqual([undefined]);
    expect(worker.logged('kafka_unavailable').length).toBeGreaterThan(0);
    expect(worker.logged('kafka_available').length).toBeGreaterThan(1);
    expect(await worker.end('SIGTERM')).toBe(0);
  });

  it('answers from the start when the broker comes later, refuses changes for now, and needs no restart', async () => {
    const feed = await newFeed();
    await broker().kill();
    const worker = await startWorkerProcess(await newFolder(), onCluster(broker().bootstrap, 'early'));
    expect((await worker.call('GET', '/')).json).toMatchObject({ version: '3.9.1', kafka_cluster_id: '' });
    const health = await waitFor(async () => {
      const answer = await worker.call('GET', '/health');
      return answer.text.includes('The log is away') ? answer : undefined;
    });
    expect(health).toMatchObject({ status: 503, json: { status: 'starting' } });
    const body = JSON.stringify({
      name: 'feed',
      config: webSocketConfig(feed, { 'platform.topic': 'early' }),
    });
    const refused = await fetch(`${await worker.url()}/connectors`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await refused.json()).toMatchObject({
      error_code: 503,
      message: expect.stringContaining('Worker is still starting up.'),
    });
    await broker().restart();
    await worker.ready();
    expect((await worker.call('POST', '/connectors', JSON.parse(body))).status).toBe(201);
    await worker.untilState('feed', 'RUNNING');
    await feed.connection(1);
    feed.send(10);
    await worker.untilAttribute('feed', 'RecordsProduced', (n) => n === 10);
    expect(await worker.end('SIGTERM')).toBe(0);
  });

  it('lives on with a wrong password, says so without showing it, and works with the right one', async () => {
    const sasl = (password: string) => ({
      ...onCluster(broker().endpoint('SASL_PLAINTEXT'), 'signed-on'),
      'security.protocol': 'SASL_PLAINTEXT',
      'sasl.mechanism': 'PLAIN',
      'sasl.jaas.config': jaas(password),
    });
    const folder = await newFolder();
    const worker = await startWorkerProcess(folder, sasl('a-wrong-password'));
    const health = await waitFor(
      async () => {
        const answer = await worker.call('GET', '/health');
        return /authenticat|sign-on|SASL/i.test(answer.text) ? answer : undefined;
      },
      { timeoutMs: 15_000, what: () => worker.output() },
    );
    expect(health).toMatchObject({ status: 503, json: { status: 'starting' } });
    expect((await worker.call('GET', '/')).status).toBe(200);
    expect(worker.logged('kafka_unavailable')[0]).toMatchObject({ level: 'warn' });
    expect(await worker.end('SIGTERM')).toBe(0);
    expect(worker.output() + worker.errors() + health.text).not.toContain('a-wrong-password');

    const right = await startWorkerProcess(folder, sasl(brokerUser.password));
    await right.ready();
    expect(await right.end('SIGTERM')).toBe(0);
  });
});
