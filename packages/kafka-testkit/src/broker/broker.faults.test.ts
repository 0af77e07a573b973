import { readFileSync } from 'node:fs';
import { Kafka, logLevel } from 'kafkajs';
import { expect, it } from 'vitest';
import { describeWithBroker } from '../describe-with-broker.ts';
import { startKafkaProxy } from '../proxy/kafka-proxy.ts';
import { startBroker } from './broker.ts';
import { brokerUser, saslMechanisms, strangerUser } from './broker-settings.ts';
import { readTopic } from './read-topic.ts';
import { countTopic, createTopic } from './topics.ts';

const PRODUCE = 0;

describeWithBroker('a broker', {}, (broker) => {
  const client = (bootstrap: string): Kafka =>
    new Kafka({
      brokers: [bootstrap],
      logLevel: logLevel.NOTHING,
      retry: { retries: 8, initialRetryTime: 50 },
    });
  const produce = async (bootstrap: string, topic: string, values: readonly string[]): Promise<void> => {
    const producer = client(bootstrap).producer();
    await producer.connect();
    await producer.send({ topic, messages: values.map((value) => ({ value })) });
    await producer.disconnect();
  };

  it('keeps its records and its address over a kill and a restart', async () => {
    await createTopic(broker(), 'kept', { partitions: 2 });
    await produce(broker().bootstrap, 'kept', ['a', 'b', 'c']);
    const { pid } = broker();
    await broker().kill();
    await broker().restart();
    expect(broker().pid).not.toBe(pid);
    const records = await readTopic(broker(), 'kept', { count: 3 });
    expect(records.map((record) => String(record.value)).sort()).toEqual(['a', 'b', 'c']);
    expect(records[0]?.key).toBe(null);
  }, 60_000);

  it('reaches the broker through a proxy that swallows the answer to a produce request', async () => {
    await createTopic(broker(), 'twice');
    const proxy = await startKafkaProxy(broker());
    proxy.dropResponses(PRODUCE, 1);
    await produce(proxy.bootstrap, 'twice', ['once?']);
    expect(proxy.dropped).toBe(1);
    expect(proxy.requests(PRODUCE)).toBe(2);
    expect(await countTopic(broker(), 'twice')).toBe(2);
    await proxy.close();
  }, 60_000);

  it('reaches the broker through a proxy that answers for it', async () => {
    await createTopic(broker(), 'refused');
    const proxy = await startKafkaProxy(broker());
    proxy.refuseProduce({ code: 6, times: 2 });
    await produce(proxy.bootstrap, 'refused', ['third time']);
    expect(proxy.requests(PRODUCE)).toBe(3);
    expect(await countTopic(broker(), 'refused')).toBe(1);
    await proxy.close();
  }, 60_000);
});

describeWithBroker(
  'a broker with TLS, SASL and an authorizer',
  { tls: true, sasl: true, authorizer: true },
  (broker) => {
    const topics = async (options: {
      mechanism: string;
      username: string;
      password: string;
    }): Promise<string[]> => {
      const { mechanism, ...user } = options;
      const ca = readFileSync(broker().certificates?.authority ?? '', 'utf8');
      const sasl = { mechanism: mechanism.toLowerCase() as 'plain', ...user };
      const brokers = [broker().endpoint('SASL_SSL')];
      const admin = new Kafka({
        brokers,
        ssl: { ca },
        sasl,
        logLevel: logLevel.NOTHING,
        retry: { retries: 0 },
      }).admin();
      await admin.connect();
      try {
        return await admin.listTopics();
      } finally {
        await admin.disconnect();
      }
    };

    it.each(saslMechanisms)('lets its user in with %s', async (mechanism) => {
      await createTopic(broker(), `for-${mechanism}`);
      expect(await topics({ mechanism, ...brokerUser })).toContain(`for-${mechanism}`);
      await expect(topics({ mechanism, ...brokerUser, password: 'wrong' })).rejects.toThrow(
        /authentication/i,
      );
    });

    it('gives the stranger no rights', async () => {
      await createTopic(broker(), 'secret');
      expect(await topics({ mechanism: 'PLAIN', ...strangerUser })).toEqual([]);
    });
  },
);

describeWithBroker('a broker of the newest version', { version: '4.3.1' }, (broker) => {
  it('serves clients', async () => {
    await createTopic(broker(), 'new');
    expect(await countTopic(broker(), 'new')).toBe(0);
  });

  it('refuses to start with settings that Kafka refuses, and says why', async () => {
    const broken = startBroker({ version: broker().version, settings: { 'num.io.threads': 'many' } });
    await expect(broken).rejects.toThrow(/num\.io\.threads/);
  });
});
