import { waitFor } from '@levada/connect-runtime-core/testing';
import { createTopic } from '@levada/kafka-testkit';
import { describeWithSharedBroker } from '@levada/kafka-testkit/vitest';
import { describe, expect, it } from 'vitest';
import { grpcFeeds } from './grpc-feed.ts';
import { bySequence, faults, killGrpcWorker, none, readToEnd, resumingConfig } from './grpc-kills.ts';
import { resumableFeed } from './resumable-feed.ts';
import { stage } from './stage.ts';
import { clusterLog, embeddedLog } from './stored-log.ts';
import { startWorkerProcess } from './worker-process.ts';

/** `LEVADA_E2E_KILLS=50` for all of them. */
const KILLS = Number(process.env['LEVADA_E2E_KILLS'] ?? 10);

const topic = 'resumed';

const { newFolder } = stage();
const { newFeed } = grpcFeeds();

const byField = { 'grpc.request.resume.field': 'after_id', 'grpc.request.resume.from': '/eventId' };

describe('a gRPC connector on the embedded log, whose server can resume', () => {
  it.each([
    ['the last sequence number', bySequence],
    ['a field of the last message', byField],
  ])('loses nothing when the worker is killed repeatedly and resumes after %s', async (_, resume) => {
    const folder = await newFolder();
    const feed = resumableFeed();
    const server = await newFeed(feed);
    const outcome = await killGrpcWorker({
      kills: KILLS,
      log: embeddedLog(folder),
      folder,
      topic,
      feed,
      server,
      resume,
    });
    expect(outcome.records.length).toBeGreaterThan(KILLS * 100);
    expect(outcome.feed.resumedAfter.length).toBeGreaterThan(KILLS / 2);
    expect(faults(outcome)).toEqual(none);
  });
});

describe('a gRPC connector whose server can resume, and whose worker is never killed', () => {
  it('stores each message of a resumable gRPC stream once, over pauses, restarts, changes, outages and ends of the worker', async () => {
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
      const before = feed.resumedAfter.length;
      await step();
      await waitFor(() => feed.resumedAfter.length === before + 1, { timeoutMs: 30_000 });
    }
    await more();
    await readToEnd(worker, feed);
    const records = await embeddedLog(folder).records(topic);
    const numbers = records.map(({ value }) => Number(JSON.parse(value).sequence));
    expect(numbers).toEqual(Array.from({ length: feed.last }, (_, i) => i + 1));
    expect(feed.resumedAfter).toHaveLength(11);
  });
});

describeWithSharedBroker('a gRPC connector on a broker, whose server can resume', {}, (broker) => {
  it('loses nothing of a resumable gRPC stream on a broker when the worker is killed repeatedly', async () => {
    await createTopic(broker(), topic);
    const log = clusterLog(broker(), 'resuming-worker');
    const feed = resumableFeed();
    const server = await newFeed(feed);
    const folder = await newFolder();
    const outcome = await killGrpcWorker({
      kills: KILLS,
      log,
      folder,
      topic,
      feed,
      server,
      resume: bySequence,
    });
    expect(outcome.records.length).toBeGreaterThan(KILLS * 100);
    expect(outcome.feed.resumedAfter.length).toBeGreaterThan(KILLS / 2);
    expect(faults(outcome)).toEqual(none);
  });

  it('stores each message once in transactions when the worker is killed repeatedly', async () => {
    const once = 'resumed-once';
    await createTopic(broker(), once);
    const log = clusterLog(broker(), 'resuming-once');
    const feed = resumableFeed();
    const server = await newFeed(feed);
    const outcome = await killGrpcWorker({
      kills: 4,
      log: {
        properties: { ...log.properties, 'exactly.once.source.support': 'enabled' },
        records: (name) => log.records(name, feed.last),
      },
      folder: await newFolder(),
      topic: once,
      feed,
      server,
      resume: { ...bySequence, 'exactly.once.support': 'required' },
    });
    const numbers = outcome.records.map(({ value }) => Number(JSON.parse(value).sequence));
    expect(numbers).toEqual(Array.from({ length: feed.last }, (_, i) => i + 1));
    expect(faults(outcome)).toEqual(none);
  });
});
