import type { AddressInfo } from 'node:net';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { createTopic, readTopic, startJavaWorker } from '@levada/kafka-testkit';
import { describeWithSharedBroker } from '@levada/kafka-testkit/vitest';
import { afterEach, expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import type { ObservedWorker } from './observed-worker.ts';
import { stage } from './stage.ts';
import { onCluster, startWorkerProcess } from './worker-process.ts';

const { newFolder } = stage();
const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** Sends the same numbers to all of its clients at the same time, so that a second reader stores each number twice. */
async function startBroadcast() {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await new Promise((resolve) => server.once('listening', resolve));
  const state = { sent: 0, accepted: 0 };
  server.on('connection', () => {
    state.accepted += 1;
  });
  const timer = setInterval(() => {
    for (const client of server.clients) client.send(String(state.sent));
    state.sent += 1;
  }, 5);
  const end = (): void => clearInterval(timer);
  closing.push(() => {
    end();
    for (const client of server.clients) client.terminate();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `ws://127.0.0.1:${port}/`, state, end };
}

function feedConfig(url: string, topic: string) {
  return {
    'connector.class': 'io.vendor.connect.websocket.WebSocketSourceConnector',
    'tasks.max': '1',
    'websocket.url': url,
    'platform.topic': topic,
  };
}

/** Two messages of one number in the topic. */
function repeated(numbers: readonly string[]): readonly string[] {
  return [...new Set(numbers.filter((number, index) => numbers.indexOf(number) !== index))];
}

describeWithSharedBroker('two workers of one group', {}, (broker) => {
  const start = async (id: string): Promise<ObservedWorker> =>
    startWorkerProcess(await newFolder(), onCluster(broker().bootstrap, id));
  const numbersIn = async (topic: string, count: number): Promise<readonly string[]> =>
    (await readTopic(broker(), topic, { count, lingerMs: 300 })).map(({ value }) => String(value));

  it('store each record once: the second says why it refuses to run, and takes over when the first is killed', async () => {
    const feed = await startBroadcast();
    await createTopic(broker(), 'refused');
    const first = await start('refused-group');
    await first.ready();
    await first.call('PUT', '/connectors/feed/config', feedConfig(feed.url, 'refused'));
    await first.untilAttribute('feed', 'RecordsProduced', (n) => n > 100);

    const second = await start('refused-group');
    await waitFor(() => second.logged('worker_excluded').length > 0, { timeoutMs: 30_000 });
    const reason = `the worker group "refused-group" has other members (${await first.url()}/)`;
    const health = await second.call('GET', '/health');
    expect(health.status).toBe(500);
    expect(health.text).toContain(reason.replaceAll('"', '\\"'));
    expect((await second.call('GET', '/connectors')).json).toEqual(['feed']);
    const change = await second.call('PUT', '/connectors/feed/pause');
    expect(change.status).toBe(503);
    expect(change.json.message).toContain(reason);
    const before = feed.state.sent;
    await waitFor(() => feed.state.sent > before + 100);
    expect(feed.state.accepted).toBe(1);
    const status = await second.call('GET', '/connectors/feed/status');
    expect(status.json.connector).toMatchObject({ state: 'RUNNING' });
    expect(status.json.tasks).toMatchObject([{ state: 'RUNNING' }]);

    await first.end('SIGKILL');
    await second.ready();
    await second.untilAttribute('feed', 'RecordsProduced', (n) => n > 100);
    feed.end();
    expect(feed.state.accepted).toBe(2);
    expect(repeated(await numbersIn('refused', 200))).toEqual([]);
  });

  it('leaves the status of a running connector alone when the worker that refused to run stops', async () => {
    const feed = await startBroadcast();
    await createTopic(broker(), 'status');
    const first = await start('status-group');
    await first.ready();
    await first.call('PUT', '/connectors/feed/config', feedConfig(feed.url, 'status'));
    await first.untilState('feed', 'RUNNING');
    const second = await start('status-group');
    await waitFor(() => second.logged('worker_excluded').length > 0, { timeoutMs: 30_000 });
    expect(await second.end('SIGTERM')).toBe(0);
    // A change that the first worker writes and reads back shows that it has read everything that was written before.
    await first.call('PUT', '/connectors/other/config', feedConfig(feed.url, 'status'));
    await first.untilState('other', 'RUNNING');
    expect((await first.call('GET', '/connectors/feed/status')).json.connector.state).toBe('RUNNING');
  });

  it('store each record once when the owner is frozen, replaced and woken', async () => {
    const feed = await startBroadcast();
    await createTopic(broker(), 'frozen');
    const first = await start('frozen-group');
    await first.ready();
    await first.call('PUT', '/connectors/feed/config', feedConfig(feed.url, 'frozen'));
    await first.untilAttribute('feed', 'RecordsProduced', (n) => n > 100);
    const second = await start('frozen-group');
    await waitFor(() => second.logged('worker_excluded').length > 0, { timeoutMs: 30_000 });

    first.signal('SIGSTOP');
    await second.ready();
    await second.untilAttribute('feed', 'RecordsProduced', (n) => n > 100);
    first.signal('SIGCONT');
    await waitFor(() => first.logged('worker_excluded').length > 0, { timeoutMs: 30_000 });
    await waitFor(() => first.logged('connector_stopped').length > 0, { timeoutMs: 30_000 });
    const produced = (await second.attributes('feed'))['RecordsProduced'] ?? 0;
    await second.untilAttribute('feed', 'RecordsProduced', (n) => n > produced + 100);
    feed.end();
    expect(repeated(await numbersIn('frozen', 300))).toEqual([]);
    expect((await second.call('GET', '/connectors/feed/status')).json.connector.state).toBe('RUNNING');
  });
});

describeWithSharedBroker('a worker in the group of a Java worker', {}, (broker) => {
  it('refuses to run while the Java worker is a member, and hands everything over when one joins', async () => {
    const feed = await startBroadcast();
    await createTopic(broker(), 'handed-over');
    const keys = onCluster(broker().bootstrap, 'mixed-group');
    const java = await startJavaWorker(broker(), keys);
    closing.push(() => void java.kill());
    const worker = await startWorkerProcess(await newFolder(), keys);
    await waitFor(() => worker.logged('worker_excluded').length > 0, { timeoutMs: 30_000 });
    expect((await worker.call('GET', '/health')).text).toContain(java.url);
    await java.stop();
    await worker.ready();
    await worker.call('PUT', '/connectors/feed/config', feedConfig(feed.url, 'handed-over'));
    await worker.untilAttribute('feed', 'RecordsProduced', (n) => n > 10);

    const successor = await startJavaWorker(broker(), keys);
    closing.push(() => void successor.kill());
    await waitFor(() => worker.logged('connector_stopped').length > 0, { timeoutMs: 30_000 });
    expect(await (await fetch(`${successor.url}connectors`)).json()).toEqual(['feed']);
    // Only a leader whose group is complete takes changes; during a rebalance it answers 409.
    const remove = async () => await fetch(`${successor.url}connectors/feed`, { method: 'DELETE' });
    await waitFor(async () => (await remove()).status === 204, { timeoutMs: 60_000 });
    await waitFor(async () => (await worker.call('GET', '/connectors')).text.endsWith('[]'));
    expect((await worker.call('GET', '/health')).status).toBe(500);
  });
});
