import { createTopic } from '@levada/kafka-testkit';
import { describeWithSharedBroker } from '@levada/kafka-testkit/vitest';
import { expect, it } from 'vitest';
import { grpcFeeds } from './grpc-feed.ts';
import * as grpc from './grpc-kills.ts';
import * as otlp from './otlp-kills.ts';
import { threeSignals } from './otlp-numbered.ts';
import { resumableFeed } from './resumable-feed.ts';
import { stage } from './stage.ts';
import { clusterLog } from './stored-log.ts';

const { newFolder } = stage();
const { newFeed } = grpcFeeds();

// A kill with a WebSocket connector is in ../kafka.test.ts. Many kills, at chosen moments: grpc-resume and otlp-kill of the second tier.
describeWithSharedBroker('one kill of a worker on a broker', {}, (broker) => {
  it('loses nothing of a gRPC server that can resume', async () => {
    const topic = 'killed-once';
    await createTopic(broker(), topic);
    const feed = resumableFeed();
    const outcome = await grpc.killGrpcWorker({
      kills: 1,
      log: clusterLog(broker(), 'grpc-killed-once'),
      folder: await newFolder(),
      topic,
      feed,
      server: await newFeed(feed),
      resume: grpc.bySequence,
    });
    expect(outcome.records.length).toBeGreaterThan(100);
    expect(feed.resumedAfter.length).toBeGreaterThan(1);
    expect(grpc.faults(outcome)).toEqual(grpc.none);
  });

  it('loses no export that an OTLP connector acknowledged', async () => {
    for (const mode of otlp.modes) {
      for (const signal of threeSignals) await createTopic(broker(), `${mode}-${signal}`);
    }
    const log = clusterLog(broker(), 'otlp-killed-once');
    const outcomes = await otlp.killOtlpWorker({ kills: 1, log, folder: await newFolder() });
    expect(otlp.faults(outcomes)).toEqual(otlp.noFaults);
  });
});
