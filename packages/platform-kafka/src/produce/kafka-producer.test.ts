import { partitionOfKey } from '@levada/connect-runtime-core/platform';
import { countTopic, createTopic, readTopic, withAdmin } from '@levada/kafka-testkit';
import { describeWithSharedBroker } from '@levada/kafka-testkit/vitest';
import { expect, it } from 'vitest';
import { problemsOf, producerAt, record, sendNumbers, sumOf } from '../../test/producing.ts';

const big = (length: number): string => 'x'.repeat(length);

describeWithSharedBroker('a producer', { settings: { 'message.max.bytes': '200000' } }, (broker) => {
  it('records are written unchanged, and null stays null', async () => {
    await createTopic(broker(), 'exact');
    const producer = producerAt(broker().bootstrap);
    const headers = [
      { key: 'a', value: Buffer.from([0, 255]) },
      { key: 'ü', value: null },
      { key: 'empty', value: Buffer.alloc(0) },
    ];
    const long = big(100_000);
    const records = [
      record('exact', 'plain', { timestamp: 1000 }),
      record('exact', null, { key: Buffer.from('deleted'), timestamp: 999 }),
      record('exact', '', { key: Buffer.alloc(0), headers, timestamp: 1_900_000_000_000 }),
      record('exact', long),
    ];
    expect(await producer.send(records)).toEqual({ stored: 4, failures: [] });
    const read = await readTopic(broker(), 'exact', { count: 4 });
    expect(read).toMatchObject([
      { offset: 0, key: null, value: Buffer.from('plain'), timestamp: 1000, headers: [] },
      { offset: 1, key: Buffer.from('deleted'), value: null, timestamp: 999 },
      { key: Buffer.alloc(0), value: Buffer.alloc(0), timestamp: 1_900_000_000_000 },
      { value: Buffer.from(long) },
    ]);
    expect(read[2]?.headers).toEqual(headers.map(({ key, value }) => [key, value]));
    await producer.close();
  });

  it('unsent records wait while the producer may not produce, and are sent when it may again', async () => {
    await createTopic(broker(), 'fenced');
    const fence = { open: true };
    const producer = producerAt(broker().bootstrap, {}, { mayProduce: () => fence.open });
    await producer.send([record('fenced', 'before')]);
    fence.open = false;
    const held = producer.send([record('fenced', 'held')]);
    const other = producerAt(broker().bootstrap);
    await other.send([record('fenced', 'of another')]);
    fence.open = true;
    expect(await held).toEqual({ stored: 1, failures: [] });
    const read = await readTopic(broker(), 'fenced', { count: 3 });
    expect(read.map(({ value }) => String(value))).toEqual(['before', 'of another', 'held']);
    await Promise.all([producer.close(), other.close()]);
  });

  it('encoded records are not sent once the producer may no longer produce', async () => {
    await createTopic(broker(), 'frozen');
    const asks = { left: Number.POSITIVE_INFINITY };
    const mayProduce = (): boolean => {
      asks.left -= 1;
      return asks.left >= 0;
    };
    const producer = producerAt(broker().bootstrap, {}, { mayProduce });
    await producer.send([record('frozen', 'before')]);
    // As if the process froze after it had started to encode
    asks.left = 1;
    const held = producer.send([record('frozen', 'held')]);
    const other = producerAt(broker().bootstrap);
    await other.send([record('frozen', 'of another')]);
    asks.left = Number.POSITIVE_INFINITY;
    expect(await held).toEqual({ stored: 1, failures: [] });
    const read = await readTopic(broker(), 'frozen', { count: 3, lingerMs: 200 });
    expect(read.map(({ value }) => String(value))).toEqual(['before', 'of another', 'held']);
    await Promise.all([producer.close(), other.close()]);
  });

  it('the bytes are copied before send returns', async () => {
    await createTopic(broker(), 'copied');
    const producer = producerAt(broker().bootstrap);
    for (const text of ['one', 'two']) {
      const bytes = Buffer.from(text);
      const sent = producer.send([record('copied', null, { key: bytes, value: bytes })]);
      bytes.fill(0);
      await sent;
    }
    const read = await readTopic(broker(), 'copied', { count: 2 });
    expect(read.map(({ key, value }) => [String(key), String(value)])).toEqual([
      ['one', 'one'],
      ['two', 'two'],
    ]);
    await producer.close();
  });

  it('a key gets the partition of Java clients, and a record with a partition gets that one', async () => {
    await createTopic(broker(), 'keyed', { partitions: 5 });
    const producer = producerAt(broker().bootstrap);
    const keys = Array.from({ length: 50 }, (_, i) => Buffer.from(`key-${i}`));
    const keyed = keys.map((key) => record('keyed', 'by key', { key }));
    const chosen = [0, 4].map((partition) =>
      record('keyed', 'chosen', { partition, key: Buffer.from(`${partition}`) }),
    );
    const missing = record('keyed', 'nowhere', { partition: 5 });
    const result = await producer.send([...keyed, missing, ...chosen]);
    expect(result).toMatchObject({
      stored: 52,
      failures: [{ index: 50, error: { code: 'topic_unavailable' } }],
    });
    for (const { key, value, partition } of await readTopic(broker(), 'keyed', { count: 52 })) {
      const bytes = key ?? Buffer.alloc(0);
      expect(partition).toBe(String(value) === 'chosen' ? Number(bytes) : partitionOfKey(bytes, 5));
    }
    await producer.close();
  });

  it('records without a key are spread over the partitions, a batch at a time', async () => {
    await createTopic(broker(), 'spread', { partitions: 4 });
    const producer = producerAt(broker().bootstrap, { 'batch.size': '2000' });
    const { sent, results } = await sendNumbers(producer, 'spread', (count) => count >= 4000);
    expect(sumOf(results)).toEqual({ stored: sent, failures: [] });
    const read = await readTopic(broker(), 'spread', { count: sent });
    expect(problemsOf(read, sent)).toEqual([]);
    const counts = [0, 1, 2, 3].map((id) => read.filter(({ partition }) => partition === id).length);
    for (const count of counts) expect(count).toBeGreaterThan(500);
    expect(producer.pendingBytes).toBe(0);
    await producer.close();
  });

  it.each(['gzip', 'zstd'])('batches are compressed with %s', async (codec) => {
    await createTopic(broker(), `packed-${codec}`);
    const producer = producerAt(broker().bootstrap, { 'compression.type': codec });
    const { sent, results } = await sendNumbers(producer, `packed-${codec}`, (count) => count >= 5000);
    expect(sumOf(results)).toEqual({ stored: sent, failures: [] });
    expect(problemsOf(await readTopic(broker(), `packed-${codec}`, { count: sent }), sent)).toEqual([]);
    await producer.close();
  });

  it.each(['none', 'zstd'])(
    'a batch that is too large for the broker is split in order (%s)',
    async (codec) => {
      const topic = `split-${codec}`;
      await createTopic(broker(), topic, { config: { 'max.message.bytes': '1000' } });
      const producer = producerAt(broker().bootstrap, { 'compression.type': codec });
      const { sent, results } = await sendNumbers(producer, topic, (count) => count >= 3000);
      expect(sumOf(results)).toEqual({ stored: sent, failures: [] });
      expect(problemsOf(await readTopic(broker(), topic, { count: sent }), sent)).toEqual([]);
      await producer.close();
    },
  );

  it('a record that is too large for the broker fails, and its neighbours are stored', async () => {
    await createTopic(broker(), 'large', { config: { 'max.message.bytes': '1000' } });
    const producer = producerAt(broker().bootstrap);
    const values = Array.from({ length: 101 }, (_, i) => (i === 50 ? big(2000) : String(i < 50 ? i : i - 1)));
    const result = await producer.send(values.map((value) => record('large', value)));
    expect(result).toMatchObject({
      stored: 100,
      failures: [{ index: 50, error: { code: 'record_too_large' } }],
    });
    expect(problemsOf(await readTopic(broker(), 'large', { count: 100 }), 100)).toEqual([]);
    await producer.close();
  });

  it('a record above max.request.size fails without a request', async () => {
    const producer = producerAt(broker().bootstrap, { 'max.request.size': '1000' });
    const result = await producer.send([record('larger', big(1000)), record('larger', 'small')]);
    expect(result).toMatchObject({
      stored: 1,
      failures: [{ index: 0, error: { code: 'record_too_large' } }],
    });
    expect(await countTopic(broker(), 'larger')).toBe(1);
    await producer.close();
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])(
    'a record with the timestamp %d fails, and its neighbours are stored',
    async (timestamp) => {
      const topic = `time-${timestamp}`;
      await createTopic(broker(), topic);
      const producer = producerAt(broker().bootstrap);
      const values = [record(topic, '0'), record(topic, 'never', { timestamp }), record(topic, '1')];
      expect(await producer.send(values)).toMatchObject({
        stored: 2,
        failures: [{ index: 1, error: { code: 'record_rejected' } }],
      });
      expect(problemsOf(await readTopic(broker(), topic, { count: 2 }), 2)).toEqual([]);
      await producer.close();
    },
  );

  it('records that the broker calls invalid fail, and the others are stored', async () => {
    await createTopic(broker(), 'compacted', { config: { 'cleanup.policy': 'compact' } });
    const producer = producerAt(broker().bootstrap);
    const keyed = (value: string) => record('compacted', value, { key: Buffer.from(value) });
    const result = await producer.send([keyed('0'), record('compacted', 'no key'), keyed('1'), keyed('2')]);
    expect(result).toMatchObject({ stored: 3, failures: [{ index: 1, error: { code: 'record_rejected' } }] });
    expect(await producer.send([keyed('3')])).toEqual({ stored: 1, failures: [] });
    expect(problemsOf(await readTopic(broker(), 'compacted', { count: 4 }), 4)).toEqual([]);
    await producer.close();
  });

  it('a write creates the topic if brokers support that', async () => {
    const producer = producerAt(broker().bootstrap);
    const results = await Promise.all(['0', '1'].map((value) => producer.send([record('made', value)])));
    expect(sumOf(results)).toEqual({ stored: 2, failures: [] });
    expect(problemsOf(await readTopic(broker(), 'made', { count: 2 }), 2)).toEqual([]);
    await producer.close();
  });

  it('only the records of a topic with an invalid name fail', async () => {
    const producer = producerAt(broker().bootstrap);
    const result = await producer.send([record('not/allowed', 'x'), record('allowed', '0')]);
    expect(result).toMatchObject({
      stored: 1,
      failures: [{ index: 0, error: { code: 'topic_unavailable' } }],
    });
    await producer.close();
  });

  it('the producer continues after the topic was recreated with fewer partitions', async () => {
    await createTopic(broker(), 'recreated', { partitions: 3 });
    const producer = producerAt(broker().bootstrap);
    const to = (partition: number) => producer.send([record('recreated', String(partition), { partition })]);
    expect(sumOf([await to(0), await to(2)])).toEqual({ stored: 2, failures: [] });
    await withAdmin(broker(), (admin) => admin.deleteTopics({ topics: ['recreated'] }));
    await createTopic(broker(), 'recreated', { partitions: 1 });
    expect(await to(2)).toMatchObject({ failures: [{ error: { code: 'topic_unavailable' } }] });
    expect(sumOf([await to(0)])).toEqual({ stored: 1, failures: [] });
    await producer.close();
  });

  it('a batch waits for linger.ms unless the producer is flushed', async () => {
    await createTopic(broker(), 'lingering');
    const producer = producerAt(broker().bootstrap, { 'linger.ms': '600000' });
    const results = ['0', '1', '2'].map((value) => producer.send([record('lingering', value)]));
    await producer.flush();
    expect(sumOf(await Promise.all(results))).toEqual({ stored: 3, failures: [] });
    await producer.close();
  });

  it('a closed producer refuses to send and can be closed again', async () => {
    const producer = producerAt(broker().bootstrap);
    const stored = producer.send([record('closing', '0')]);
    await Promise.all([producer.close(), producer.close()]);
    expect(await stored).toEqual({ stored: 1, failures: [] });
    await expect(producer.send([record('closing', '1')])).rejects.toMatchObject({ code: 'closed' });
  });

  it('an empty batch is settled at once', async () => {
    const producer = producerAt(broker().bootstrap);
    expect(await producer.send([])).toEqual({ stored: 0, failures: [] });
    await producer.close();
  });
});

describeWithSharedBroker(
  'a producer where topics are not created by writing',
  { autoCreateTopics: false },
  (broker) => {
    it('the records of a topic that does not appear in time fail', async () => {
      const producer = producerAt(broker().bootstrap, { 'max.block.ms': '300' });
      const result = await producer.send([record('nowhere', 'x')]);
      expect(result).toMatchObject({
        stored: 0,
        failures: [{ index: 0, error: { code: 'topic_unavailable' } }],
      });
      expect(result.failures[0]?.error.message).toMatch(/"nowhere".*does not exist/);
      expect(producer.pendingBytes).toBe(0);
      await producer.close();
    });

    it('records for a deleted topic fail, and records are stored after it was recreated', async () => {
      await createTopic(broker(), 'gone');
      const producer = producerAt(broker().bootstrap, { 'max.block.ms': '300' });
      const send = (value: string) => producer.send([record('gone', value)]);
      expect(await send('former')).toEqual({ stored: 1, failures: [] });
      await withAdmin(broker(), (admin) => admin.deleteTopics({ topics: ['gone'] }));
      expect(await send('lost')).toMatchObject({
        stored: 0,
        failures: [{ error: { code: 'topic_unavailable' } }],
      });
      await createTopic(broker(), 'gone');
      expect(sumOf([await send('0'), await send('1')])).toEqual({ stored: 2, failures: [] });
      expect(problemsOf(await readTopic(broker(), 'gone', { count: 2 }), 2)).toEqual([]);
      await producer.close();
    });

    it('records are stored when their topic appears', async () => {
      const producer = producerAt(broker().bootstrap);
      const results = ['0', '1', '2'].map((value) => producer.send([record('late', value)]));
      await createTopic(broker(), 'late');
      expect(sumOf(await Promise.all(results))).toEqual({ stored: 3, failures: [] });
      expect(problemsOf(await readTopic(broker(), 'late', { count: 3 }), 3)).toEqual([]);
      await producer.close();
    });
  },
);

describeWithSharedBroker('a producer on the newest brokers', { version: '4.3.1' }, (broker) => {
  it.each(['none', 'gzip', 'zstd'])('another client reads the records (%s)', async (codec) => {
    await createTopic(broker(), codec, { partitions: 2 });
    const producer = producerAt(broker().bootstrap, { 'compression.type': codec });
    const { sent, results } = await sendNumbers(producer, codec, (count) => count >= 20_000);
    expect(sumOf(results)).toEqual({ stored: sent, failures: [] });
    expect(problemsOf(await readTopic(broker(), codec, { count: sent }), sent)).toEqual([]);
    await producer.close();
  });
});
