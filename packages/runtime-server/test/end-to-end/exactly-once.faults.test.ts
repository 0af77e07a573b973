import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { createTopic, readTopic, startJavaWorker } from '@levada/kafka-testkit';
import { describeWithSharedBroker } from '@levada/kafka-testkit/vitest';
import { expect, it, onTestFinished } from 'vitest';
import type { ObservedWorker } from './observed-worker.ts';
import { stage } from './stage.ts';
import { onCluster, startWorkerProcess } from './worker-process.ts';

const { newFolder } = stage();

const LINES = 2400;
const LIVES = 3;
const PART = LINES / LIVES;

const line = (number: number): string => `line ${String(number).padStart(8, '0')}`;
const LINE_BYTES = line(0).length + 1;
const lines = Array.from({ length: LINES }, (_, number) => line(number));

function workerKeys(broker: { readonly bootstrap: string }, id: string) {
  return {
    ...onCluster(broker.bootstrap, id),
    'plugin.path': fileURLToPath(new URL('../../../../examples/write-a-connector', import.meta.url)),
    'exactly.once.source.support': 'enabled',
    'scheduled.rebalance.max.delay.ms': '0',
  };
}

function fileSource(file: string, topic: string) {
  return { 'connector.class': 'FileStreamSource', 'tasks.max': '1', file, topic, 'batch.size': '20' };
}

async function committedLines(worker: ObservedWorker): Promise<number> {
  const { json } = await worker.call('GET', '/connectors/lines/offsets');
  return (json?.offsets?.[0]?.offset?.position ?? 0) / LINE_BYTES;
}

async function untilCommitted(worker: ObservedWorker, count: number): Promise<void> {
  await waitFor(async () => (await committedLines(worker)) >= count, {
    timeoutMs: 60_000,
    what: () => worker.output(),
  });
}

describeWithSharedBroker('records and offsets in transactions', {}, (broker) => {
  /** What a reader of committed records sees, with time for a record too many to show up. */
  async function committedTexts(topic: string): Promise<readonly string[]> {
    const records = await readTopic(broker(), topic, { count: LINES, lingerMs: 300 });
    return records.map(({ value }) => String(value));
  }

  it.each([
    ['poll', {}],
    ['poll, in threads', { 'task.isolation': 'thread' }],
    ['interval', { 'transaction.boundary': 'interval', 'transaction.boundary.interval.ms': '150' }],
  ])(
    'store each line once when workers are killed in transactions that end by %s',
    async (boundary, more) => {
      const topic = `killed-${boundary.replace(/\W+/g, '-')}`;
      await createTopic(broker(), topic);
      const folder = await newFolder();
      const file = join(folder, 'lines.txt');
      await writeFile(file, '');
      const config = {
        ...fileSource(file, topic),
        'exactly.once.support': 'required',
        'offsets.storage.topic': `${topic}-offsets`,
        ...more,
      };
      const start = async (): Promise<ObservedWorker> => {
        const worker = await startWorkerProcess(folder, workerKeys(broker(), topic));
        await worker.ready();
        return worker;
      };
      let worker = await start();
      expect((await worker.call('PUT', '/connectors/lines/config', config)).status).toBe(201);
      for (let life = 0; life < LIVES; life += 1) {
        await worker.untilState('lines', 'RUNNING');
        const part = lines.slice(life * PART, (life + 1) * PART);
        await appendFile(file, part.map((text) => `${text}\n`).join(''));
        // In the middle of what is left, but for the last life.
        if (life === LIVES - 1) break;
        await untilCommitted(worker, life * PART + 100);
        await worker.end('SIGKILL');
        worker = await start();
      }
      await untilCommitted(worker, LINES);
      expect(await committedTexts(topic)).toEqual(lines);
      await worker.end('SIGTERM');
    },
  );

  it('store each line once when a frozen worker wakes after another one took its task over', async () => {
    const topic = 'frozen';
    await createTopic(broker(), topic);
    const folders = [await newFolder(), await newFolder()] as const;
    const file = join(folders[0], 'lines.txt');
    await writeFile(file, '');
    const workers = await Promise.all(
      folders.map((folder) => startWorkerProcess(folder, workerKeys(broker(), topic))),
    );
    for (const worker of workers) await worker.ready();
    // One for each worker: that of the follower asks the leader to fence.
    await workers[0]?.call('PUT', '/connectors/others/config', fileSource(`${file}.no`, topic));
    await workers[0]?.call('PUT', '/connectors/lines/config', {
      ...fileSource(file, topic),
      // Open for long enough to freeze the worker in it.
      'transaction.boundary': 'interval',
      'transaction.boundary.interval.ms': '8000',
    });
    await workers[0]?.untilState('others', 'RUNNING');
    await workers[0]?.untilState('lines', 'RUNNING');
    await appendFile(file, lines.map((text) => `${text}\n`).join(''));
    const stored = (count: number) =>
      readTopic(broker(), topic, { count, uncommitted: true, withinMs: 60_000 });
    await stored(LINES);
    const owner = await ownerOf(workers);
    owner.frozen.signal('SIGSTOP');
    // Everything comes again, because what the frozen one stored was aborted.
    await stored(2 * LINES);
    owner.frozen.signal('SIGCONT');
    await untilCommitted(owner.other, LINES);
    expect(await committedTexts(topic)).toEqual(lines);
    expect(owner.other.lines.filter(({ event }) => event === 'task_failed')).toEqual([]);
    await Promise.all(workers.map((worker) => worker.end('SIGTERM')));
  });
});

describeWithSharedBroker('a group in which Java workers and ours follow each other', {}, (broker) => {
  it('stores each line once when each one is killed', async () => {
    const topic = 'by-turns';
    await createTopic(broker(), topic);
    const folder = await newFolder();
    const file = join(folder, 'lines.txt');
    await writeFile(file, '');
    // Java's source keeps what does not fit into a batch until the file grows again.
    const config = { ...fileSource(file, topic), 'batch.size': '1000' };
    const { 'plugin.path': _, ...keys } = workerKeys(broker(), topic);
    const append = (turn: number) =>
      appendFile(
        file,
        lines
          .slice(turn * PART, (turn + 1) * PART)
          .map((text) => `${text}\n`)
          .join(''),
      );

    const java = await startJavaWorker(broker(), keys);
    const put = {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(config),
    };
    await waitFor(async () => (await fetch(`${java.url}connectors/lines/config`, put)).status < 300, {
      timeoutMs: 30_000,
      what: () => java.output,
    });
    await append(0);
    const stored = (count: number) => readTopic(broker(), topic, { count, withinMs: 60_000 });
    await stored(100);
    await java.kill();

    const ours = await startWorkerProcess(folder, workerKeys(broker(), topic));
    await ours.ready();
    await append(1);
    await untilCommitted(ours, PART + 100);
    await ours.end('SIGKILL');

    const again = await startJavaWorker(broker(), keys);
    onTestFinished(() => again.kill());
    await append(2);
    const records = await readTopic(broker(), topic, { count: LINES, withinMs: 60_000, lingerMs: 300 });
    expect(records.map(({ value }) => String(value))).toEqual(lines);
  });
});

/** The worker whose task runs, and the other one. */
async function ownerOf(workers: readonly ObservedWorker[]) {
  const { json } = (await workers[0]?.call('GET', '/connectors/lines/status')) ?? {};
  const id: string = json.tasks[0].worker_id;
  const urls = await Promise.all(workers.map((worker) => worker.url()));
  const frozen = workers[urls.findIndex((url) => url.includes(id))];
  const other = workers.find((worker) => worker !== frozen);
  if (frozen === undefined || other === undefined) throw new Error(`no worker has the id ${id}`);
  return { frozen, other };
}
