import { ConnectorError } from '@levada/connect-runtime-core';
import { findClusterId } from '../folder/open-log-file.ts';
import type { Database } from '../folder/sqlite.ts';
import type { ChangeSignal } from '../model/change-signal.ts';
import { storageError } from '../model/storage-error.ts';
import { findStoredTopic, type StoredTopic, storedTopics } from '../topics/stored-topic.ts';
import { LogReader } from './log-reader.ts';
import { type ReadOptions, recordStream, type StoredRecord } from './record-stream.ts';

/** A partition with its offsets. */
export interface PartitionSummary {
  readonly partition: number;
  /** Offset of the oldest record. */
  readonly startOffset: number;
  /** Offset of the next record. */
  readonly endOffset: number;
  readonly bytes: number;
}

/** A topic with its partitions. */
export interface TopicSummary {
  readonly name: string;
  readonly cleanupPolicy: string;
  readonly config: Readonly<Record<string, string>>;
  readonly partitions: readonly PartitionSummary[];
}

/** Reads the topics of a folder. Methods reject or throw with ConnectorErrors. */
export interface EmbeddedReader {
  /** The id of the log, which a worker reports as its cluster id. */
  clusterId(): Promise<string>;
  /** All topics by name, with their current offsets and sizes. */
  topics(): Promise<readonly TopicSummary[]>;
  /** One topic; undefined if absent. */
  topic(name: string): Promise<TopicSummary | undefined>;
  /** Streams records. `topic_unavailable` if the topic does not exist, `log_corrupt` at the first damaged record. */
  read(options: ReadOptions): AsyncIterable<StoredRecord>;
  /** Closes the file. Idempotent. */
  close(): Promise<void>;
}

export interface ReaderSource {
  readonly database: Database;
  readonly changes: ChangeSignal;
  /** The file, for errors. */
  readonly place: string;
  readonly onClose: () => void;
}

export function embeddedReader(source: ReaderSource): EmbeddedReader {
  const { database, place } = source;
  const reader = new LogReader(database, place);
  const guard = <T>(read: () => T): T => {
    if (!database.isOpen) throw new ConnectorError('closed', 'the reader is closed');
    try {
      return read();
    } catch (thrown) {
      throw storageError(thrown, place);
    }
  };
  return {
    clusterId: async () => guard(() => findClusterId(database) ?? ''),
    topics: async () => guard(() => storedTopics(database).map((topic) => summary(topic, reader))),
    topic: async (name) =>
      guard(() => {
        const topic = findStoredTopic(database, name);
        return topic === undefined ? undefined : summary(topic, reader);
      }),
    async *read(options) {
      const topic = guard(() => findStoredTopic(database, options.topic));
      if (topic === undefined) {
        throw new ConnectorError('topic_unavailable', `there is no topic "${options.topic}" in ${place}`);
      }
      yield* recordStream(topic, options, { reader, changes: source.changes });
    },
    close: async () => source.onClose(),
  };
}

function summary(topic: StoredTopic, reader: LogReader): TopicSummary {
  const partitions = Array.from({ length: topic.partitions }, (_, partition) => {
    const log = topic.firstLog + partition;
    const { start, end } = reader.range(log);
    return { partition, startOffset: start, endOffset: end, bytes: reader.size(log) };
  });
  const { name, cleanupPolicy, config } = topic;
  return { name, cleanupPolicy, config, partitions };
}
