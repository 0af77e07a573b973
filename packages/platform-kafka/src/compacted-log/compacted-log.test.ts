import { silentLogger, systemClock } from '@levada/connect-runtime-core';
import type {
  CompactedLogOptions,
  CompactedRecord,
  LogPlatform,
} from '@levada/connect-runtime-core/platform';
import { createRecordingLogger, waitFor } from '@levada/connect-runtime-core/testing';
import { createTopic, readTopic, startKafkaProxy, withAdmin } from '@levada/kafka-testkit';
import { describeWithSharedBroker } from '@levada/kafka-testkit/vitest';
import { afterEach, expect, it } from 'vitest';
import { openKafkaPlatform } from '../kafka-platform.ts';

describeWithSharedBroker('a compacted log on Kafka', {}, (broker) => {
  const opened: LogPlatform[] = [];
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((platform) => platform.close()));
  });

  const open = async (config: Readonly<Record<string, string>> = {}): Promise<LogPlatform> => {
    const platform = await openKafkaPlatform({
      config: { 'bootstrap.servers': broker().bootstrap, ...config },
      logger: silentLogger,
      clock: systemClock,
    });
    opened.push(platform);
    return platform;
  };

  it('the topic is created with the requested partitions and cleanup.policy=compact', async () => {
    const platform = await open();
    for (const [name, partitions] of [
      ['made-offsets', 25],
      ['made-configs', 1],
      ['made-status', 5],
    ] as const) {
      const log = await platform.compactedLog(logOptions(name, { partitions }));
      await log.close();
      expect(await platform.describeTopics([name])).toEqual([{ name, partitions, cleanupPolicy: 'compact' }]);
    }
  });

  it("a topic with several partitions is refused with Connect's message if one is required", async () => {
    await createTopic(broker(), 'two', { partitions: 2, config: { 'cleanup.policy': 'compact' } });
    const platform = await open();
    const opening = platform.compactedLog(logOptions('two', { partitions: 1, exact: true }));
    await expect(opening).rejects.toMatchObject({
      code: 'config_invalid',
      message:
        "Topic 'two' supplied via the 'config.storage.topic' property is required to have a single partition in order to " +
        'guarantee consistency of connector configurations, but found 2 partitions.',
    });
  });

  it.each(['delete', 'compact,delete'])('a topic with cleanup policy %s is refused', async (policy) => {
    const name = `policy-${policy.replace(',', '-')}`;
    await createTopic(broker(), name, { config: { 'cleanup.policy': policy } });
    const platform = await open();
    const opening = platform.compactedLog(logOptions(name, { partitions: 1 }));
    await expect(opening).rejects.toMatchObject({
      code: 'config_invalid',
      retriable: false,
      message: expect.stringContaining(`found the topic currently has 'cleanup.policy=${policy}'`),
      issues: [{ key: 'config.storage.topic' }],
    });
  });

  it('a write to a deleted topic is refused and does not create it with another policy', async () => {
    const platform = await open({ 'producer.max.block.ms': '300' });
    const log = await platform.compactedLog(logOptions('removed', { partitions: 1 }));
    await log.put(Buffer.from('k'), Buffer.from('one'));
    await withAdmin(broker(), (admin) => admin.deleteTopics({ topics: ['removed'] }));
    // For a moment the broker still accepts records
    await waitFor(() =>
      log.put(Buffer.from('k'), Buffer.from('two')).then(
        () => false,
        () => true,
      ),
    );
    await expect(log.put(Buffer.from('k'), Buffer.from('three'))).rejects.toMatchObject({
      code: 'topic_unavailable',
      message: expect.stringContaining('"removed"'),
    });
    expect(await platform.describeTopics(['removed'])).toEqual([]);
  });

  it('the error for a replication factor above the cluster size has a fix', async () => {
    const platform = await open();
    const options = logOptions('replicated', { partitions: 1 });
    const opening = platform.compactedLog({ ...options, topic: { ...options.topic, replicationFactor: 3 } });
    await expect(opening).rejects.toMatchObject({
      code: 'config_invalid',
      message: expect.stringContaining(
        'set "config.storage.replication.factor" to at most the number of brokers',
      ),
    });
  });

  it('stored records are delivered first, then new ones of this and other writers, in order', async () => {
    const [one, other] = [await open(), await open()];
    const mine = collector();
    const theirs = collector();
    const first = await one.compactedLog(logOptions('shared', { partitions: 3, onRecord: mine.onRecord }));
    for (let i = 0; i < 50; i++) await first.put(Buffer.from(`key-${i % 5}`), Buffer.from(String(i)));
    const second = await other.compactedLog(
      logOptions('shared', { partitions: 3, onRecord: theirs.onRecord }),
    );
    expect(theirs.texts()).toHaveLength(50);
    await second.put(Buffer.from('key-0'), null);
    await first.readToEnd();
    await second.readToEnd();
    expect(mine.ofKey('key-0')).toEqual(['0', '5', '10', '15', '20', '25', '30', '35', '40', '45', null]);
    expect(theirs.ofKey('key-0')).toEqual(mine.ofKey('key-0'));
    const read = await readTopic(broker(), 'shared', { count: 51 });
    expect(read.filter(({ value }) => value === null).map(({ key }) => key?.toString())).toEqual(['key-0']);
  });

  it('new partitions are read while the log is open', async () => {
    const platform = await open();
    const { onRecord, texts } = collector();
    const log = await platform.compactedLog(logOptions('grown', { partitions: 1, onRecord }));
    await log.put(Buffer.from('a'), Buffer.from('1'));
    const topicPartitions = [{ topic: 'grown', count: 4 }];
    await withAdmin(broker(), (admin) => admin.createPartitions({ topicPartitions }));
    const other = await (await open()).compactedLog(logOptions('grown', { partitions: 1 }));
    for (const key of ['b', 'c', 'd', 'e', 'f']) await other.put(Buffer.from(key), Buffer.from('2'));
    await log.readToEnd();
    expect([...texts()].sort()).toEqual(['a=1', 'b=2', 'c=2', 'd=2', 'e=2', 'f=2']);
    expect(platform.health()).toEqual({ status: 'ok' });
  });

  it('records of other writers are delivered without a request', async () => {
    // A long fetch must end as soon as there is a record for it
    const [one, other] = [await open({ 'fetch.max.wait.ms': '60000' }), await open()];
    const { onRecord, texts } = collector();
    await one.compactedLog(logOptions('split', { partitions: 5, onRecord }));
    const writer = await other.compactedLog(logOptions('split', { partitions: 5 }));
    await writer.put(Buffer.from('a'), Buffer.from('1'));
    await waitFor(() => texts().length === 1);
    expect(texts()).toEqual(['a=1']);
  });

  it('reading resumes at its position after the broker was away', async () => {
    const proxy = await startKafkaProxy(broker());
    try {
      const platform = await open({ 'bootstrap.servers': proxy.bootstrap });
      const { onRecord, texts } = collector();
      const log = await platform.compactedLog(logOptions('away', { partitions: 2, onRecord }));
      await log.put(Buffer.from('a'), Buffer.from('1'));
      proxy.down(true);
      await waitFor(() => platform.health().status === 'away');
      const writer = await (await open()).compactedLog(logOptions('away', { partitions: 2 }));
      await writer.put(Buffer.from('b'), Buffer.from('2'));
      proxy.down(false);
      await log.readToEnd();
      await log.put(Buffer.from('c'), Buffer.from('3'));
      await log.readToEnd();
      expect(texts()).toEqual(['a=1', 'b=2', 'c=3']);
      expect(platform.health()).toEqual({ status: 'ok' });
    } finally {
      await proxy.close();
    }
  });

  it('opening waits for an unreachable broker', async () => {
    const proxy = await startKafkaProxy(broker());
    try {
      proxy.down(true);
      const platform = await open({ 'bootstrap.servers': proxy.bootstrap });
      const opening = platform.compactedLog(logOptions('late', { partitions: 1 }));
      await waitFor(() => platform.health().status === 'away');
      await expect(platform.clusterId()).rejects.toMatchObject({ retriable: true });
      proxy.down(false);
      const log = await opening;
      await log.put(Buffer.from('a'), Buffer.from('1'));
      expect(await platform.clusterId()).toMatch(/^[\w-]{22}$/);
    } finally {
      await proxy.close();
    }
  });

  it('opening stops when its signal aborts or the platform closes, even while no broker answers', async () => {
    const config = { 'bootstrap.servers': '127.0.0.1:1' };
    const platform = await open(config);
    const opening = platform.compactedLog(logOptions('never', { partitions: 1 }), AbortSignal.abort());
    await expect(opening).rejects.toMatchObject({ code: 'aborted' });
    const other = platform.compactedLog(logOptions('never', { partitions: 1 }));
    const [outcome] = await Promise.allSettled([other, platform.close()]);
    expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'closed' } });
    await expect(platform.describeTopics(['x'])).rejects.toMatchObject({ code: 'closed' });
  });

  it('a partition is read from its start again if the next record was deleted', async () => {
    const logger = createRecordingLogger();
    const proxy = await startKafkaProxy(broker());
    try {
      const platform = await openKafkaPlatform({
        config: { 'bootstrap.servers': proxy.bootstrap },
        logger,
        clock: systemClock,
      });
      opened.push(platform);
      const { onRecord, texts } = collector();
      const log = await platform.compactedLog(logOptions('cut', { partitions: 1, onRecord }));
      proxy.down(true);
      const other = await open();
      const writer = await other.compactedLog(logOptions('cut', { partitions: 1 }));
      for (const value of ['1', '2', '3']) await writer.put(Buffer.from('a'), Buffer.from(value));
      await withAdmin(broker(), async (admin) => {
        // only topics with cleanup.policy=delete may be truncated
        const entries = (policy: string) => [{ name: 'cleanup.policy', value: policy }];
        const resource = (policy: string) => ({ type: 2, name: 'cut', configEntries: entries(policy) });
        await admin.alterConfigs({ validateOnly: false, resources: [resource('delete')] });
        const cut = { topic: 'cut', partitions: [{ partition: 0, offset: '2' }] };
        // The broker's log applies the policy with a delay
        await waitFor(() =>
          admin.deleteTopicRecords(cut).then(
            () => true,
            () => false,
          ),
        );
        await admin.alterConfigs({ validateOnly: false, resources: [resource('compact')] });
      });
      proxy.down(false);
      await log.readToEnd();
      expect(texts()).toEqual(['a=3']);
      expect(logger.withEvent('kafka_topic_reset')).toHaveLength(1);
    } finally {
      await proxy.close();
    }
  });

  it('an unsent put is dropped when its term ends, and puts of the next term are stored', async () => {
    const proxy = await startKafkaProxy(broker());
    try {
      const platform = await open({ 'bootstrap.servers': proxy.bootstrap });
      const lease: { term: number | undefined } = { term: 1 };
      const options = { ...logOptions('owned', { partitions: 1 }), writeTerm: () => lease.term };
      const log = await platform.compactedLog(options);
      await log.put(Buffer.from('a'), Buffer.from('1'));
      proxy.down(true);
      const late = log.put(Buffer.from('a'), Buffer.from('late')).then(
        () => 'stored',
        (error: unknown) => error,
      );
      // The term ends between the put and its request, while another worker owns the key
      lease.term = undefined;
      const successor = await (await open()).compactedLog(logOptions('owned', { partitions: 1 }));
      await successor.put(Buffer.from('a'), Buffer.from('2'));
      await expect(log.put(Buffer.from('a'), Buffer.from('no'))).rejects.toMatchObject({ code: 'fenced' });
      proxy.down(false);
      await log.readToEnd();
      lease.term = 2;
      await log.put(Buffer.from('b'), Buffer.from('3'));
      await platform.close();
      expect(await late).toMatchObject({ code: 'closed' });
      const { onRecord, texts } = collector();
      await (await open()).compactedLog(logOptions('owned', { partitions: 1, onRecord }));
      expect(texts()).toEqual(['a=1', 'a=2', 'b=3']);
    } finally {
      await proxy.close();
    }
  });
});

interface LogChoice {
  readonly partitions: number;
  readonly exact?: boolean;
  readonly onRecord?: (record: CompactedRecord) => void;
}

function logOptions(name: string, { partitions, exact = false, onRecord }: LogChoice): CompactedLogOptions {
  return {
    topic: { name, partitions, replicationFactor: 1 },
    configKey: 'config.storage.topic',
    exactPartitions: exact,
    onRecord: onRecord ?? (() => undefined),
    clientId: `${name}-reader`,
  };
}

function collector() {
  const records: CompactedRecord[] = [];
  return {
    onRecord: (record: CompactedRecord): void => {
      records.push(record);
    },
    texts: () => records.map(({ key, value }) => `${text(key)}=${text(value)}`),
    ofKey: (key: string) =>
      records.filter((record) => text(record.key) === key).map(({ value }) => text(value)),
  };
}

function text(bytes: Uint8Array | null): string | null {
  return bytes === null ? null : Buffer.from(bytes).toString();
}
