import { appendFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { createTopic, type ReachableBroker, readTopic, startJavaWorker } from '@levada/kafka-testkit';
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

const delayMs = 1_000;

/** Keys of a group whose work waits a second for departed workers. */
function inGroup(bootstrap: string, id: string): Readonly<Record<string, string>> {
  return { ...onCluster(bootstrap, id), 'scheduled.rebalance.max.delay.ms': String(delayMs) };
}

const names = ['a', 'b', 'c', 'd'];

/** Where the tasks of all connectors run, as one worker sees it. */
async function owners(worker: ObservedWorker): Promise<ReadonlyMap<string, string>> {
  const rows = await Promise.all(
    names.map(async (name) => {
      const { json } = await worker.call('GET', `/connectors/${name}/status`);
      const [task] = json.tasks ?? [];
      return [name, task?.state === 'RUNNING' ? String(task.worker_id) : ''] as const;
    }),
  );
  return new Map(rows);
}

async function untilSpread(worker: ObservedWorker, workers: number): Promise<ReadonlyMap<string, string>> {
  let found: ReadonlyMap<string, string> = new Map();
  await waitFor(
    async () => {
      found = await owners(worker);
      return !found.values().some((id) => id === '') && new Set(found.values()).size === workers;
    },
    {
      timeoutMs: 60_000,
      what: () => `${workers} owners: ${JSON.stringify([...found])}; ${worker.output().slice(-3000)}`,
    },
  );
  return found;
}

describeWithSharedBroker('workers of one group', {}, (broker) => {
  const start = async (id: string): Promise<ObservedWorker> =>
    startWorkerProcess(await newFolder(), inGroup(broker().bootstrap, id));
  const numbersIn = async (topic: string, count: number): Promise<readonly string[]> =>
    (await readTopic(broker(), topic, { count, lingerMs: 300 })).map(({ value }) => String(value));

  it('share connectors, forward changes to the leader, and store each record once when one is killed', async () => {
    const feed = await startBroadcast();
    const first = await start('shared');
    await first.ready();
    for (const name of names) {
      await createTopic(broker(), `shared-${name}`);
      await first.call('PUT', `/connectors/${name}/config`, feedConfig(feed.url, `shared-${name}`));
    }
    await untilSpread(first, 1);
    const second = await start('shared');
    await second.ready();
    const spread = await untilSpread(second, 2);
    const url = await second.url();
    expect([...spread.values()].filter((id) => url.endsWith(id))).toHaveLength(2);

    const paused = await second.call('PUT', '/connectors/a/pause');
    expect(paused.status).toBe(202);
    await first.untilState('a', 'PAUSED');
    expect((await second.call('PUT', '/connectors/a/resume')).status).toBe(202);
    await untilSpread(second, 2);

    await first.end('SIGKILL');
    await untilSpread(second, 1);
    feed.end();
    for (const name of names) expect(repeated(await numbersIn(`shared-${name}`, 50))).toEqual([]);
  });

  it('store each record once when one is frozen, replaced and woken, which then is a member again', async () => {
    const feed = await startBroadcast();
    const first = await start('frozen');
    await first.ready();
    for (const name of names) {
      await createTopic(broker(), `frozen-${name}`);
      await first.call('PUT', `/connectors/${name}/config`, feedConfig(feed.url, `frozen-${name}`));
    }
    const second = await start('frozen');
    await second.ready();
    await untilSpread(second, 2);

    first.signal('SIGSTOP');
    await untilSpread(second, 1);
    const before = feed.state.sent;
    await waitFor(() => feed.state.sent > before + 200, { timeoutMs: 30_000 });
    first.signal('SIGCONT');
    await waitFor(() => first.logged('worker_removed').length > 0, { timeoutMs: 30_000 });
    await untilSpread(first, 2);
    const after = feed.state.sent;
    await waitFor(() => feed.state.sent > after + 100, { timeoutMs: 30_000 });
    feed.end();
    for (const name of names) expect(repeated(await numbersIn(`frozen-${name}`, 100))).toEqual([]);
  });

  it('hand their work over, with its status, when one stops in order', async () => {
    const feed = await startBroadcast();
    const first = await start('ordered');
    await first.ready();
    for (const name of names) {
      await createTopic(broker(), `ordered-${name}`);
      await first.call('PUT', `/connectors/${name}/config`, feedConfig(feed.url, `ordered-${name}`));
    }
    const second = await start('ordered');
    await second.ready();
    await untilSpread(second, 2);
    expect(await first.end('SIGTERM')).toBe(0);
    const spread = await untilSpread(second, 1);
    const url = await second.url();
    expect([...spread.values()].every((id) => url.endsWith(id))).toBe(true);
    feed.end();
    for (const name of names) expect(repeated(await numbersIn(`ordered-${name}`, 50))).toEqual([]);
  });
});

/** Our example of a connector, under the class name of Kafka's own and with its offsets. */
const fileStreamSource = fileURLToPath(new URL('../../../../examples/write-a-connector', import.meta.url));

/** Appends the numbers from 0 on to each of these files, a line each, until it is ended. */
function writeNumbers(files: readonly string[]): () => void {
  let next = 0;
  const timer = setInterval(() => {
    for (const file of files) appendFileSync(file, `${next}\n`);
    next += 1;
  }, 10);
  const end = (): void => clearInterval(timer);
  closing.push(end);
  return end;
}

interface RestAnswer {
  readonly status: number;
  readonly text: string;
}

async function request(url: string, method: string, path: string, body?: unknown): Promise<RestAnswer> {
  const response = await fetch(new URL(path, url), {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
}

/** Repeats what is answered with 409 while the group rebalances, as clients of Kafka Connect do. */
async function change(url: string, method: string, path: string, body?: unknown): Promise<RestAnswer> {
  let answer: RestAnswer = { status: 409, text: '' };
  await waitFor(
    async () => {
      answer = await request(url, method, path, body);
      return answer.status !== 409 && answer.status !== 500;
    },
    { timeoutMs: 30_000, what: () => `${method} ${path}: ${answer.status} ${answer.text}` },
  );
  return answer;
}

describeWithSharedBroker('a group of Java workers and ours', {}, (broker) => {
  it('shares connectors, forwards changes both ways, and produces each sequence by one task at a time', async () => {
    const folder = await newFolder();
    const keys = {
      ...inGroup(broker().bootstrap, 'mixed'),
      'offset.flush.interval.ms': '200',
      'rest.advertised.host.name': '127.0.0.1',
    };
    const connectors = ['v0', 'v1', 'v2', 'v3'];
    for (const name of connectors) await createTopic(broker(), name);
    const endNumbers = writeNumbers(connectors.map((name) => join(folder, name)));
    const config = (name: string) => ({
      'connector.class': 'org.apache.kafka.connect.file.FileStreamSourceConnector',
      'tasks.max': '1',
      file: join(folder, name),
      topic: name,
    });
    const startOurs = async (): Promise<ObservedWorker> =>
      startWorkerProcess(await newFolder(), { ...keys, 'plugin.path': fileStreamSource });
    const ownersAt = async (url: string, workers: number): Promise<void> => {
      await waitFor(
        async () => {
          const statuses = await Promise.all(
            connectors.map(async (name) => await request(url, 'GET', `connectors/${name}/status`)),
          );
          const tasks = statuses.flatMap(({ text }) => JSON.parse(text).tasks ?? []);
          const running = tasks.filter(({ state }) => state === 'RUNNING');
          const found = new Set(running.map(({ worker_id }) => worker_id)).size;
          return running.length === connectors.length && found === workers;
        },
        { timeoutMs: 90_000 },
      );
    };

    const java = await startJavaWorker(broker(), keys);
    closing.push(() => void java.kill());
    for (const name of connectors.slice(0, 3)) {
      const { status } = await change(java.url, 'PUT', `connectors/${name}/config`, config(name));
      expect(status).toBe(201);
    }
    const ours = await startOurs();
    await ours.ready();
    const created = await change(await ours.url(), 'PUT', '/connectors/v3/config', config('v3'));
    expect(created).toMatchObject({ status: 201 });
    await ownersAt(java.url, 2);
    expect(await change(await ours.url(), 'POST', '/connectors/v0/tasks/0/restart')).toMatchObject({
      status: 204,
    });
    expect(await change(await ours.url(), 'POST', '/connectors/v3/tasks/0/restart')).toMatchObject({
      status: 204,
    });

    const urls = [java.url, await ours.url()];
    for (const [setter, logger] of [...urls.entries()].map(
      ([at, url]) => [url, `org.example.l${at}`] as const,
    )) {
      const set = await request(setter, 'PUT', `admin/loggers/${logger}?scope=cluster`, { level: 'DEBUG' });
      expect(set).toEqual({ status: 204, text: '' });
      for (const url of urls) {
        const level = async () => (await request(url, 'GET', `admin/loggers/${logger}`)).text;
        await waitFor(async () => (await level()).includes('"DEBUG"'), { timeoutMs: 30_000 });
      }
    }

    await java.stop();
    await ownersAt(await ours.url(), 1);
    const successor = await startJavaWorker(broker(), keys);
    closing.push(() => void successor.kill());
    await ownersAt(await ours.url(), 2);
    const changed = await change(successor.url, 'PUT', 'connectors/v1/config', {
      ...config('v1'),
      'batch.size': '100',
    });
    expect(changed).toMatchObject({ status: 200 });
    await ownersAt(successor.url, 2);

    await ours.end('SIGKILL');
    await ownersAt(successor.url, 1);
    endNumbers();
    await successor.stop();
    for (const name of connectors) {
      const numbers = (await numbersOf(broker(), name)).map(Number);
      expect(new Set(numbers).size).toBe(Math.max(...numbers) + 1);
      const backwards = numbers.filter((number, at) => at > 0 && number <= (numbers[at - 1] as number));
      // Only the kill cuts a task off before its offsets are committed.
      expect(backwards.length).toBeLessThanOrEqual(1);
    }
  }, 300_000);
});

async function numbersOf(broker: ReachableBroker, topic: string): Promise<readonly string[]> {
  return (await readTopic(broker, topic, { count: 1, lingerMs: 1_000 })).map(({ value }) => String(value));
}
