import { singleMembership } from '../platform/group-membership.ts';
import type {
  CompactedLog,
  LogPlatform,
  LogProducer,
  LogProducerOptions,
  TopicSpec,
} from '../platform/log-platform.ts';
import { type Clock, systemClock } from '../time/clock.ts';
import { createFaults, type LogFaults } from './log-faults.ts';
import { checkReachable, openScriptedLog } from './scripted-compacted-log.ts';
import { type ScriptedLogParts, ScriptedProducer } from './scripted-producer.ts';
import { ScriptedTopics, type StoredRecord } from './scripted-topics.ts';
import { scriptedTransactions, type TransactionOwners } from './scripted-transactions.ts';

/** How a scripted log starts. */
export interface ScriptedLogOptions {
  /** For slowness, delivery time-outs and time stamps. Default: the machine's. */
  readonly clock?: Clock;
  /** Whether sending to a topic that does not exist creates it, with one partition. Default true. */
  readonly autoCreateTopics?: boolean;
}

/**
 * A log in memory with the semantics of a real one, and with faults that a test scripts. It outlives its platforms, as a
 * broker outlives workers: connect again to see what a restarted worker finds.
 */
export interface ScriptedLog {
  /** A platform over this log. Every worker of a test has its own. */
  connect(): LogPlatform;
  readonly faults: LogFaults;
  /** What is stored in a topic, in the order of storing, over all partitions. Empty when it does not exist. */
  records(topic: string): readonly StoredRecord[];
  /** The stored values of a topic as text, in the order of storing. */
  values(topic: string): readonly (string | null)[];
  topicNames(): readonly string[];
  createTopic(spec: TopicSpec): void;
  /** Does at once what a cleaner does some day: keeps the last record of each key, forgets deleted keys. */
  compact(topic: string): void;
}

/** A scripted log in which nothing goes wrong until the test says so. */
export function createScriptedLog(options: ScriptedLogOptions = {}): ScriptedLog {
  const topics = new ScriptedTopics(options.autoCreateTopics ?? true);
  const faults = createFaults();
  const parts = { topics, faults, clock: options.clock ?? systemClock };
  const owners: TransactionOwners = new Map();
  return {
    connect: () => scriptedPlatform(parts, owners),
    faults,
    records: (topic) => topics.records(topic),
    values: (topic) => topics.records(topic).map(({ value }) => (value === null ? null : text(value))),
    topicNames: () => topics.names(),
    createTopic: (spec) => topics.create(spec),
    compact: (topic) => topics.compact(topic),
  };
}

function scriptedPlatform(parts: ScriptedLogParts, owners: TransactionOwners): LogPlatform {
  const { topics, faults, clock } = parts;
  const producers = new Set<LogProducer>();
  const logs = new Set<CompactedLog>();
  let awaySince: number | undefined;
  const open = async (producerOptions: LogProducerOptions): Promise<LogProducer> => {
    const producer: ScriptedProducer = new ScriptedProducer(parts, producerOptions, () =>
      producers.delete(producer),
    );
    producers.add(producer);
    return producer;
  };
  return {
    kind: 'embedded',
    clusterId: async () => {
      checkReachable(parts);
      return 'scripted-log';
    },
    createTopics: async (specs) => {
      checkReachable(parts);
      for (const spec of specs) topics.create(spec);
    },
    describeTopics: async (names) => {
      checkReachable(parts);
      return names.map((name) => topics.describe(name)).filter((topic) => topic !== undefined);
    },
    producer: open,
    transactions: scriptedTransactions({ owners, clock }, open),
    compactedLog: async (logOptions) => {
      const log = await openScriptedLog(parts, logOptions);
      logs.add(log);
      return log;
    },
    membership: singleMembership,
    health: () => {
      awaySince = faults.away === undefined ? undefined : (awaySince ?? clock.now());
      return faults.away === undefined
        ? { status: 'ok' }
        : { status: 'away', reason: faults.away, since: awaySince ?? clock.now() };
    },
    close: async (closeOptions) => {
      await Promise.all([...producers].map((producer) => producer.close(closeOptions)));
      await Promise.all([...logs].map((log) => log.close()));
    },
  };
}

function text(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString();
}
