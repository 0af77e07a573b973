import { waitFor } from '@levada/connect-runtime-core/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { topicTexts } from '../worker-child.ts';
import { type GrpcFeed, grpcConfig, grpcFeeds, numberedJsons } from './grpc-feed.ts';
import type { ObservedWorker } from './observed-worker.ts';
import { stage } from './stage.ts';
import { startWorkerHere } from './worker-here.ts';

const { newFolder } = stage();
const { newFeed } = grpcFeeds();

let folder: string;
let feed: GrpcFeed;
let worker: ObservedWorker;

beforeEach(async () => {
  folder = await newFolder();
  feed = await newFeed();
  worker = startWorkerHere(folder, { 'offset.flush.interval.ms': '50' });
  await worker.call('POST', '/connectors', { name: 'feed', config: grpcConfig(feed.port) });
  await worker.untilState('feed', 'RUNNING');
  await feed.call(1);
});

/** Waits for the records and makes sure that there are no others. */
async function stored(topic: string, count: number): Promise<readonly string[]> {
  await waitFor(async () => (await topicTexts(folder, topic)).length >= count, { timeoutMs: 20_000 });
  return await topicTexts(folder, topic);
}

interface Offset {
  readonly sessionId: string;
  readonly sequence: number;
}

/** The committed offset, once it has this sequence number. */
async function committed(sequence: number): Promise<Offset> {
  let last: unknown;
  return await waitFor(
    async () => {
      const { json } = await worker.call('GET', '/connectors/feed/offsets');
      last = json;
      const offset = json.offsets[0]?.offset as Offset | undefined;
      return offset?.sequence === sequence ? offset : undefined;
    },
    { timeoutMs: 20_000, what: () => JSON.stringify(last) },
  );
}

const partition = () => ({
  grpc_server: `127.0.0.1:${feed.port}`,
  grpc_method: 'teststream.TestStreamService/StreamEvents',
});

const sessions = (): readonly unknown[] =>
  worker.logged('session_initialized').map((line) => line['session_id']);

const stateOf = async (): Promise<string> =>
  (await worker.call('GET', '/connectors/feed/status')).json.connector.state;

describe('a gRPC connector that runs, from the side of its server', () => {
  it('cancels the gRPC call on pause, stores everything received, and makes a new session on resume', async () => {
    feed.send(5000);
    await worker.untilAttribute('feed', 'MessagesReceived', (n) => n === 5000);
    expect((await worker.call('PUT', '/connectors/feed/pause')).status).toBe(202);
    await worker.untilState('feed', 'PAUSED');
    await feed.cancelled(1);
    expect(await stored('events', 5000)).toEqual(numberedJsons(5000));
    expect(await worker.attributes('feed')).toMatchObject({
      IsConnected: false,
      QueueSize: 0,
      UnaccountedCount: 0,
    });
    expect(() => feed.send(1)).toThrow('no call is open');

    expect((await worker.call('PUT', '/connectors/feed/resume')).status).toBe(202);
    await worker.untilState('feed', 'RUNNING');
    await feed.call(2);
    feed.send(10);
    expect(await stored('events', 5010)).toEqual(numberedJsons(5010));
    expect((await committed(5010)).sessionId).toBe(sessions()[1]);
    expect(new Set(sessions()).size).toBe(2);
    expect(feed.mostAtOnce).toBe(1);
    expect(worker.lines.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('calls the gRPC server again after a restart of the task, and of the connector only with its tasks', async () => {
    expect((await worker.call('POST', '/connectors/feed/restart')).status).toBe(204);
    await worker.untilState('feed', 'RUNNING');
    feed.send(10);
    expect((await worker.call('POST', '/connectors/feed/tasks/0/restart')).status).toBe(204);
    await feed.call(2);
    await worker.untilState('feed', 'RUNNING');
    feed.send(10);
    const both = await worker.call('POST', '/connectors/feed/restart?includeTasks=true&onlyFailed=false');
    expect(both).toMatchObject({
      status: 202,
      json: { name: 'feed', tasks: [{ id: 0, state: 'RESTARTING' }] },
    });
    await feed.call(3);
    await worker.untilState('feed', 'RUNNING');
    feed.send(10);
    expect(await stored('events', 30)).toEqual(numberedJsons(30));
    await committed(30);
    expect(feed.calls.map((call) => call.cancelled())).toEqual([true, true, false]);
    expect(worker.logged('session_initialized').map((line) => line['starting_sequence'])).toEqual([
      1, 11, 21,
    ]);
    expect(feed.mostAtOnce).toBe(1);
  });

  it('keeps the gRPC call when platform.topic changes, and writes later messages to the new topic', async () => {
    feed.send(100);
    await worker.untilAttribute('feed', 'RecordsProduced', (n) => n === 100);
    const change = grpcConfig(feed.port, { 'platform.topic': 'elsewhere' });
    const asked = await worker.call(
      'PUT',
      '/connector-plugins/GrpcSourceConnector/config/validate?expand=update',
      { name: 'feed', ...change },
    );
    expect(asked.json.update).toEqual({
      effect: 'live',
      changed: [{ name: 'platform.topic', update: 'live' }],
    });
    expect((await worker.call('PUT', '/connectors/feed/config', change)).status).toBe(200);
    await waitFor(() => worker.logged('task_reconfigured').length === 1);
    feed.send(100);
    expect(await stored('elsewhere', 100)).toEqual(numberedJsons(200).slice(100));
    expect(await stored('events', 100)).toEqual(numberedJsons(100));
    await committed(200);
    expect(feed.calls.map((call) => call.cancelled())).toEqual([false]);
    expect(sessions()).toHaveLength(1);
    const topics = await worker.call('GET', '/connectors/feed/topics');
    expect(topics.json).toEqual({ feed: { topics: expect.arrayContaining(['events', 'elsewhere']) } });
  });

  it('applies a changed queue size of a gRPC connector on the next connection', async () => {
    const change = { 'grpc.message.queue.size': '77', 'grpc.reconnect.interval.ms': '10' };
    expect((await worker.call('PATCH', '/connectors/feed/config', change)).status).toBe(200);
    await waitFor(() => worker.logged('task_reconfigured').length === 1);
    feed.send(10);
    await worker.untilAttribute('feed', 'RecordsProduced', (n) => n === 10);
    expect(await worker.attributes('feed')).toMatchObject({ QueueCapacity: 10_000 });
    feed.kill();
    await feed.listen();
    await feed.call(2);
    await worker.untilAttribute('feed', 'QueueCapacity', (n) => n === 77);
    expect(worker.logged('task_started')).toHaveLength(1);
  });

  it('moves to another server when grpc.server.port changes, after cancelling the first call', async () => {
    const other = await newFeed();
    feed.send(1000);
    await worker.untilAttribute('feed', 'MessagesReceived', (n) => n === 1000);
    const change = { 'grpc.server.port': String(other.port), 'grpc.server.host': 'localhost' };
    expect((await worker.call('PATCH', '/connectors/feed/config', change)).status).toBe(200);
    await other.call(1);
    await feed.cancelled(1);
    other.send(10);
    expect(await stored('events', 1010)).toEqual([...numberedJsons(1000), ...numberedJsons(10)]);
    expect(worker.logged('task_reconfigured')).toEqual([]);
    expect(feed.calls).toHaveLength(1);
  });

  it('continues a gRPC stream at offsets that were altered while it was stopped, and begins with 1 after a reset', async () => {
    feed.send(10);
    await committed(10);
    const wrong = { offsets: [{ partition: partition(), offset: { sequence: 1.5 } }] };
    expect(await worker.call('PATCH', '/connectors/feed/offsets', wrong)).toMatchObject({ status: 400 });
    expect((await worker.call('PUT', '/connectors/feed/stop')).status).toBe(204);
    await feed.cancelled(1);
    await waitFor(async () => (await stateOf()) === 'STOPPED');
    expect(await worker.call('PATCH', '/connectors/feed/offsets', wrong)).toMatchObject({ status: 400 });
    const altered = {
      offsets: [{ partition: partition(), offset: { sessionId: 'by-hand', sequence: 5000 } }],
    };
    expect(await worker.call('PATCH', '/connectors/feed/offsets', altered)).toMatchObject({ status: 200 });
    expect((await worker.call('GET', '/connectors/feed/offsets')).json).toEqual(altered);
    await worker.call('PUT', '/connectors/feed/resume');
    await feed.call(2);
    feed.send(10);
    await committed(5010);

    await worker.call('PUT', '/connectors/feed/stop');
    await waitFor(async () => (await stateOf()) === 'STOPPED');
    expect(await worker.call('DELETE', '/connectors/feed/offsets')).toMatchObject({ status: 200 });
    expect((await worker.call('GET', '/connectors/feed/offsets')).json).toEqual({ offsets: [] });
    await worker.call('PUT', '/connectors/feed/resume');
    await feed.call(3);
    feed.send(10);
    await committed(10);
    expect(await stored('events', 30)).toEqual(numberedJsons(30));
  });

  it('cancels the call of a deleted gRPC connector, and keeps only its offsets for one of the same name', async () => {
    feed.send(10);
    await worker.untilAttribute('feed', 'RecordsProduced', (n) => n === 10);
    expect((await worker.call('DELETE', '/connectors/feed')).status).toBe(204);
    await feed.cancelled(1);
    await waitFor(async () => (await worker.call('GET', '/connectors/feed/status')).status === 404);
    expect((await worker.call('GET', '/connectors/feed/metrics')).status).toBe(404);
    expect(await stored('events', 10)).toEqual(numberedJsons(10));
    const config = grpcConfig(feed.port, { 'platform.topic': 'again' });
    expect((await worker.call('PUT', '/connectors/feed/config', config)).status).toBe(201);
    await feed.call(2);
    await worker.untilState('feed', 'RUNNING');
    expect(await worker.attributes('feed')).toMatchObject({ MessagesReceived: 0, RecordsProduced: 0 });
    feed.send(1);
    await committed(11);
    expect(feed.mostAtOnce).toBe(1);
  });

  it('deletes and creates a gRPC connector of one name thirty times, with one call for each', async () => {
    for (let life = 1; life <= 30; life += 1) {
      await feed.call(life);
      expect((await worker.call('DELETE', '/connectors/feed')).status).toBe(204);
      expect((await worker.call('PUT', '/connectors/feed/config', grpcConfig(feed.port))).status).toBe(201);
    }
    await feed.call(31);
    await worker.untilState('feed', 'RUNNING');
    feed.send(10);
    expect(await stored('events', 10)).toEqual(numberedJsons(10));
    expect(feed.calls).toHaveLength(31);
    expect(feed.mostAtOnce).toBe(1);
  });
});

describe('a gRPC connector whose method ends', () => {
  it('stops a gRPC connector with completion policy stop after everything is delivered', async () => {
    const finite = await newFeed();
    const config = grpcConfig(finite.port, {
      'grpc.completion.policy': 'stop',
      'platform.topic': 'finite',
    });
    await worker.call('PUT', '/connectors/finite/config', config);
    const call = await finite.call(1);
    finite.send(5000);
    call.end();
    const status = await waitFor(
      async () => {
        const { json } = await worker.call('GET', '/connectors/finite/status');
        return json.connector.state === 'STOPPED' ? json : undefined;
      },
      { timeoutMs: 30_000, what: () => worker.output() },
    );
    expect(status.tasks).toEqual([]);
    expect(await stored('finite', 5000)).toEqual(numberedJsons(5000));
    const { json } = await worker.call('GET', '/connectors/finite/offsets');
    expect(json.offsets).toMatchObject([{ offset: { sequence: 5000 } }]);
    expect(finite.calls).toHaveLength(1);
    await worker.call('PUT', '/connectors/finite/resume');
    const again = await finite.call(2);
    await worker.untilState('finite', 'RUNNING');
    again.end();
    await waitFor(async () => {
      const { json: stopped } = await worker.call('GET', '/connectors/finite/status');
      return stopped.connector.state === 'STOPPED';
    });
  });

  it('fails a gRPC task with completion policy fail, and calls again with reconnect', async () => {
    const finite = await newFeed();
    await worker.call(
      'PUT',
      '/connectors/finite/config',
      grpcConfig(finite.port, { 'grpc.completion.policy': 'fail', 'platform.topic': 'failing' }),
    );
    (await finite.call(1)).end();
    expect(await worker.untilTask('finite', 'FAILED')).toContain('the server ended the stream');
    (await feed.call(1)).end();
    await feed.call(2);
    expect((await worker.call('GET', '/connectors/feed/status')).json.tasks).toMatchObject([
      { state: 'RUNNING' },
    ]);
  });
});
