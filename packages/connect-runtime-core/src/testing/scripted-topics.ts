import { ConnectorError } from '../diagnostics/connector-error.ts';
import type { LogRecord, TopicDescription, TopicSpec } from '../platform/log-platform.ts';

/** A record as the scripted log holds it. */
export interface StoredRecord extends Omit<LogRecord, 'partition'> {
  readonly partition: number;
  readonly offset: number;
  /** Counts the records of the topic over all partitions, from 0. */
  readonly position: number;
}

interface Topic {
  readonly spec: TopicSpec;
  nextPosition: number;
  readonly nextOffsets: number[];
  /** In the order of storing, over all partitions. */
  records: StoredRecord[];
  readonly watchers: Set<() => void>;
}

/** The topics of a scripted log, in memory. */
export class ScriptedTopics {
  readonly #topics = new Map<string, Topic>();
  readonly #autoCreate: boolean;

  constructor(autoCreate: boolean) {
    this.#autoCreate = autoCreate;
  }

  /** Creates a topic unless it exists. */
  create(spec: TopicSpec): void {
    if (this.#topics.has(spec.name)) return;
    const nextOffsets = new Array<number>(spec.partitions ?? 1).fill(0);
    this.#topics.set(spec.name, { spec, nextPosition: 0, nextOffsets, records: [], watchers: new Set() });
  }

  describe(name: string): TopicDescription | undefined {
    const topic = this.#topics.get(name);
    if (topic === undefined) return undefined;
    const cleanupPolicy = topic.spec.config?.['cleanup.policy'] ?? 'delete';
    return { name, partitions: topic.nextOffsets.length, cleanupPolicy };
  }

  names(): readonly string[] {
    return [...this.#topics.keys()];
  }

  /** What is stored, in the order of storing. Empty for a topic that does not exist. */
  records(name: string): readonly StoredRecord[] {
    return this.#topics.get(name)?.records ?? [];
  }

  /** The records after a position, in the order of storing. */
  recordsAfter(name: string, position: number): readonly StoredRecord[] {
    const records = this.records(name);
    let from = records.length;
    while (from > 0 && (records[from - 1] as StoredRecord).position > position) from -= 1;
    return records.slice(from);
  }

  /** Why a record cannot be stored, if so. */
  refusal(record: LogRecord): ConnectorError | undefined {
    const topic = this.#topics.get(record.topic);
    if (topic === undefined && this.#autoCreate) return undefined;
    if (topic === undefined) {
      return new ConnectorError('topic_unavailable', `topic "${record.topic}" does not exist`);
    }
    if (record.partition === null || record.partition < topic.nextOffsets.length) return undefined;
    return new ConnectorError(
      'topic_unavailable',
      `topic "${record.topic}" has no partition ${record.partition}`,
    );
  }

  /** Stores one record that was not refused. `sticky` chooses the partition where the record leaves it open. */
  append(record: LogRecord, sticky: number): StoredRecord {
    this.create({ name: record.topic });
    const topic = this.#topics.get(record.topic) as Topic;
    const partition = record.partition ?? choose(record.key, topic.nextOffsets.length, sticky);
    const offset = topic.nextOffsets[partition] as number;
    topic.nextOffsets[partition] = offset + 1;
    const stored = { ...record, partition, offset, position: topic.nextPosition };
    topic.nextPosition += 1;
    topic.records.push(stored);
    for (const watcher of topic.watchers) watcher();
    return stored;
  }

  /** Keeps the last record of each key and forgets deleted keys, as a cleaner does. Offsets stay. */
  compact(name: string): void {
    const topic = this.#topics.get(name);
    if (topic === undefined) return;
    const last = new Map(topic.records.map((record) => [keyText(record.key), record]));
    topic.records = topic.records.filter(
      (record) => record.value !== null && last.get(keyText(record.key)) === record,
    );
  }

  /** Calls back after each record stored in the topic. The function returned ends it. */
  watch(name: string, watcher: () => void): () => void {
    this.create({ name });
    const { watchers } = this.#topics.get(name) as Topic;
    watchers.add(watcher);
    return () => watchers.delete(watcher);
  }
}

function keyText(key: Uint8Array | null): string {
  return key === null ? 'null' : `=${Buffer.from(key).toString('latin1')}`;
}

/** Not Kafka's hash: tests that need that one run against a broker. The same key always goes to the same partition. */
function choose(key: Uint8Array | null, partitions: number, sticky: number): number {
  if (key === null) return sticky % partitions;
  let hash = 7;
  for (const byte of key) hash = (hash * 31 + byte) >>> 0;
  return hash % partitions;
}
