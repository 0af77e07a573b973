import { type Clock, systemClock } from '@levada/connect-runtime-core';
import type { LogPlatform } from '@levada/connect-runtime-core/platform';
import { createRecordingLogger, waitFor } from '@levada/connect-runtime-core/testing';
import { type KafkaProxy, startKafkaProxy } from '@levada/kafka-testkit';
import { describeWithSharedBroker } from '@levada/kafka-testkit/vitest';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openKafkaPlatform } from '../kafka-platform.ts';

const LIST_OFFSETS = 2;

/** Error codes of brokers that do not know a new topic yet. */
const settlingCodes = [
  ['UNKNOWN_TOPIC_OR_PARTITION', 3],
  ['LEADER_NOT_AVAILABLE', 5],
  ['NOT_LEADER_OR_FOLLOWER', 6],
] as const;

/** Replaces the error code of the only topic and partition in a ListOffsets response. */
function refuse(frame: Buffer, code: number): void {
  // In flexible versions: length, correlation id, no optional fields, a time, and a list of one topic, which begins with its name
  const name = 8 + 1 + 4 + 1;
  const partitions = name + frame.readUInt8(name);
  frame.writeInt16BE(code, partitions + 1 + 4);
}

describeWithSharedBroker('a compacted log on a topic that was just created', {}, (broker) => {
  const logger = createRecordingLogger();
  let passed = 0;
  const clock: Clock = { ...systemClock, monotonic: () => systemClock.monotonic() + passed };
  let proxy: KafkaProxy;
  let platform: LogPlatform;
  beforeEach(async () => {
    proxy = await startKafkaProxy(broker());
    platform = await openKafkaPlatform({
      config: {
        'bootstrap.servers': proxy.bootstrap,
        'retry.backoff.ms': '10',
        'retry.backoff.max.ms': '20',
      },
      logger,
      clock,
    });
    await waitFor(() => platform.health().status === 'ok');
  });
  afterEach(async () => {
    await platform.close();
    await proxy.close();
  });

  const open = (name: string) =>
    platform.compactedLog({
      topic: { name, partitions: 1, replicationFactor: 1 },
      configKey: 'config.storage.topic',
      onRecord: () => undefined,
      clientId: `${name}-reader`,
    });

  it.each(settlingCodes)('a partition without a leader is not reported at first (%s)', async (name, code) => {
    const seen: string[] = [];
    proxy.changeResponses(LIST_OFFSETS, 20, (frame) => {
      seen.push(platform.health().status);
      refuse(frame, code);
    });
    await open(`fresh-${name}`);
    expect(seen).toEqual(Array.from({ length: 20 }, () => 'ok'));
    expect(logger.withEvent('kafka_topic_unreadable')).toEqual([]);
    expect(platform.health()).toEqual({ status: 'ok' });
  });

  it('a partition without a leader is logged after five seconds in one line, and the health recovers when it is read', async () => {
    let refusing = true;
    proxy.changeResponses(LIST_OFFSETS, Number.POSITIVE_INFINITY, (frame) => {
      if (refusing) refuse(frame, 6);
    });
    const asked = proxy.requests(LIST_OFFSETS);
    const opening = open('stale');
    await waitFor(() => proxy.requests(LIST_OFFSETS) > asked + 2);
    expect(platform.health()).toEqual({ status: 'ok' });
    passed += 5_000;
    const reason = 'cannot read topic "stale" partition 0: the leader has moved (NOT_LEADER_OR_FOLLOWER)';
    const [line] = await waitFor(() => {
      const lines = logger.withEvent('kafka_topic_unreadable');
      return lines.length > 0 ? lines : undefined;
    });
    expect(line?.fields).toEqual({ event: 'kafka_topic_unreadable', topic: 'stale', reason });
    expect(platform.health()).toMatchObject({ status: 'away', reason });
    refusing = false;
    await opening;
    await waitFor(() => platform.health().status === 'ok');
  });
});
