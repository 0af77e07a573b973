import { setTimeout as wait } from 'node:timers/promises';
import kafkajs, { type Admin, Kafka, logLevel } from 'kafkajs';
import type { ReachableBroker } from './broker.ts';

const LED_LIMIT_MS = 20_000;
const POLL_MS = 20;

/** How a topic of a test is to be. */
export interface TestTopic {
  /** Default: 1. */
  readonly partitions?: number;
  /** Default: 1. */
  readonly replicas?: number;
  readonly config?: Readonly<Record<string, string>>;
}

/** An independent client of the broker, quiet. */
export function plainClient(broker: ReachableBroker): Kafka {
  return new Kafka({ clientId: 'testkit', brokers: [broker.bootstrap], logLevel: logLevel.NOTHING });
}

/** Runs `work` with an admin client of {@link plainClient}. */
export async function withAdmin<T>(broker: ReachableBroker, work: (admin: Admin) => Promise<T>): Promise<T> {
  const admin = plainClient(broker).admin();
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.disconnect();
  }
}

/** Makes a topic and waits for its leaders. */
export async function createTopic(
  broker: ReachableBroker,
  name: string,
  topic: TestTopic = {},
): Promise<void> {
  await untilControlled(broker, topic.replicas ?? 1);
  await withAdmin(broker, async (admin) => {
    const configEntries = Object.entries(topic.config ?? {}).map(([key, value]) => ({ name: key, value }));
    const { partitions: numPartitions = 1, replicas: replicationFactor = 1 } = topic;
    const spec = { topic: name, numPartitions, replicationFactor, configEntries };
    await admin.createTopics({ topics: [spec], waitForLeaders: false });
    await untilLed(admin, name);
  });
}

/** A record to be written. */
export interface WrittenRecord {
  /** Default: none. */
  readonly key?: Buffer | string;
  readonly value: Buffer | string | null;
  /** Default: by the key, as Kafka's own clients choose it. */
  readonly partition?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** In milliseconds since 1970. Default: now. */
  readonly timestamp?: number;
}

/** Writes records to a topic, in their order, with acknowledgement. */
export async function writeTopic(
  broker: ReachableBroker,
  topic: string,
  records: readonly WrittenRecord[],
): Promise<void> {
  const producer = plainClient(broker).producer({
    createPartitioner: kafkajs.Partitioners.DefaultPartitioner,
  });
  await producer.connect();
  try {
    const messages = records.map(({ timestamp, ...record }) => ({
      ...record,
      ...(timestamp === undefined ? {} : { timestamp: String(timestamp) }),
    }));
    await producer.send({ topic, messages });
  } finally {
    await producer.disconnect();
  }
}

/**
 * Waits until the broker names a controller and as many brokers as are needed: a young cluster may know none yet, and kafkajs keeps
 * the first answer.
 */
async function untilControlled(broker: ReachableBroker, brokers: number): Promise<void> {
  const deadline = performance.now() + LED_LIMIT_MS;
  while (!(await isControlled(broker, brokers))) {
    if (performance.now() > deadline)
      throw new Error(`${broker.bootstrap} names no controller after ${LED_LIMIT_MS} ms`);
    await wait(POLL_MS);
  }
}

async function isControlled(broker: ReachableBroker, brokers: number): Promise<boolean> {
  const cluster = await withAdmin(broker, (admin) => admin.describeCluster());
  return (cluster.controller ?? -1) >= 0 && cluster.brokers.length >= brokers;
}

/**
 * Waits until each leader answers for its partitions: metadata names leaders before they know of it themselves, and kafkajs's own
 * waiting fails where one broker of several has not heard of the topic yet.
 */
export async function untilLed(admin: Admin, topic: string): Promise<void> {
  const deadline = performance.now() + LED_LIMIT_MS;
  while (!(await isLed(admin, topic))) {
    if (performance.now() > deadline)
      throw new Error(`topic "${topic}" has no leaders after ${LED_LIMIT_MS} ms`);
    await wait(POLL_MS);
  }
}

async function isLed(admin: Admin, topic: string): Promise<boolean> {
  try {
    const { topics } = await admin.fetchTopicMetadata({ topics: [topic] });
    const led = topics.every(({ partitions }) => partitions.every(({ leader }) => leader >= 0));
    return led && (await admin.fetchTopicOffsets(topic)).length > 0;
  } catch {
    // This broker does not know the topic yet.
    return false;
  }
}

/** Number of records that are in a topic, counted by offsets. */
export async function countTopic(broker: ReachableBroker, name: string): Promise<number> {
  const offsets = await withAdmin(broker, async (admin) => {
    await untilLed(admin, name);
    return admin.fetchTopicOffsets(name);
  });
  return offsets.reduce((sum, partition) => sum + Number(partition.high) - Number(partition.low), 0);
}
