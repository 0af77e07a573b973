import { silentLogger, systemClock } from '@levada/connect-runtime-core';
import type { CompactedLog, CompactedRecord } from '@levada/connect-runtime-core/platform';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { type Broker, countTopic, createTopic } from '@levada/kafka-testkit';
import { describeWithBroker } from '@levada/kafka-testkit/vitest';
import { Kafka, logLevel } from 'kafkajs';
import { expect, it } from 'vitest';
import { openKafkaPlatform } from '../kafka-platform.ts';

/** The content of a log, read from its start. */
async function contents(broker: Broker, topic: string): Promise<readonly CompactedRecord[]> {
  const records: CompactedRecord[] = [];
  await withLog(broker, topic, records, async () => undefined);
  return records;
}

async function withLog(
  broker: Broker,
  topic: string,
  into: CompactedRecord[],
  work: (log: CompactedLog) => Promise<void>,
): Promise<void> {
  const config = { 'bootstrap.servers': broker.bootstrap };
  const platform = await openKafkaPlatform({ config, logger: silentLogger, clock: systemClock });
  try {
    const log = await platform.compactedLog({
      topic: { name: topic, partitions: 1, replicationFactor: 1 },
      configKey: 'status.storage.topic',
      onRecord: (record) => into.push(record),
      clientId: 'reader',
    });
    await work(log);
  } finally {
    await platform.close();
  }
}

const quickCleaner = { 'log.cleaner.backoff.ms': '100', 'log.initial.task.delay.ms': '100' };

describeWithBroker('what a broker stores', { settings: quickCleaner }, (broker) => {
  it.each(['gzip', 'snappy', 'lz4', 'zstd'])('a topic compressed with %s is read', async (codec) => {
    const topic = `packed-${codec}`;
    await createTopic(broker(), topic, {
      config: { 'cleanup.policy': 'compact', 'compression.type': codec },
    });
    const texts = [
      'x'.repeat(200_000),
      Array.from({ length: 20_000 }, (_, i) => `${i * 7919},`).join(''),
      '',
      '{"properties":{"name":"a"}}',
    ];
    await withLog(broker(), topic, [], async (log) => {
      for (const [index, text] of texts.entries())
        await log.put(Buffer.from(`key-${index}`), Buffer.from(text));
    });
    const read = (await contents(broker(), topic)).map(({ value }) =>
      Buffer.from(value ?? 'null').toString(),
    );
    expect(read).toEqual(texts);
  });

  it('a log is read to its end without the markers of transactions', async () => {
    await createTopic(broker(), 'marked', { config: { 'cleanup.policy': 'compact' } });
    const kafka = new Kafka({ brokers: [broker().bootstrap], logLevel: logLevel.NOTHING });
    const producer = kafka.producer({ transactionalId: 't', idempotent: true, maxInFlightRequests: 1 });
    await producer.connect();
    for (const value of ['1', '2']) {
      const transaction = await producer.transaction();
      await transaction.send({ topic: 'marked', messages: [{ key: 'k', value }] });
      await transaction.commit();
    }
    await producer.disconnect();
    expect(await countTopic(broker(), 'marked')).toBe(4);
    expect((await contents(broker(), 'marked')).map(({ offset }) => offset)).toEqual([0, 2]);
  });

  it('a log with gaps of the cleaner is read', async () => {
    const config = {
      'cleanup.policy': 'compact',
      'segment.bytes': '1000',
      'min.cleanable.dirty.ratio': '0.01',
      'delete.retention.ms': '0',
    };
    await createTopic(broker(), 'cleaned', { config });
    const value = Buffer.alloc(300, 'v');
    await withLog(broker(), 'cleaned', [], async (log) => {
      for (let i = 0; i < 40; i++) await log.put(Buffer.from(`key-${i % 2}`), value);
    });
    const left = await waitFor(
      async () => {
        const records = await contents(broker(), 'cleaned');
        return records.length < 20 ? records : undefined;
      },
      { timeoutMs: 30_000 },
    );
    expect(left.at(-1)?.offset).toBe(39);
    expect(new Set(left.map(({ key }) => Buffer.from(key ?? []).toString())).size).toBe(2);
  }, 60_000);

  it('a log is followed across a kill of the broker', async () => {
    const records: CompactedRecord[] = [];
    await withLog(broker(), 'killed', records, async (log) => {
      await log.put(Buffer.from('a'), Buffer.from('1'));
      await broker().kill();
      const written = log.put(Buffer.from('a'), Buffer.from('2'));
      await broker().restart();
      await written;
      await log.readToEnd();
    });
    expect(records.map(({ value }) => Buffer.from(value ?? []).toString())).toEqual(['1', '2']);
  }, 60_000);

  it('a follower waits while the broker hangs, and the health reports it', async () => {
    const config = {
      'bootstrap.servers': broker().bootstrap,
      'request.timeout.ms': '1000',
      'fetch.max.wait.ms': '200',
      'socket.connection.setup.timeout.ms': '500',
    };
    const platform = await openKafkaPlatform({ config, logger: silentLogger, clock: systemClock });
    try {
      const log = await platform.compactedLog({
        topic: { name: 'stuck', partitions: 1, replicationFactor: 1 },
        configKey: 'status.storage.topic',
        onRecord: () => undefined,
        clientId: 'reader',
      });
      broker().pause();
      await waitFor(() => platform.health().status === 'away', { timeoutMs: 10_000 });
      const reading = log.readToEnd();
      broker().unpause();
      await expect(reading).resolves.toBeUndefined();
      await waitFor(() => platform.health().status === 'ok');
    } finally {
      broker().unpause();
      await platform.close();
    }
  }, 30_000);
});
