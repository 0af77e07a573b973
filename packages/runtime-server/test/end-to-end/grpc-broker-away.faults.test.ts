import { waitFor } from '@levada/connect-runtime-core/testing';
import { createTopic } from '@levada/kafka-testkit';
import { describeWithBroker } from '@levada/kafka-testkit/vitest';
import { expect, it } from 'vitest';
import { grpcConfig, grpcFeeds } from './grpc-feed.ts';
import { quickBroker } from './quick-broker.ts';
import { resumableFeed } from './resumable-feed.ts';
import { stage } from './stage.ts';
import { clusterLog } from './stored-log.ts';
import { startWorkerProcess } from './worker-process.ts';

const { newFolder } = stage();
const { newFeed } = grpcFeeds();

const QUEUE = 1000;
/** Sent while the broker is away: far more than the queue and everything on its way to the broker hold. */
const SENT_MEANWHILE = 40_000;

describeWithBroker('a gRPC connector whose broker goes away', quickBroker, (broker) => {
  it.each(['none', 'thread'])(
    'holds its server up with the block policy, and loses nothing, with task.isolation=%s',
    async (isolation) => {
      const topic = `held-up-${isolation}`;
      const feed = resumableFeed();
      const server = await newFeed(feed);
      await createTopic(broker(), topic);
      const log = clusterLog(broker(), `${topic}-worker`);
      const worker = await startWorkerProcess(await newFolder(), log.properties);
      await worker.ready();
      const config = grpcConfig(server.port, {
        'grpc.service.name': feed.service,
        'grpc.method.name': feed.method,
        'grpc.queue.full.policy': 'block',
        'grpc.message.queue.size': String(QUEUE),
        'platform.topic': topic,
        'task.isolation': isolation,
      });
      await worker.call('PUT', '/connectors/feed/config', config);
      await worker.untilAttribute('feed', 'RecordsProduced', (n) => n > 5000);
      await broker().kill();
      const before = feed.sent;
      await waitFor(() => feed.sent > before + SENT_MEANWHILE, { timeoutMs: 60_000 });
      const away = await worker.attributes('feed');
      expect(away['QueueSize']).toBe(QUEUE);
      expect(away['LagCount']).toBeLessThan(SENT_MEANWHILE / 2);
      expect(away).toMatchObject({ MessagesDropped: 0, UnaccountedCount: 0, IsConnected: true });
      await broker().restart();
      feed.finish();
      const quiet = await worker.untilAttribute('feed', 'RecordsProduced', (n) => n === feed.last);
      expect(quiet).toMatchObject({ MessagesReceived: feed.last, MessagesDropped: 0, UnaccountedCount: 0 });
      const records = await log.records(topic);
      expect(records.map(({ value }) => JSON.parse(value).sequence)).toEqual(
        Array.from({ length: feed.last }, (_, i) => String(i + 1)),
      );
      expect(feed.resumedAfter).toEqual([0]);
      expect(worker.logged('task_failed')).toEqual([]);
      expect(await worker.end('SIGTERM')).toBe(0);
    },
  );
});
