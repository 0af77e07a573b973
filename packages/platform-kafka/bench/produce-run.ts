// One producer under load in a separate process: `node produce-run.ts <own|kafkajs|platformatic> <bootstrap> <topic> <bytes>`.
// Prints one line of JSON.
import { silentLogger, systemClock } from '@levada/connect-runtime-core';
import { Producer } from '@platformatic/kafka';
import { Kafka, logLevel, Partitioners } from 'kafkajs';
import { producerSettings } from '../src/client/producer-settings.ts';
import { KafkaProducer } from '../src/produce/kafka-producer.ts';
import { brokerAddress } from '../src/wire/link-options.ts';

const POLL = 500;
const OUTSTANDING = 5;
const WARM_UP_MS = 3000;
const MEASURED_MS = 4000;

/** Stores a poll of records; resolves when it is acknowledged. */
type Store = () => Promise<unknown>;

async function ownProducer(bootstrap: string, topic: string, value: Buffer): Promise<Store> {
  const address = brokerAddress(bootstrap);
  if (address === undefined) throw new Error(`"${bootstrap}" is no address`);
  const producer = new KafkaProducer({
    bootstrap: [address],
    link: { clientId: 'bench', clock: systemClock },
    settings: producerSettings('bench'),
    clock: systemClock,
    logger: silentLogger,
  });
  return () => {
    const timestamp = Date.now();
    const poll = Array.from({ length: POLL }, () => ({
      topic,
      partition: null,
      key: null,
      value,
      timestamp,
      headers,
    }));
    return producer.send(poll);
  };
}

const headers: readonly never[] = [];

async function kafkajsProducer(bootstrap: string, topic: string, value: Buffer): Promise<Store> {
  const kafka = new Kafka({ brokers: [bootstrap], logLevel: logLevel.NOTHING });
  const producer = kafka.producer({
    createPartitioner: Partitioners.DefaultPartitioner,
    idempotent: true,
    maxInFlightRequests: OUTSTANDING,
  });
  await producer.connect();
  return () => {
    const timestamp = String(Date.now());
    const messages = Array.from({ length: POLL }, () => ({ key: null, value, timestamp }));
    return producer.send({ topic, messages, acks: -1 });
  };
}

async function platformaticProducer(bootstrap: string, topic: string, value: Buffer): Promise<Store> {
  const producer = new Producer<Buffer, Buffer, Buffer, Buffer>({
    clientId: 'bench',
    bootstrapBrokers: [bootstrap],
    idempotent: true,
    maxInflights: OUTSTANDING,
  });
  return () => {
    const timestamp = BigInt(Date.now());
    const messages = Array.from({ length: POLL }, () => ({ topic, value, timestamp, partition: 0 }));
    return producer.send({ messages, acks: -1 });
  };
}

async function load(store: Store): Promise<{ readonly perSecond: number; readonly cpuMicros: number }> {
  let stored = 0;
  let running = true;
  const loop = async (): Promise<void> => {
    while (running) {
      await store();
      stored += POLL;
    }
  };
  const loops = Array.from({ length: OUTSTANDING }, loop);
  await systemClock.sleep(WARM_UP_MS);
  const [before, cpu, started] = [stored, process.cpuUsage(), performance.now()];
  await systemClock.sleep(MEASURED_MS);
  const seconds = (performance.now() - started) / 1000;
  const used = process.cpuUsage(cpu);
  const records = stored - before;
  running = false;
  await Promise.all(loops);
  return { perSecond: records / seconds, cpuMicros: (used.user + used.system) / records };
}

const [kind, bootstrap = '', topic = '', bytes = '200'] = process.argv.slice(2);
const value = Buffer.alloc(Number(bytes), 'x');
const make = { own: ownProducer, kafkajs: kafkajsProducer, platformatic: platformaticProducer }[kind ?? ''];
if (make === undefined) throw new Error(`"${kind}" is no producer`);
process.stdout.write(JSON.stringify(await load(await make(bootstrap, topic, value))));
process.exit();
