import { waitFor } from '@levada/connect-runtime-core/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { topicTexts } from '../worker-child.ts';
import { type NumberedFeed, numberedMessages } from './numbered-feed.ts';
import type { ObservedWorker } from './observed-worker.ts';
import { stage, webSocketConfig } from './stage.ts';
import { startWorkerHere } from './worker-here.ts';

const { newFolder, newFeed } = stage();

/** How a client says that it goes away by itself. */
const leaving = { code: 1001, reason: 'connector stops' };

let folder: string;
let feed: NumberedFeed;
let worker: ObservedWorker;

beforeEach(async () => {
  folder = await newFolder();
  feed = await newFeed();
  worker = startWorkerHere(folder);
  await worker.call('POST', '/connectors', { name: 'feed', config: webSocketConfig(feed) });
  await worker.untilState('feed', 'RUNNING');
  await feed.connection(1);
});

/** Waits for the records and makes sure that there are no others. */
async function stored(topic: string, count: number): Promise<readonly string[]> {
  await waitFor(async () => (await topicTexts(folder, topic)).length >= count, { timeoutMs: 20_000 });
  return await topicTexts(folder, topic);
}

describe('a connector that runs, from the side of its server', () => {
  it('closes the WebSocket on pause, stores everything received, and opens it again on resume', async () => {
    feed.send(5000);
    await worker.untilAttribute('feed', 'MessagesReceived', (n) => n === 5000);
    expect((await worker.call('PUT', '/connectors/feed/pause')).status).toBe(202);
    await worker.untilState('feed', 'PAUSED');
    expect(await feed.closeOf(1)).toEqual(leaving);
    expect(await stored('messages', 5000)).toEqual(numberedMessages(5000));
    expect(await worker.attributes('feed')).toMatchObject({
      IsConnected: false,
      QueueSize: 0,
      UnaccountedCount: 0,
    });
    expect(() => feed.send(1)).toThrow('no client is connected');

    expect((await worker.call('PUT', '/connectors/feed/resume')).status).toBe(202);
    await worker.untilState('feed', 'RUNNING');
    await feed.connection(2);
    feed.send(10);
    expect(await stored('messages', 5010)).toEqual(numberedMessages(5010));
    expect(feed.mostAtOnce).toBe(1);
  });

  it('reconnects the WebSocket once on a restart of the task, and of the connector only with its tasks', async () => {
    expect((await worker.call('POST', '/connectors/feed/restart')).status).toBe(204);
    await worker.untilState('feed', 'RUNNING');
    feed.send(10);
    expect((await worker.call('POST', '/connectors/feed/tasks/0/restart')).status).toBe(204);
    await feed.connection(2);
    await worker.untilState('feed', 'RUNNING');
    feed.send(10);
    const both = await worker.call('POST', '/connectors/feed/restart?includeTasks=true&onlyFailed=false');
    expect(both).toMatchObject({
      status: 202,
      json: { name: 'feed', tasks: [{ id: 0, state: 'RESTARTING' }] },
    });
    await feed.connection(3);
    await worker.untilState('feed', 'RUNNING');
    feed.send(10);
    expect(
      (await worker.call('POST', '/connectors/feed/restart?includeTasks=true&onlyFailed=true')).status,
    ).toBe(202);
    await worker.untilState('feed', 'RUNNING');
    feed.send(10);
    expect(await stored('messages', 40)).toEqual(numberedMessages(40));
    expect(feed.connections.map(({ closed }) => closed?.code)).toEqual([1001, 1001, undefined]);
    expect(feed.mostAtOnce).toBe(1);
  });

  it('keeps the WebSocket open when platform.topic changes, and writes later messages to the new topic', async () => {
    feed.send(100);
    await worker.untilAttribute('feed', 'RecordsProduced', (n) => n === 100);
    const change = webSocketConfig(feed, { 'platform.topic': 'elsewhere' });
    expect((await worker.call('PUT', '/connectors/feed/config', change)).status).toBe(200);
    await waitFor(() => worker.logged('task_reconfigured').length === 1);
    feed.send(100);
    expect(await stored('elsewhere', 100)).toEqual(numberedMessages(200).slice(100));
    expect(await stored('messages', 100)).toEqual(numberedMessages(100));
    expect(feed.connections.map(({ closed }) => closed)).toEqual([undefined]);
    const topics = await worker.call('GET', '/connectors/feed/topics');
    expect(topics.json).toEqual({ feed: { topics: expect.arrayContaining(['messages', 'elsewhere']) } });
  });

  it('moves to another server when websocket.url changes, after closing the first connection', async () => {
    const other = await newFeed();
    feed.send(1000);
    await worker.untilAttribute('feed', 'MessagesReceived', (n) => n === 1000);
    const change = { 'websocket.url': other.url };
    expect((await worker.call('PATCH', '/connectors/feed/config', change)).status).toBe(200);
    await other.connection(1);
    expect(await feed.closeOf(1)).toEqual(leaving);
    other.send(10);
    const texts = await stored('messages', 1010);
    expect(texts).toEqual([...numberedMessages(1000), ...numberedMessages(10)]);
    expect(feed.connections).toHaveLength(1);
  });

  it('closes the WebSocket on stop and on deletion, and keeps nothing for a connector of the same name', async () => {
    feed.send(10);
    expect((await worker.call('PUT', '/connectors/feed/stop')).status).toBe(204);
    expect(await feed.closeOf(1)).toEqual(leaving);
    const status = await waitFor(async () => {
      const { json } = await worker.call('GET', '/connectors/feed/status');
      return json.connector.state === 'STOPPED' ? json : undefined;
    });
    expect(status.tasks).toEqual([]);
    expect((await worker.call('PUT', '/connectors/feed/resume')).status).toBe(202);
    await feed.connection(2);
    feed.send(10);
    expect((await worker.call('DELETE', '/connectors/feed')).status).toBe(204);
    expect(await feed.closeOf(2)).toEqual(leaving);
    await waitFor(async () => (await worker.call('GET', '/connectors/feed/status')).status === 404);
    expect(await stored('messages', 20)).toEqual(numberedMessages(20));

    const again = webSocketConfig(feed, { 'platform.topic': 'again' });
    expect((await worker.call('PUT', '/connectors/feed/config', again)).status).toBe(201);
    await feed.connection(3);
    await worker.untilState('feed', 'RUNNING');
    expect(await worker.attributes('feed')).toMatchObject({ MessagesReceived: 0, RecordsProduced: 0 });
    expect((await worker.call('GET', '/connectors/feed/topics')).json).toEqual({ feed: { topics: [] } });
    expect(feed.mostAtOnce).toBe(1);
  });

  it('deletes and creates a connector of one name thirty times, with one connection for each', async () => {
    for (let life = 1; life <= 30; life += 1) {
      await feed.connection(life);
      expect((await worker.call('DELETE', '/connectors/feed')).status).toBe(204);
      expect((await worker.call('PUT', '/connectors/feed/config', webSocketConfig(feed))).status).toBe(201);
    }
    await feed.connection(31);
    await worker.untilState('feed', 'RUNNING');
    feed.send(10);
    expect(await stored('messages', 10)).toEqual(numberedMessages(10));
    expect(feed.connections).toHaveLength(31);
    expect(feed.mostAtOnce).toBe(1);
  });
});
