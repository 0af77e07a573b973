import { createRequire } from 'node:module';
import { bytesSchema, pipe, type Run, sourceRecord } from '@levada/connect-runtime-core';
import {
  confluentKafkaSink,
  type KafkaJsProducer,
  kafkajsSink,
  platformaticKafkaSink,
  type Sink,
} from '@levada/connect-runtime-core/sinks';
import {
  createRecordingLogger,
  type FakeRecord,
  fakeSource,
  waitFor,
} from '@levada/connect-runtime-core/testing';
import { createTopic, type ReachableBroker, readTopic, startKafkaProxy } from '@levada/kafka-testkit';
import { describeWithSharedBroker } from '@levada/kafka-testkit/vitest';
import { Producer, stringSerializers } from '@platformatic/kafka';
import { Kafka, logLevel } from 'kafkajs';
import { expect, it } from 'vitest';

/** A connected client of a service, and a sink that uses it. */
interface Client {
  sink(options?: Parameters<typeof kafkajsSink>[1]): Sink;
  /** Writes as the service itself does. */
  write(topic: string, value: string): Promise<unknown>;
  close(): Promise<unknown>;
}

type OpenClient = (bootstrap: string) => Promise<Client>;

/** Where `@confluentinc/kafka-javascript` is installed. Its binary does not come from the registry, so it cannot be a test dependency. */
const confluent = process.env['LEVADA_CONFLUENT_KAFKA'];

const clients: Readonly<Record<string, OpenClient>> = {
  ...(confluent === undefined ? {} : { '@confluentinc/kafka-javascript': openConfluent(confluent) }),
  kafkajs: async (bootstrap) => {
    const retry = { initialRetryTime: 20, retries: 3 };
    const kafka = new Kafka({ brokers: [bootstrap], logLevel: logLevel.NOTHING, retry });
    const producer = kafka.producer({ allowAutoTopicCreation: false });
    await producer.connect();
    return {
      sink: (options) => kafkajsSink(producer, options),
      write: (topic, value) => producer.send({ topic, messages: [{ value }] }),
      close: () => producer.disconnect(),
    };
  },
  '@platformatic/kafka': async (bootstrap) => {
    const producer = new Producer({
      clientId: 'own',
      bootstrapBrokers: [bootstrap],
      retries: 2,
      retryDelay: 20,
    });
    return {
      sink: (options) => platformaticKafkaSink(producer, options),
      write: (topic, value) => producer.send({ messages: [{ topic, value: Buffer.from(value) }] }),
      close: () => producer.close(),
    };
  },
  '@platformatic/kafka with texts': async (bootstrap) => {
    const producer = new Producer({
      clientId: 'own',
      bootstrapBrokers: [bootstrap],
      serializers: stringSerializers,
      retries: 2,
      retryDelay: 20,
    });
    return {
      sink: (options) => platformaticKafkaSink(producer, { ...options, as: 'text' }),
      write: (topic, value) => producer.send({ messages: [{ topic, value }] }),
      close: () => producer.close(),
    };
  },
};

function openConfluent(folder: string): OpenClient {
  return async (bootstrap) => {
    const { KafkaJS } = createRequire(import.meta.url)(folder) as ConfluentPackage;
    const kafka = new KafkaJS.Kafka({
      kafkaJS: { brokers: [bootstrap], logLevel: KafkaJS.logLevel.NOTHING },
    });
    const producer = kafka.producer({
      'message.timeout.ms': 2000,
      'allow.auto.create.topics': false,
      kafkaJS: { acks: -1, idempotent: false },
    });
    await producer.connect();
    return {
      sink: (options) => confluentKafkaSink(producer, options),
      write: (topic, value) => producer.send({ topic, messages: [{ value }] }),
      close: () => producer.disconnect(),
    };
  };
}

/** The part of the package that the tests use. */
interface ConfluentPackage {
  readonly KafkaJS: {
    readonly logLevel: Readonly<Record<'NOTHING', number>>;
    readonly Kafka: new (
      config: unknown,
    ) => {
      producer(config: unknown): KafkaJsProducer & {
        connect(): Promise<void>;
        disconnect(): Promise<void>;
      };
    };
  };
}

async function open(name: string, bootstrap: string): Promise<Client> {
  const client = await clients[name]?.(bootstrap);
  if (client === undefined) throw new Error(`unknown client ${name}`);
  return client;
}

/** Closed at the end, even if a test fails: each worker has one. */
async function openProxy(broker: ReachableBroker) {
  const proxy = await startKafkaProxy(broker);
  return Object.assign(proxy, { [Symbol.asyncDispose]: () => proxy.close() });
}

const header = (key: string, value: Uint8Array | null) => ({ key, schema: bytesSchema, value });

async function runOf(sink: Sink, records: readonly FakeRecord[], tolerant = false) {
  const dropped: string[] = [];
  const source = fakeSource({ records });
  const run: Run = pipe(source, sink, { tolerant, onDrop: ({ cause }) => dropped.push(cause) });
  await source.ready();
  return { run, source, dropped };
}

describeWithSharedBroker(
  'a sink on the client of a service:',
  { settings: { 'message.max.bytes': '200000' } },
  (broker) => {
    it.each(Object.keys(clients))('%s writes exactly what a record holds, and stays open', async (name) => {
      const topic = `exact-${name.replaceAll(/\W/g, '-')}`;
      await createTopic(broker(), topic, { partitions: 3 });
      const client = await open(name, broker().bootstrap);
      const headers = [header('a', Buffer.from([0, 127])), header('b', Buffer.alloc(0))];
      const { run } = await runOf(client.sink({ topic }), [
        sourceRecord({ topic: 't', value: 'text', key: 'k', partition: 2, timestamp: 1000, headers }),
        sourceRecord({ topic: 't', value: null, key: 'deleted', partition: 2, timestamp: 2000 }),
        sourceRecord({ topic: 't', value: Buffer.from([1, 0, 127]), partition: 2, timestamp: 3000 }),
        sourceRecord({ topic: 't', value: '', key: '', partition: 2, timestamp: 4000.5 }),
      ]);
      expect(await run.close()).toEqual({ delivered: 4, undelivered: 0 });
      const read = await readTopic(broker(), topic, { count: 4 });
      expect(read).toMatchObject([
        { partition: 2, key: Buffer.from('k'), value: Buffer.from('text'), timestamp: 1000 },
        { partition: 2, key: Buffer.from('deleted'), value: null, timestamp: 2000 },
        { partition: 2, key: null, value: Buffer.from([1, 0, 127]), timestamp: 3000 },
        { partition: 2, key: Buffer.alloc(0), value: Buffer.alloc(0), timestamp: 4000 },
      ]);
      // librdkafka's binding treats an empty value as null
      const empty = name.startsWith('@confluentinc') ? null : Buffer.alloc(0);
      expect(read[0]?.headers).toEqual([
        ['a', Buffer.from([0, 127])],
        ['b', empty],
      ]);
      await client.write(topic, 'of the service');
      await client.close();
    });

    it.each(Object.keys(clients))(
      '%s keeps the order of many records with several batches under way',
      async (name) => {
        const topic = `order-${name.replaceAll(/\W/g, '-')}`;
        await createTopic(broker(), topic);
        const client = await open(name, broker().bootstrap);
        const numbers = Array.from({ length: 5000 }, (_, i) => `${i} ${'x'.repeat(i % 300)}`);
        const { run } = await runOf(client.sink({ topic, maxBatchBytes: 100_000 }), numbers);
        expect(await run.close({ timeoutMs: 60_000 })).toEqual({ delivered: 5000, undelivered: 0 });
        const read = await readTopic(broker(), topic, { count: 5000 });
        expect(read.map(({ value }) => String(value))).toEqual(numbers);
        await client.close();
      },
    );

    it.each(Object.keys(clients))('%s drops a record that is too large, alone', async (name) => {
      const topic = `large-${name.replaceAll(/\W/g, '-')}`;
      await createTopic(broker(), topic);
      const client = await open(name, broker().bootstrap);
      const { run, source, dropped } = await runOf(client.sink({ topic }), [
        'one',
        'x'.repeat(250_000),
        'two',
      ]);
      await source.feed.settled({ timeoutMs: 30_000 });
      expect(dropped).toEqual(['record_too_large']);
      expect(run.status()).toMatchObject({ RecordsProduced: 2, UnaccountedCount: 0 });
      await run.close();
      const read = await readTopic(broker(), topic, { count: 2 });
      expect(read.map(({ value }) => String(value))).toEqual(expect.arrayContaining(['one', 'two']));
      await client.close();
    });

    it.each(Object.keys(clients))(
      '%s ends the run with the error of a topic that does not exist',
      async (name) => {
        const client = await open(name, broker().bootstrap);
        const { run } = await runOf(client.sink({ topic: 'not there!' }), ['one', 'two']);
        await expect(run.done).rejects.toMatchObject({ code: 'topic_unavailable' });
        expect(run.status()).toMatchObject({ RecordsProduced: 0, UnaccountedCount: 0 });
        await client.close();
      },
    );

    it.each(Object.keys(clients))(
      '%s is called again until brokers are back, and nothing is lost',
      async (name) => {
        const topic = `away-${name.replaceAll(/\W/g, '-')}`;
        await createTopic(broker(), topic);
        await using proxy = await openProxy(broker());
        const client = await open(name, proxy.bootstrap);
        const logger = createRecordingLogger();
        const source = fakeSource({ records: ['before'] });
        const run = pipe(source, client.sink({ topic }), { logger });
        await source.feed.delivered(1);
        proxy.down(true);
        source.feed.send('one', 'two');
        await waitFor(() => logger.withEvent('sink_retries').length > 0, { timeoutMs: 30_000 });
        expect(run.status()).toMatchObject({ RecordsProduced: 1, InFlightCount: 2 });
        expect(run.health()).toMatchObject({ status: 'degraded', reason: expect.stringContaining('sink: ') });
        proxy.down(false);
        expect(await run.close({ timeoutMs: 30_000 })).toEqual({ delivered: 3, undelivered: 0 });
        const read = await readTopic(broker(), topic, { count: 3 });
        expect(read.map(({ value }) => String(value))).toEqual(['before', 'one', 'two']);
        await client.close();
      },
    );

    it('a record that clients give up with an error that may pass counts as unknown in the end', async () => {
      await createTopic(broker(), 'given-up');
      await using proxy = await openProxy(broker());
      const client = await open('kafkajs', proxy.bootstrap);
      proxy.down(true);
      const { source, dropped, run } = await runOf(client.sink({ topic: 'given-up', deliveryTimeoutMs: 1 }), [
        'one',
      ]);
      await source.feed.settled({ timeoutMs: 30_000 });
      expect(dropped).toEqual(['delivery_unknown']);
      await run.close();
      await client.close();
    });

    it('@platformatic/kafka is refused when its serializers do not take what the sink would give', async () => {
      const options = { clientId: 'own', bootstrapBrokers: [broker().bootstrap] };
      const plain = new Producer(options);
      const texts = new Producer({ ...options, serializers: stringSerializers });
      // @ts-expect-error a producer of texts does not accept bytes
      expect(() => platformaticKafkaSink(texts)).toThrow('use as: "text"');
      // @ts-expect-error a producer of bytes does not accept texts
      expect(() => platformaticKafkaSink(plain, { as: 'text' })).toThrow(
        'it takes bytes: leave this option out',
      );
      await Promise.all([plain.close(), texts.close()]);
    });

    it('@platformatic/kafka with texts refuses what is not UTF-8, and writes the other records', async () => {
      await createTopic(broker(), 'not-text');
      const client = await open('@platformatic/kafka with texts', broker().bootstrap);
      const records = ['one', Buffer.from([0xff]), 'two'];
      const { run, source, dropped } = await runOf(client.sink({ topic: 'not-text' }), records, true);
      await source.feed.settled();
      expect(dropped).toEqual(['produce_rejected']);
      expect(await readTopic(broker(), 'not-text', { count: 2 })).toHaveLength(2);
      await run.close();
      await client.close();
    });

    it('kafkajs refuses a header without a value, and writes the other records', async () => {
      await createTopic(broker(), 'null-header');
      const client = await open('kafkajs', broker().bootstrap);
      const bad = sourceRecord({ topic: 't', value: 'bad', headers: [header('h', null)] });
      const { run, source, dropped } = await runOf(
        client.sink({ topic: 'null-header' }),
        ['one', bad, 'two'],
        true,
      );
      await source.feed.settled();
      expect(dropped).toEqual(['produce_rejected']);
      const read = await readTopic(broker(), 'null-header', { count: 2 });
      expect(read.map(({ value }) => String(value))).toEqual(['one', 'two']);
      await run.close();
      await client.close();
    });
  },
);
