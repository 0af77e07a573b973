import { waitFor } from '@levada/connect-runtime-core/testing';
import { createTopic } from '@levada/kafka-testkit';
import { describeWithBroker } from '@levada/kafka-testkit/vitest';
import { describe, expect, it } from 'vitest';
import { grpcConfig, grpcFeeds } from './grpc-feed.ts';
import type { ObservedWorker } from './observed-worker.ts';
import { randomIntegers } from './random.ts';
import { type ResumableFeed, resumableFeed } from './resumable-feed.ts';
import { stage } from './stage.ts';
import { clusterLog, embeddedLog, type StoredLog, type StoredRecord } from './stored-log.ts';
import { startWorkerProcess } from './worker-process.ts';

/** `LEVADA_E2E_KILLS=50` for all of them, `LEVADA_E2E_SEED` for other moments. */
const KILLS = Number(process.env['LEVADA_E2E_KILLS'] ?? 10);
const SEED = Number(process.env['LEVADA_E2E_SEED'] ?? 20261121);

const { newFolder } = stage();
const { newFeed } = grpcFeeds();

/** The worker was killed when this sequence was committed at least, and it had called that often in all its lives. */
interface Kill {
  readonly committed: number;
  readonly calls: number;
}

/** What is left of a feed when the worker was killed again and again. */
interface Outcome {
  readonly feed: ResumableFeed;
  readonly kills: readonly Kill[];
  readonly records: readonly StoredRecord[];
}

interface Setting {
  readonly log: StoredLog;
  readonly folder: string;
  /** The keys that say where to go on. */
  readonly resume: Readonly<Record<string, string>>;
}

async function committedSequence(worker: ObservedWorker): Promise<number> {
  const { json } = await worker.call('GET', '/connectors/resuming/offsets');
  return json?.offsets?.[0]?.offset?.sequence ?? 0;
}

function resumingConfig(port: number, resume: Setting['resume']): Readonly<Record<string, string>> {
  return grpcConfig(port, {
    'grpc.service.name': 'teststream.RichService',
    'grpc.method.name': 'Watch',
    'grpc.queue.full.policy': 'block',
    'grpc.message.queue.size': '500',
    'record.headers.enabled': 'true',
    'platform.topic': 'resumed',
    ...resume,
  });
}

async function killWorker({ log, folder, resume }: Setting): Promise<Outcome> {
  const random = randomIntegers(SEED);
  const feed = resumableFeed();
  const server = await newFeed(feed);
  const properties = { ...log.properties, 'offset.flush.interval.ms': '20' };
  const config = resumingConfig(server.port, resume);
  const kills: Kill[] = [];
  for (let kill = 0; kill < KILLS; kill += 1) {
    const worker = await startWorkerProcess(folder, properties);
    const moment = random(0, 9);
    // Mostly in the middle of everything, sometimes before it has called, or before its connectors are back.
    if (kill === 0 || moment > 0) {
      await worker.ready();
      await worker.call('PUT', '/connectors/resuming/config', config);
      const upTo = feed.sent + (moment === 1 ? 0 : random(1, 4000));
      await waitFor(() => feed.sent >= upTo, { timeoutMs: 30_000, what: () => worker.output() });
    }
    kills.push({ committed: await committedSequence(worker), calls: feed.resumedAfter.length });
    await worker.end('SIGKILL');
  }
  const last = await startWorkerProcess(folder, properties);
  await last.untilState('resuming', 'RUNNING');
  await readToEnd(last, feed);
  return { feed, kills, records: await log.records('resumed') };
}

/** Lets the feed end, waits until all of it is committed, and ends the worker. */
async function readToEnd(worker: ObservedWorker, feed: ResumableFeed): Promise<void> {
  feed.finish();
  await waitFor(async () => (await committedSequence(worker)) === feed.last, {
    timeoutMs: 30_000,
    what: () => worker.output(),
  });
  expect(await worker.attributes('resuming')).toMatchObject({ UnaccountedCount: 0, MessagesDropped: 0 });
  expect(await worker.end('SIGTERM')).toBe(0);
}

/** What must not be: events that are missing or out of order, that were committed and came again, or whose sequence is not theirs. */
function faults({ feed, kills, records }: Outcome) {
  const numbers = records.map(({ value }) => Number(JSON.parse(value).sequence));
  const sessions = records.map(({ headers }) => headers['session.id']);
  const present = new Set(numbers);
  const begins = (i: number): boolean => sessions[i] !== sessions[i - 1];
  return {
    missing: Array.from({ length: feed.last }, (_, i) => i + 1).filter((n) => !present.has(n)),
    holes: numbers.filter((n, i) => !begins(i) && n !== (numbers[i - 1] ?? 0) + 1),
    skipped: numbers.filter((n, i) => begins(i) && n > (numbers[i - 1] ?? 0) + 1),
    misnumbered: records.filter(({ headers }, i) => Number(headers['sequence']) !== numbers[i]),
    repeatedThoughCommitted: kills.filter(
      ({ committed, calls }) => (feed.resumedAfter[calls] ?? 0) < committed,
    ),
  };
}

const none = { missing: [], holes: [], skipped: [], misnumbered: [], repeatedThoughCommitted: [] };

const bySequence = { 'grpc.request.resume.field': 'cursor.sequence' };
const byField = { 'grpc.request.resume.field': 'after_id', 'grpc.request.resume.from': '/eventId' };

describe('a gRPC connector on the embedded log, whose server can resume', () => {
  it.each([
    ['the last sequence number', bySequence],
    ['a field of the last message', byField],
  ])('loses nothing when the worker is killed again and again, going on behind %s', async (_, resume) => {
    const folder = await newFolder();
    const outcome = await killWorker({ log: embeddedLog(folder), folder, resume });
    expect(outcome.records.length).toBeGreaterThan(KILLS * 100);
    expect(outcome.feed.resumedAfter.length).toBeGreaterThan(KILLS / 2);
    expect(faults(outcome)).toEqual(none);
  });
});

describe('a gRPC connector whose server can resume, and whose worker is never killed', () => {
  it('stores each message once, over pauses, restarts, changes, outages of the server and ends of the worker', async () => {
    const folder = await newFolder();
    const feed = resumableFeed();
    const server = await newFeed(feed);
    const config = resumingConfig(server.port, bySequence);
    // Longer than a step: what a stop does not commit itself comes again.
    const properties = { 'offset.flush.interval.ms': '2000' };
    let worker = await startWorkerProcess(folder, properties);
    await worker.ready();
    await worker.call('PUT', '/connectors/resuming/config', config);
    const more = async (): Promise<void> => {
      const upTo = feed.sent + 1000;
      await waitFor(() => feed.sent >= upTo, { timeoutMs: 30_000, what: () => worker.output() });
    };
    const steps: readonly (() => Promise<unknown>)[] = [
      () => worker.call('POST', '/connectors/resuming/tasks/0/restart'),
      () => {
        const keepalive = String(30_000 + feed.resumedAfter.length);
        return worker.call('PATCH', '/connectors/resuming/config', { 'grpc.keepalive.time.ms': keepalive });
      },
      async () => {
        server.kill();
        await server.listen();
      },
      async () => {
        await worker.call('PUT', '/connectors/resuming/pause');
        await worker.untilState('resuming', 'PAUSED');
        await worker.call('PUT', '/connectors/resuming/resume');
      },
      async () => {
        expect(await worker.end('SIGTERM')).toBe(0);
        worker = await startWorkerProcess(folder, properties);
      },
    ];
    for (const step of [...steps, ...steps]) {
      await more();
      await step();
    }
    await more();
    await readToEnd(worker, feed);
    const records = await embeddedLog(folder).records('resumed');
    const numbers = records.map(({ value }) => Number(JSON.parse(value).sequence));
    expect(numbers).toEqual(Array.from({ length: feed.last }, (_, i) => i + 1));
    expect(feed.resumedAfter).toHaveLength(11);
  });
});

describeWithBroker('a gRPC connector on a broker, whose server can resume', {}, (broker) => {
  it('loses nothing when the worker is killed again and again', async () => {
    await createTopic(broker(), 'resumed');
    const log = clusterLog(broker(), 'resuming-worker');
    const outcome = await killWorker({ log, folder: await newFolder(), resume: bySequence });
    expect(outcome.records.length).toBeGreaterThan(KILLS * 100);
    expect(outcome.feed.resumedAfter.length).toBeGreaterThan(KILLS / 2);
    expect(faults(outcome)).toEqual(none);
  });
});
