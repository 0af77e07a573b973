import { waitFor } from '@levada/connect-runtime-core/testing';
import { expect } from 'vitest';
import { type GrpcFeed, grpcConfig } from './grpc-feed.ts';
import type { ObservedWorker } from './observed-worker.ts';
import { randomIntegers } from './random.ts';
import type { ResumableFeed } from './resumable-feed.ts';
import type { StoredLog, StoredRecord } from './stored-log.ts';
import { startWorkerProcess } from './worker-process.ts';

/** `LEVADA_E2E_SEED` for other moments. */
const SEED = Number(process.env['LEVADA_E2E_SEED'] ?? 20261121);

/** The worker was killed when this sequence was committed at least, and it had called that often in all its lives. */
interface Kill {
  readonly committed: number;
  readonly calls: number;
}

/** State after the worker was killed repeatedly. */
interface Outcome {
  readonly feed: ResumableFeed;
  readonly kills: readonly Kill[];
  readonly records: readonly StoredRecord[];
}

/** How often the worker is killed, and where it runs. */
interface Killing {
  readonly kills: number;
  readonly log: StoredLog;
  readonly folder: string;
  readonly topic: string;
  readonly feed: ResumableFeed;
  readonly server: GrpcFeed;
  /** The keys that say where to resume. */
  readonly resume: Readonly<Record<string, string>>;
}

async function committedSequence(worker: ObservedWorker): Promise<number> {
  const { json } = await worker.call('GET', '/connectors/resuming/offsets');
  return json?.offsets?.[0]?.offset?.sequence ?? 0;
}

/** A connector whose server sends what comes after the point that it is asked for. */
export function resumingConfig(port: number, more: Killing['resume']): Readonly<Record<string, string>> {
  return grpcConfig(port, {
    'grpc.service.name': 'teststream.RichService',
    'grpc.method.name': 'Watch',
    'grpc.queue.full.policy': 'block',
    'grpc.message.queue.size': '500',
    'record.headers.enabled': 'true',
    'platform.topic': 'resumed',
    ...more,
  });
}

/** Kills the worker of a connector again and again, then lets the last one read to the end of the feed. */
export async function killGrpcWorker(killing: Killing): Promise<Outcome> {
  const { log, folder, topic, feed, server, resume } = killing;
  const random = randomIntegers(SEED);
  const properties = { ...log.properties, 'offset.flush.interval.ms': '20' };
  const config = resumingConfig(server.port, { ...resume, 'platform.topic': topic });
  const kills: Kill[] = [];
  for (let kill = 0; kill < killing.kills; kill += 1) {
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
  return { feed, kills, records: await log.records(topic) };
}

/** Lets the feed end, waits until all of it is committed, and ends the worker. */
export async function readToEnd(worker: ObservedWorker, feed: ResumableFeed): Promise<void> {
  feed.finish();
  await waitFor(async () => (await committedSequence(worker)) === feed.last, {
    timeoutMs: 30_000,
    what: () => worker.output(),
  });
  expect(await worker.attributes('resuming')).toMatchObject({ UnaccountedCount: 0, MessagesDropped: 0 });
  expect(await worker.end('SIGTERM')).toBe(0);
}

/** What must not be: events that are missing or out of order, that were committed and came again, or whose sequence is not theirs. */
export function faults({ feed, kills, records }: Outcome) {
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

/** The faults of an outcome in which nothing was lost. */
export const none = { missing: [], holes: [], skipped: [], misnumbered: [], repeatedThoughCommitted: [] };

/** Resumes after the last sequence number. */
export const bySequence = { 'grpc.request.resume.field': 'cursor.sequence' };
