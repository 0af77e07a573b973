import type { Database } from '../folder/sqlite.ts';
import type { TopicRow } from '../model/commit-protocol.ts';
import { topicSettings } from './topic-config.ts';

/** A topic as a reader finds it in the file. */
export interface StoredTopic extends TopicRow {
  readonly cleanupPolicy: string;
  readonly compacted: boolean;
}

/** All topics of the file, by name. */
export function storedTopics(database: Database): StoredTopic[] {
  return database.prepare('SELECT * FROM topic ORDER BY name').all().map(storedTopic);
}

/** The topic of this name, if it exists. */
export function findStoredTopic(database: Database, name: string): StoredTopic | undefined {
  const row = database.prepare('SELECT * FROM topic WHERE name = ?').get(name);
  return row === undefined ? undefined : storedTopic(row);
}

/** A row of the table `topic`. */
export function topicRow(row: Record<string, unknown>): TopicRow {
  return {
    id: Number(row['id']),
    name: String(row['name']),
    partitions: Number(row['partitions']),
    firstLog: Number(row['first_log']),
    config: JSON.parse(String(row['config'])) as Record<string, string>,
  };
}

function storedTopic(row: Record<string, unknown>): StoredTopic {
  const topic = topicRow(row);
  const { cleanupPolicy, compacted } = topicSettings(topic.name, topic.config, {
    retentionMs: -1,
    retentionBytes: -1,
  });
  return { ...topic, cleanupPolicy, compacted };
}
