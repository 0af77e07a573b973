import { createTopic, type ReachableBroker, startBroker } from '@levada/kafka-testkit';
import { Kafka, logLevel } from 'kafkajs';
import { launcherOn } from './cores.ts';

/** The broker that everything is written to. */
export interface Log {
  readonly broker: ReachableBroker;
  /** Makes a topic with one partition. Resolves with its name, which begins with what it is for and is used once. */
  readonly createTopic: (purpose: string) => Promise<string>;
  /** Number of records that were ever stored in a topic of one partition. */
  readonly stored: (topic: string) => Promise<number>;
  /** Ends the broker and removes its data. */
  readonly close: () => Promise<void>;
}

/** What Kafka's own scripts start a broker with; tests use smaller and slower ones. */
const BROKER_FLAGS = [
  '-Xmx1G',
  '-Xms1G',
  '-server',
  '-XX:+UseG1GC',
  '-XX:MaxGCPauseMillis=20',
  '-XX:InitiatingHeapOccupancyPercent=35',
  '-XX:+ExplicitGCInvokesConcurrent',
  '-XX:+ExitOnOutOfMemoryError',
  '-Djava.awt.headless=true',
];

/** A broker keeps little of what it was sent, so that long runs do not fill the disk; offsets count all of it. */
const SETTINGS = {
  'log.segment.bytes': String(64 * 1_048_576),
  'log.retention.bytes': String(256 * 1_048_576),
  'log.retention.check.interval.ms': '1000',
  'log.segment.delete.delay.ms': '1000',
  'message.max.bytes': String(16 * 1_048_576),
};

/** Starts a broker beside what is measured. */
export async function openLog(): Promise<Log> {
  const broker = await startBroker({
    settings: SETTINGS,
    jvm: { flags: BROKER_FLAGS, launcher: launcherOn('others') },
  });
  const log = await logOn(broker);
  return {
    ...log,
    close: async () => {
      await log.close();
      await broker.stop();
    },
  };
}

/** A broker that runs already, and that `close` leaves as it is. */
export async function logOn(broker: ReachableBroker): Promise<Log> {
  const client = new Kafka({ clientId: 'compare', brokers: [broker.bootstrap], logLevel: logLevel.NOTHING });
  const admin = client.admin();
  await admin.connect();
  let topics = 0;
  return {
    broker,
    createTopic: async (purpose) => {
      topics += 1;
      const name = `${purpose}-${topics}`;
      await createTopic(broker, name);
      return name;
    },
    stored: async (topic) => {
      const [partition] = await admin.fetchTopicOffsets(topic);
      return Number(partition?.high ?? 0);
    },
    close: () => admin.disconnect(),
  };
}
