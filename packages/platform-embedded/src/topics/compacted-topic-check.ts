import { ConnectorError } from '@levada/connect-runtime-core';
import type { CompactedLogOptions } from '@levada/connect-runtime-core/platform';
import type { Topic } from './topic-catalog.ts';

/** Kafka Connect's names for the contents of each worker topic. */
const purposes: ReadonlyMap<string, string> = new Map([
  ['config.storage.topic', 'connector configurations'],
  ['offset.storage.topic', 'source connector offsets'],
  ['status.storage.topic', 'connector and task statuses'],
]);

/** Throws `config_invalid` with Kafka Connect's message if a topic cannot be used as a compacted log. */
export function checkCompactedTopic(topic: Topic, options: CompactedLogOptions): void {
  const { configKey } = options;
  const purpose = purposes.get(configKey) ?? 'its records';
  const supplied = `Topic '${topic.name}' supplied via the '${configKey}' property is required to have`;
  const wanted = options.topic.partitions;
  if (options.exactPartitions === true && topic.partitions !== wanted) {
    const expected = wanted === 1 ? 'a single partition' : `${wanted} partitions`;
    throw new ConnectorError(
      'config_invalid',
      `${supplied} ${expected} in order to guarantee consistency of ${purpose}, but found ${topic.partitions} partitions.`,
    );
  }
  if (topic.cleanupPolicy === 'compact') return;
  throw new ConnectorError(
    'config_invalid',
    `${supplied} 'cleanup.policy=compact' to guarantee consistency and durability of ${purpose}, but found the topic currently has 'cleanup.policy=${topic.cleanupPolicy}'. ` +
      `Continuing would likely result in eventually losing ${purpose} and problems restarting this Connect cluster in the future. ` +
      `Change the '${configKey}' property in the Connect worker configurations to use a topic with 'cleanup.policy=compact'.`,
  );
}
