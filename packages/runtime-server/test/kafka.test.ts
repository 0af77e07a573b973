import { waitFor } from '@levada/connect-runtime-core/testing';
import { readTopic } from '@levada/kafka-testkit';
import { describeWithBroker } from '@levada/kafka-testkit/vitest';
import { newFolder } from '@levada/test-peers/new-folder';
import { afterEach, expect, it } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { killChildren, startWorkerChild } from './worker-child.ts';

afterEach(killChildren);

const COUNT = 5000;

describeWithBroker('a worker on a Kafka cluster', {}, (broker) => {
  const environment = () => ({
    CONNECT_BOOTSTRAP_SERVERS: broker().bootstrap,
    CONNECT_GROUP_ID: 'connect-cluster',
    CONNECT_SESSION_TIMEOUT_MS: '3000',
    CONNECT_HEARTBEAT_INTERVAL_MS: '500',
    CONNECT_CONFIG_STORAGE_TOPIC: 'connect-configs',
    CONNECT_OFFSET_STORAGE_TOPIC: 'connect-offsets',
    CONNECT_STATUS_STORAGE_TOPIC: 'connect-status',
    CONNECT_CONFIG_STORAGE_REPLICATION_FACTOR: '1',
    CONNECT_OFFSET_STORAGE_REPLICATION_FACTOR: '1',
    CONNECT_STATUS_STORAGE_REPLICATION_FACTOR: '1',
    CONNECT_KEY_CONVERTER: 'org.apache.kafka.connect.storage.StringConverter',
    CONNECT_VALUE_CONVERTER: 'org.apache.kafka.connect.storage.StringConverter',
  });

  it('shows a producer that reaches no broker at its own connector, and as a part of the log', async () => {
    const feed = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    await new Promise((resolve) => feed.once('listening', resolve));
    feed.on('connection', (socket) => socket.send('hello'));
    const { port } = feed.address() as { port: number };
    const worker = startWorkerChild(await newFolder(), {
      ...environment(),
      CONNECT_CONNECTOR_CLIENT_CONFIG_OVERRIDE_POLICY: 'All',
    });
    await waitFor(async () => (await worker.call('GET', '/health')).status === 200, { timeoutMs: 30_000 });
    const create = async (name: string, override: object) => {
      const created = await worker.call('PUT', `/connectors/${name}/config`, {
        'connector.class': 'io.vendor.connect.websocket.WebSocketSourceConnector',
        'websocket.url': `ws://127.0.0.1:${port}/`,
        'tasks.max': '1',
        'platform.topic': name,
        ...override,
      });
      expect(created.json).toMatchObject({ name });
    };
    const logOf = async (name: string) => {
      const { json } = await worker.call('GET', `/connectors/${name}/status?expand=connection`);
      return (json as { readonly connection?: readonly { readonly log: string }[] }).connection?.[0]?.log;
    };
    await create('misled', { 'producer.override.bootstrap.servers': '127.0.0.1:1' });
    await create('well', {});
    await waitFor(async () => (await logOf('misled')) === 'away', { timeoutMs: 30_000 });
    await waitFor(async () => (await worker.metric('well', 'RecordsProduced')) === 1);
    expect(await logOf('well')).toBe('ok');
    expect((await worker.call('GET', '/health')).status).toBe(200);
    const series = await (await fetch(`${await worker.url()}/metrics`)).text();
    expect(series).toContain('connect_worker_log_state{state="away",partial="true"} 1\n');
    for (const name of ['misled', 'well']) await worker.call('DELETE', `/connectors/${name}`);
    worker.process.kill('SIGKILL');
    for (const socket of feed.clients) socket.terminate();
    feed.close();
  });

  it('writes what a WebSocket server sent, comes back after a kill, and outlives a broker that is away', async () => {
    const feed = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    await new Promise((resolve) => feed.once('listening', resolve));
    const { port } = feed.address() as { port: number };
    const client = () => waitFor(() => [...feed.clients][0] as WebSocket | undefined, { timeoutMs: 30_000 });
    const folder = await newFolder();

    const first = startWorkerChild(folder, environment());
    await waitFor(async () => (await first.call('GET', '/health')).status === 200, { timeoutMs: 30_000 });
    const created = await first.call('PUT', '/connectors/feed/config', {
      'connector.class': 'io.vendor.connect.websocket.WebSocketSourceConnector',
      'tasks.max': '1',
      'websocket.url': `ws://127.0.0.1:${port}/`,
      'websocket.reconnect.interval.ms': '100',
      'platform.topic': 'feed',
    });
    expect(created.status).toBe(201);
    const { json: root } = await first.call('GET', '/');
    expect(root).toMatchObject({ kafka_cluster_id: expect.stringMatching(/^[\w-]{22}$/) });
    let socket = await client();
    for (let i = 0; i < COUNT; i += 1) socket.send(`message ${i}`);
    // Only then is it sure that the topic exists, for a reader that does not wait for it.
    await waitFor(async () => (await first.metric('feed', 'RecordsProduced')) === COUNT, {
      timeoutMs: 30_000,
    });
    const records = await readTopic(broker(), 'feed', { count: COUNT, lingerMs: 200 });
    expect(records.map(({ value }) => value?.toString())).toEqual(
      Array.from({ length: COUNT }, (_, i) => `message ${i}`),
    );
    expect(records.every(({ key }) => key === null)).toBe(true);
    const series = await (await fetch(`${await first.url()}/metrics`)).text();
    expect(series).toMatch(/^kafka_connect_worker_rebalance_completed_rebalances_total [1-9]/m);
    expect(series).toContain(
      'kafka_connect_worker_rebalance_connect_protocol{connect_protocol="SESSIONED"} 1\n',
    );
    expect(series).toContain('kafka_connect_worker_rebalance_rebalancing 0\n');
    expect(series).toMatch(
      /^kafka_connect_coordinator_heartbeat_total\{clientid="connect-127\.0\.0\.1:\d+"\} [1-9]/m,
    );
    expect(series).toMatch(/^kafka_connect_coordinator_assigned_tasks\{.*\} 1$/m);
    const producer = 'clientid="connector-producer-feed-0"';
    expect(series).toContain(`kafka_producer_record_send_total{${producer}} ${COUNT}\n`);
    expect(series).toContain(`kafka_producer_record_error_total{${producer}} 0\n`);
    interface Shown {
      readonly records: readonly object[];
      readonly next: string;
    }
    const shown = async (query: string): Promise<Shown> =>
      (await first.call('GET', `/connectors/feed/records?${query}`)).json as Shown;
    const last = await shown('last=2');
    expect(last.records).toMatchObject([
      { topic: 'feed', value: `message ${COUNT - 2}` },
      { topic: 'feed', key: null, value: `message ${COUNT - 1}`, partition: 0, offset: COUNT - 1 },
    ]);
    socket.send('one more');
    await waitFor(async () => (await first.metric('feed', 'RecordsProduced')) === COUNT + 1);
    const after = await shown(`after=${last.next}`);
    expect(after.records).toMatchObject([{ value: 'one more' }]);
    expect(await shown(`after=${after.next}`)).toEqual({ records: [], next: after.next });
    for (const query of ['last=101', 'last=-1', 'after=nothing', 'after=W10'])
      expect((await first.call('GET', `/connectors/feed/records?${query}`)).status).toBe(400);
    first.process.kill('SIGKILL');
    await first.ended;

    const second = startWorkerChild(folder, environment());
    await second.untilState('feed', 'RUNNING');
    socket = await client();
    broker().pause();
    await waitFor(async () => (await second.call('GET', '/connectors')).status === 200);
    for (let i = 0; i < 100; i += 1) socket.send(`later ${i}`);
    broker().unpause();
    const all = await readTopic(broker(), 'feed', { count: COUNT + 101, lingerMs: 200 });
    expect(all).toHaveLength(COUNT + 101);
    second.process.kill('SIGTERM');
    expect(await second.ended).toBe(0);
    expect(second.errors()).toBe('');
    feed.close();
  }, 120_000);
});
