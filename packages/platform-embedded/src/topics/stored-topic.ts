import type { Database } from '../folder/sqlite.ts';
import type { TopicRow } from '../model/commit-protocol.ts';
import { topicSettings } from './topic-config.ts';

/** A topic read from the file. */
export interface StoredTopic extends TopicRow {
  readonly cleanupPolicy: string;
  readonly compacted: boolean;
}

export function storedTopics(database: Database): StoredTopic[] {
  return database.prepare('SELECT * FROM topic ORDER BY name').all().map(storedTopic);
}

export function findStoredTopic(database: Database, name: string): StoredTopic | undefined {
  const row = database.prepare('SELECT * FROM topic WHERE name = ?').get(name);
  return row === undefined ? undefined : storedTopic(row);
}

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
