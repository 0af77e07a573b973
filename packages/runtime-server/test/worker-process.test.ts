import { appendFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { newFolder } from '@levada/test-peers/new-folder';
import { afterEach, describe, expect, it } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { killChildren, startWorkerChild, topicTexts } from './worker-child.ts';

afterEach(killChildren);

const fileSource = fileURLToPath(new URL('../../../examples/write-a-connector', import.meta.url));

async function startFeed() {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  return {
    config: {
      'connector.class': 'io.vendor.connect.websocket.WebSocketSourceConnector',
      'tasks.max': '1',
      'websocket.url': `ws://127.0.0.1:${port}/feed`,
      'platform.topic': 'prices',
      'websocket.message.queue.size': '20000',
      'websocket.reconnect.interval.ms': '100',
    },
    client: () => waitFor(() => [...server.clients][0] as WebSocket | undefined),
    connections: () => server.clients.size,
    close: () => server.close(),
  };
}

describe('a worker process', () => {
  it('answers REST, runs a connector, and drains on SIGTERM without losing what it received', async () => {
    const folder = await newFolder();
    const feed = await startFeed();
    const worker = startWorkerChild(folder);
    await worker.call('PUT', '/connectors/prices/config', feed.config);
    await worker.untilState('prices', 'RUNNING');
    const client = await feed.client();
    const closed = new Promise<number>((resolve) => client.once('close', resolve));
    for (let i = 0; i < 10_000; i += 1) client.send(`message ${i}`);
    await waitFor(async () => (await worker.metric('prices', 'MessagesReceived')) >= 1000);
    worker.process.kill('SIGTERM');
    expect(await worker.ended).toBe(0);
    expect(await closed).toBe(1001);
    const received = worker.lines.findLast(({ event }) => event === 'websocket_client_stopped');
    const stored = await topicTexts(folder, 'prices');
    expect(stored).toHaveLength(Number(received?.['messages_received']));
    expect(stored).toEqual(stored.map((_, i) => `message ${i}`));
    feed.close();
  });

  it('restores connectors in their target states after a kill, and continues at their offsets', async () => {
    const folder = await newFolder();
    const source = join(folder, 'lines.txt');
    const lines = (from: number, to: number): string =>
      Array.from({ length: to - from }, (_, i) => `line ${from + i}\n`).join('');
    await writeFile(source, lines(0, 500));
    const environment = { CONNECT_PLUGIN_PATH: fileSource, CONNECT_OFFSET_FLUSH_INTERVAL_MS: '50' };
    const config = { 'connector.class': 'FileStreamSource', 'tasks.max': '1', file: source, topic: 'lines' };

    const first = startWorkerChild(folder, environment);
    await first.call('PUT', '/connectors/lines/config', config);
    await first.call('PUT', '/connectors/paused/config', { ...config, topic: 'paused' });
    await first.untilState('paused', 'RUNNING');
    await first.call('PUT', '/connectors/paused/pause');
    await first.untilState('paused', 'PAUSED');
    const committed = await waitFor(async () => {
      const { json } = await first.call('GET', '/connectors/lines/offsets');
      return JSON.stringify(json).includes('position') ? json : undefined;
    });
    first.process.kill('SIGKILL');
    expect(await first.ended).toBe('SIGKILL');

    await appendFile(source, lines(500, 700));
    const second = startWorkerChild(folder, environment);
    await second.untilState('lines', 'RUNNING');
    await second.untilState('paused', 'PAUSED');
    expect(JSON.stringify(committed)).toContain(source);
    await waitFor(async () => (await topicTexts(folder, 'lines')).length >= 700);
    second.process.kill('SIGTERM');
    expect(await second.ended).toBe(0);
    expect(await topicTexts(folder, 'lines')).toEqual(lines(0, 700).trimEnd().split('\n'));
  });

  it('refuses a second worker on its folder with exit code 2, naming the folder', async () => {
    const folder = await newFolder();
    const first = startWorkerChild(folder);
    await first.url();
    const second = startWorkerChild(folder);
    expect(await second.ended).toBe(2);
    expect(second.errors()).toContain('The worker could not start: ');
    expect(second.errors()).toContain('.levada');
    expect((await first.call('GET', '/')).status).toBe(200);
    first.process.kill('SIGTERM');
    expect(await first.ended).toBe(0);
  });

  it('refuses a port that is taken with exit code 2', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const { port } = taken.address() as { port: number };
    const worker = startWorkerChild(await newFolder(), { CONNECT_LISTENERS: `http://127.0.0.1:${port}` });
    expect(await worker.ended).toBe(2);
    expect(worker.errors()).toContain(`127.0.0.1:${port}`);
    taken.close();
  });

  it('lists every problem of the worker configuration and exits with 2', async () => {
    const worker = startWorkerChild(await newFolder(), {
      CONNECT_BOOTSTRAP_SERVERS: 'localhost:1',
      CONNECT_OFFSET_FLUSH_INTERVAL_MS: 'soon',
    });
    expect(await worker.ended).toBe(2);
    for (const key of ['group.id', 'config.storage.topic', 'offset.flush.interval.ms', 'key.converter']) {
      expect(worker.errors()).toContain(key);
    }
  });

  it('exits with 1 and its usage on unknown arguments', async () => {
    const worker = startWorkerChild(await newFolder(), {}, ['--help']);
    expect(await worker.ended).toBe(1);
    expect(worker.errors()).toContain('Usage: levada-worker');
  });

  it('continues when its output is no longer read', async () => {
    const worker = startWorkerChild(await newFolder());
    await worker.url();
    await waitFor(() => worker.lines.some(({ event }) => event === 'worker_ready'));
    worker.process.stdout?.destroy();
    await worker.call('PUT', '/admin/loggers/root', { level: 'DEBUG' });
    for (let i = 0; i < 20; i += 1) expect((await worker.call('GET', '/connectors')).status).toBe(200);
    worker.process.kill('SIGTERM');
    expect(await worker.ended).toBe(0);
  });

  it('refuses requests that need its connectors while its brokers are away, and reports it in /health', async () => {
    const worker = startWorkerChild(await newFolder(), {
      CONNECT_BOOTSTRAP_SERVERS: '127.0.0.1:1',
      CONNECT_GROUP_ID: 'g',
      CONNECT_CONFIG_STORAGE_TOPIC: 'c',
      CONNECT_OFFSET_STORAGE_TOPIC: 'o',
      CONNECT_STATUS_STORAGE_TOPIC: 's',
      CONNECT_KEY_CONVERTER: 'org.apache.kafka.connect.storage.StringConverter',
      CONNECT_VALUE_CONVERTER: 'org.apache.kafka.connect.storage.StringConverter',
    });
    const root = await worker.call('GET', '/');
    expect(root).toMatchObject({ status: 200, json: { version: '3.9.1', kafka_cluster_id: '' } });
    const health = await waitFor(async () => {
      const answer = await worker.call('GET', '/health');
      return JSON.stringify(answer.json).includes('The log is away') ? answer : undefined;
    });
    expect(health).toMatchObject({
      status: 503,
      json: { status: 'starting', message: expect.stringContaining('127.0.0.1:1') },
    });
    const starting =
      'Worker is still starting up. The worker is currently initializing and reading to the end of internal topics';
    const needing = [
      '/connectors',
      '/connectors?expand=status&expand=info',
      ...['', '/config', '/status', '/tasks', '/tasks-config', '/tasks/0/status'].map(
        (path) => `/connectors/x${path}`,
      ),
      ...['/topics', '/offsets', '/metrics'].map((path) => `/connectors/x${path}`),
      '/admin/metrics',
    ];
    const refused = await Promise.all(needing.map((path) => worker.call('GET', path)));
    for (const answer of refused) {
      expect(answer).toEqual({ status: 503, json: { error_code: 503, message: starting } });
    }
    const config = { 'connector.class': 'io.vendor.connect.websocket.WebSocketSourceConnector' };
    for (const [method, path, body] of [
      ['GET', '/connector-plugins'],
      ['GET', '/admin/loggers'],
      ['GET', '/admin/loggers/levada.connector.x'],
      ['PUT', '/connector-plugins/WebSocketSource/config/validate', config],
    ] as const) {
      expect((await worker.call(method, path, body)).status).not.toBe(503);
    }
    expect((await fetch(`${await worker.url()}/metrics`)).status).toBe(200);
    worker.process.kill('SIGTERM');
    expect(await worker.ended).toBe(0);
    expect(worker.lines.filter(({ event }) => event === 'worker_ready')).toEqual([]);
  });
});
