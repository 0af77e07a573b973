import { silentLogger, systemClock } from '@levada/connect-runtime-core';
import type {
  CompactedRecord,
  LogPlatform,
  TransactionalProducer,
} from '@levada/connect-runtime-core/platform';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { createTopic, readTopic, startKafkaProxy, withAdmin } from '@levada/kafka-testkit';
import { describeWithSharedBroker } from '@levada/kafka-testkit/vitest';
import { expect, it, onTestFinished } from 'vitest';
import { record } from '../test/producing.ts';
import { openKafkaPlatform } from './kafka-platform.ts';

/** Kafka's request numbers. */
const [produce, initProducerId, addPartitionsToTxn, endTxn] = [0, 22, 24, 26] as const;

const never = new AbortController().signal;

describeWithSharedBroker('transactions', {}, (broker) => {
  async function openPlatform(bootstrap = broker().bootstrap): Promise<LogPlatform> {
    const platform = await openKafkaPlatform({
      config: { 'bootstrap.servers': bootstrap, 'retry.backoff.ms': '20', 'producer.retry.backoff.ms': '20' },
      logger: silentLogger,
      clock: systemClock,
    });
    onTestFinished(() => platform.close({ timeoutMs: 0 }));
    return platform;
  }

  async function open(
    platform: LogPlatform,
    transactionalId: string,
    more: { readonly mayProduce?: () => boolean } = {},
  ): Promise<TransactionalProducer> {
    const producer = await platform.transactions?.producer(
      { clientId: transactionalId, transactionalId, ...more },
      never,
    );
    if (producer === undefined) throw new Error('the platform has no transactions');
    return producer;
  }

  async function texts(topic: string, count: number): Promise<readonly string[]> {
    const records = await readTopic(broker(), topic, { count });
    return records.map(({ value }) => String(value));
  }

  it('readers of committed records see whole transactions, and no aborted ones', async () => {
    await createTopic(broker(), 'whole', { partitions: 3 });
    const producer = await open(await openPlatform(), 'whole-0');
    for (let round = 0; round < 4; round += 1) {
      const batch = Array.from({ length: 50 }, (_, i) =>
        record('whole', `${round}-${i}`, { partition: i % 3 }),
      );
      expect(await producer.send(batch)).toEqual({ stored: 50, failures: [] });
      await (round % 2 === 0 ? producer.commit() : producer.abort());
    }
    const read = await texts('whole', 100);
    expect(read.filter((text) => /^[13]-/.test(text))).toEqual([]);
    expect(new Set(read).size).toBe(100);
  });

  it('the earlier producer of the id is fenced, and its open transaction is aborted', async () => {
    await createTopic(broker(), 'taken-over');
    const platform = await openPlatform();
    const zombie = await open(platform, 'taken-over-0');
    await zombie.send([record('taken-over', 'committed')]);
    await zombie.commit();
    await zombie.send([record('taken-over', 'open')]);
    const successor = await open(platform, 'taken-over-0');
    await successor.send([record('taken-over', 'of the successor')]);
    await successor.commit();
    await expect(zombie.commit()).rejects.toMatchObject({ code: 'fenced', retriable: false });
    await expect(zombie.send([record('taken-over', 'late')])).rejects.toMatchObject({ code: 'fenced' });
    expect(await texts('taken-over', 2)).toEqual(['committed', 'of the successor']);
  });

  it('producers are fenced by their ids alone, even while they send', async () => {
    await createTopic(broker(), 'fenced-by-id');
    const platform = await openPlatform();
    const zombie = await open(platform, 'by-id-0');
    await zombie.send([record('fenced-by-id', 'open')]);
    await platform.transactions?.fence(['by-id-0', 'by-id-1'], never);
    const { failures } = await zombie.send([record('fenced-by-id', 'late')]);
    expect(failures.map(({ error }) => error.code)).toEqual(['fenced']);
    await expect(zombie.commit()).rejects.toMatchObject({ code: 'fenced' });
  });

  it('a commit waits until the worker may produce', async () => {
    await createTopic(broker(), 'permitted');
    const lease = { held: true, asked: 0 };
    const mayProduce = (): boolean => {
      lease.asked += 1;
      return lease.held;
    };
    const producer = await open(await openPlatform(), 'permitted-0', { mayProduce });
    await producer.send([record('permitted', 'one')]);
    lease.held = false;
    lease.asked = 0;
    let committed = false;
    const commit = producer.commit().then(() => {
      committed = true;
    });
    await waitFor(() => lease.asked > 2);
    expect(committed).toBe(false);
    lease.held = true;
    await commit;
    expect(await texts('permitted', 1)).toEqual(['one']);
  });

  it('compacted logs skip aborted and open records, and read to the end of the open transaction', async () => {
    const platform = await openPlatform();
    const seen: string[] = [];
    const log = await platform.compactedLog({
      topic: { name: 'offsets', partitions: 1 },
      configKey: 'offset.storage.topic',
      clientId: 'reader',
      onRecord: ({ value }: CompactedRecord) => seen.push(String(Buffer.from(value ?? []))),
    });
    const producer = await open(platform, 'compacted-0');
    const put = (text: string) => producer.send([record('offsets', text, { key: Buffer.from('k') })]);
    await put('aborted');
    await producer.abort();
    await put('committed');
    await producer.commit();
    await put('open');
    await log.put(Buffer.from('other'), Buffer.from('after the open one'));
    const end = log.readToEnd();
    await producer.abort();
    await end;
    expect(seen).toEqual(['committed', 'after the open one']);
  });

  it('a compacted log with an open transaction of a killed writer can be opened', async () => {
    const platform = await openPlatform();
    const seen: string[] = [];
    const follow = () =>
      platform.compactedLog({
        topic: { name: 'left-open', partitions: 1 },
        configKey: 'offset.storage.topic',
        clientId: 'reader',
        onRecord: ({ value }: CompactedRecord) => seen.push(String(Buffer.from(value ?? []))),
      });
    await (await follow()).close();
    const killed = await open(platform, 'left-open-0');
    const put = (text: string) => killed.send([record('left-open', text, { key: Buffer.from(text) })]);
    await put('committed');
    await killed.commit();
    await put('open');
    const log = await follow();
    expect(seen).toEqual(['committed']);
    await open(platform, 'left-open-0');
    await log.readToEnd();
    expect(seen).toEqual(['committed']);
  });

  it('each record is stored once when answers of any kind are lost', async () => {
    await createTopic(broker(), 'answers-lost', { partitions: 2 });
    const proxy = await startKafkaProxy(broker());
    onTestFinished(() => proxy.close());
    const platform = await openPlatform(proxy.bootstrap);
    proxy.dropResponses(initProducerId, 1);
    const producer = await open(platform, 'answers-lost-0');
    for (let round = 0; round < 6; round += 1) {
      for (const apiKey of [addPartitionsToTxn, produce, endTxn]) proxy.dropResponses(apiKey, 1);
      const batch = Array.from({ length: 10 }, (_, i) =>
        record('answers-lost', `${round}-${i}`, { partition: i % 2 }),
      );
      expect(await producer.send(batch)).toEqual({ stored: 10, failures: [] });
      await (round % 2 === 0 ? producer.commit() : producer.abort());
    }
    expect(proxy.dropped).toBe(19);
    const read = await readTopic(broker(), 'answers-lost', { count: 30, lingerMs: 200 });
    const texts = read.map(({ value }) => String(value));
    expect(texts.filter((text) => /^[135]-/.test(text))).toEqual([]);
    expect([texts.length, new Set(texts).size]).toEqual([30, 30]);
  });

  it('transactions continue when a topic was recreated', async () => {
    await createTopic(broker(), 'deleted');
    await createTopic(broker(), 'kept');
    const producer = await open(await openPlatform(), 'deleted-0');
    await producer.send([record('deleted', 'lost with the topic')]);
    await producer.commit();
    await withAdmin(broker(), (admin) => admin.deleteTopics({ topics: ['deleted'] }));
    const batch = [record('deleted', 'two'), record('kept', 'two')];
    expect(await producer.send(batch)).toEqual({ stored: 2, failures: [] });
    await producer.commit();
    expect([await texts('deleted', 1), await texts('kept', 1)]).toEqual([['two'], ['two']]);
  });

  it('the other records are committed if one cannot be written', async () => {
    await createTopic(broker(), 'rest');
    const producer = await open(await openPlatform(), 'rest-0');
    const sent = await producer.send([
      record('rest', 'one'),
      record('no legal name', 'x'),
      record('rest', 'two'),
    ]);
    expect(sent).toMatchObject({ stored: 2, failures: [{ index: 1, error: { code: 'topic_unavailable' } }] });
    await producer.commit();
    expect(await texts('rest', 2)).toEqual(['one', 'two']);
  });
});
