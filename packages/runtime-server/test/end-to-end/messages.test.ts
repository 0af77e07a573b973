import { waitFor } from '@levada/connect-runtime-core/testing';
import { readTopic } from '@levada/kafka-testkit';
import { describeWithSharedBroker } from '@levada/kafka-testkit/vitest';
import { expect, it } from 'vitest';
import { numberedMessage } from './numbered-feed.ts';
import { stage } from './stage.ts';
import { onCluster, startWorkerProcess } from './worker-process.ts';

/** `LEVADA_E2E_MESSAGES=1000000` for the whole million. */
const COUNT = Number(process.env['LEVADA_E2E_MESSAGES'] ?? 20_000);
/** Below the default size of the queue, so that the server sends no more than is taken. */
const WINDOW = 8000;

const { newFolder, newFeed } = stage();

describeWithSharedBroker('a WebSocket connector that was created by REST', {}, (broker) => {
  it('writes exactly what the server sent, in order, byte for byte', async () => {
    const feed = await newFeed();
    const worker = await startWorkerProcess(await newFolder(), onCluster(broker().bootstrap, 'exact'));
    await worker.ready();
    const created = await worker.call('POST', '/connectors', {
      name: 'websocket-source',
      config: {
        'connector.class': 'io.vendor.connect.websocket.WebSocketSourceConnector',
        'tasks.max': '1',
        'websocket.url': feed.url,
        'platform.topic': 'exact',
        'websocket.subscription.message': '{"op":"subscribe"}',
        'websocket.reconnect.enabled': 'true',
        'websocket.auth.token': 'a-token',
        'websocket.headers': 'X-Api-Key:a-key',
        'websocket.message.queue.size': '10000',
      },
    });
    expect(created.status).toBe(201);
    const connection = await feed.connection(1);
    expect(connection.headers).toMatchObject({ authorization: 'Bearer a-token', 'x-api-key': 'a-key' });
    await waitFor(() => connection.received.length === 1);
    expect(connection.received).toEqual(['{"op":"subscribe"}']);

    for (let produced = 0; feed.sent < COUNT; ) {
      feed.send(Math.min(COUNT - feed.sent, WINDOW - (feed.sent - produced)));
      const attributes = await worker.untilAttribute(
        'websocket-source',
        'RecordsProduced',
        (n) => n > produced,
      );
      produced = attributes['RecordsProduced'] as number;
    }
    const quiet = await worker.untilAttribute('websocket-source', 'RecordsProduced', (n) => n === COUNT);
    expect(quiet).toMatchObject({ MessagesReceived: COUNT, MessagesDropped: 0, UnaccountedCount: 0 });

    const records = await readTopic(broker(), 'exact', { count: COUNT, lingerMs: 100, withinMs: 60_000 });
    expect(records).toHaveLength(COUNT);
    const wrong = records.find(
      ({ key, value, offset, headers }, i) =>
        offset !== i || key !== null || headers.length > 0 || value?.toString() !== numberedMessage(i),
    );
    expect(wrong).toBeUndefined();
    expect(feed.connections).toHaveLength(1);
    expect(await worker.end('SIGTERM')).toBe(0);
    expect(worker.errors()).toBe('');
  });
});
