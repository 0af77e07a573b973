import { type Admin, Kafka, logLevel } from 'kafkajs';
import type { Broker } from '../broker/broker.ts';

/** How a topic of a test is to be. */
export interface TestTopic {
  /** Default: 1. */
  readonly partitions?: number;
  readonly config?: Readonly<Record<string, string>>;
}

/** An independent client of the broker, quiet. */
export function plainClient(broker: Broker): Kafka {
  return new Kafka({ clientId: 'testkit', brokers: [broker.bootstrap], logLevel: logLevel.NOTHING });
}

/** Runs `work` with an admin client of {@link plainClient}. */
export async function withAdmin<T>(broker: Broker, work: (admin: Admin) => Promise<T>): Promise<T> {
  const admin = plainClient(broker).admin();
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.disconnect();
  }
}

/** Makes a topic and waits for its leaders. */
export async function createTopic(broker: Broker, name: string, topic: TestTopic = {}): Promise<void> {
  await withAdmin(broker, async (admin) => {
    const configEntries = Object.entries(topic.config ?? {}).map(([key, value]) => ({ name: key, value }));
    const spec = { topic: name, numPartitions: topic.partitions ?? 1, replicationFactor: 1, configEntries };
    await admin.createTopics({ topics: [spec], waitForLeaders: true });
  });
}

/** Number of records that are in a topic, counted by offsets. */
export async function countTopic(broker: Broker, name: string): Promise<number> {
  const offsets = await withAdmin(broker, (admin) => admin.fetchTopicOffsets(name));
  return offsets.reduce((sum, partition) => sum + Number(partition.high) - Number(partition.low), 0);
}
