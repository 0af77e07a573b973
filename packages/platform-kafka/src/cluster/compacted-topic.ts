import { ConnectorError } from '@levada/connect-runtime-core';
import type { CompactedLogOptions, TopicDescription } from '@levada/connect-runtime-core/platform';
import type { Cluster } from './cluster.ts';
import { createTopics, describeTopics } from './topics.ts';

/**
 * Creates the topic of a compacted log if it is missing, then checks it. Resolves with whether it was created. Rejects with a
 * `config_invalid` error, which names topic, key and fix, if the topic cannot be used or created as requested. Tried once.
 */
export async function ensureCompactedTopic(cluster: Cluster, options: CompactedLogOptions): Promise<boolean> {
  const { name } = options.topic;
  const config = { ...options.topic.config, 'cleanup.policy': 'compact' };
  const made = await create(cluster, { ...options, topic: { ...options.topic, config } });
  const [topic] = await describeTopics(cluster, [name]);
  if (topic === undefined) {
    throw new ConnectorError(
      'log_unavailable',
      `topic "${name}" was created, but brokers do not know it yet`,
    );
  }
  const problem = policyProblem(topic, options) ?? partitionProblem(topic, options);
  if (problem !== undefined) throw unusableTopic(options.configKey, problem);
  return made.length > 0;
}

async function create(
  cluster: Cluster,
  { topic, configKey }: CompactedLogOptions,
): Promise<readonly string[]> {
  try {
    return await createTopics(cluster, [topic]);
  } catch (thrown) {
    const error = ConnectorError.from(thrown);
    if (error.code !== 'config_invalid') throw error;
    const hint = /INVALID_REPLICATION_FACTOR/.test(error.message) ? `; ${replicationFix(configKey)}` : '';
    throw unusableTopic(configKey, `${error.message}${hint}`, error);
  }
}

function replicationFix(configKey: string): string {
  const factorKey = configKey.replace(/\.topic$/, '.replication.factor');
  return `set "${factorKey}" to at most the number of brokers, or to -1 for the cluster's default`;
}

/** Data lost if records expire, in Kafka Connect's words. */
const contents: ReadonlyMap<string, string> = new Map([
  ['config.storage.topic', 'connector configurations'],
  ['offset.storage.topic', 'source connector offsets'],
  ['status.storage.topic', 'connector and task statuses'],
]);

/** Kafka Connect's message. `compact,delete` is refused too. */
function policyProblem(topic: TopicDescription, { configKey }: CompactedLogOptions): string | undefined {
  // A user without the right to describe the topic does not see its policy. Like Kafka Connect, continue without the check
  if (topic.cleanupPolicy === 'compact' || topic.cleanupPolicy === '') return undefined;
  const content = contents.get(configKey) ?? 'what is stored in it';
  return (
    `Topic '${topic.name}' supplied via the '${configKey}' property is required to have 'cleanup.policy=compact' to ` +
    `guarantee consistency and durability of ${content}, but found the topic currently has ` +
    `'cleanup.policy=${topic.cleanupPolicy}'. Continuing would likely result in eventually losing ${content} and problems ` +
    `restarting this Connect cluster in the future. Change the '${configKey}' property in the Connect worker ` +
    `configurations to use a topic with 'cleanup.policy=compact'.`
  );
}

function partitionProblem(topic: TopicDescription, options: CompactedLogOptions): string | undefined {
  const { configKey, topic: wanted, exactPartitions = false } = options;
  if (!exactPartitions || topic.partitions === wanted.partitions) return undefined;
  const single = wanted.partitions === 1;
  return (
    `Topic '${topic.name}' supplied via the '${configKey}' property is required to have ` +
    `${single ? 'a single partition' : `${wanted.partitions} partitions`} in order to guarantee consistency of ` +
    `connector configurations, but found ${topic.partitions} partitions.`
  );
}

function unusableTopic(key: string, message: string, cause?: unknown): ConnectorError {
  return new ConnectorError('config_invalid', message, { cause, issues: [{ key, message }] });
}
