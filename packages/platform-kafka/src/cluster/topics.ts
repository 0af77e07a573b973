import { ConnectorError } from '@levada/connect-runtime-core';
import type { TopicDescription, TopicSpec } from '@levada/connect-runtime-core/platform';
import { brokerError, errorCodes, readError } from '../model/broker-errors.ts';
import type { TopicMetadata } from '../wire/kafka-calls.ts';
import type { Cluster } from './cluster.ts';

/** Time for a broker to create a topic. Shorter than the timeout of the answer. */
const CREATE_TIMEOUT_MS = 20_000;
/** How long to wait until brokers know a new topic, and the polling interval, in milliseconds. */
const KNOWN_TIMEOUT_MS = 5000;
const KNOWN_POLL_MS = 50;
/** Kafka's resource type of topics. */
const TOPIC = 2;

/** Creates missing topics. Resolves with the names of created ones once brokers know them. Tried once. */
export async function createTopics(
  cluster: Cluster,
  specs: readonly TopicSpec[],
): Promise<readonly string[]> {
  if (specs.length === 0) return [];
  const before = await cluster.metadata(specs.map(({ name }) => name));
  const known = new Set(before.topics.filter(exists).map(({ name }) => name));
  const missing = specs.filter(({ name }) => !known.has(name));
  if (missing.length === 0) return [];
  const answer = await cluster.call('controller', 'CreateTopics', {
    topics: missing.map(toRequest),
    timeoutMs: CREATE_TIMEOUT_MS,
    validateOnly: false,
  });
  const made: string[] = [];
  const failures: ConnectorError[] = [];
  for (const { name, errorCode, errorMessage } of answer.topics) {
    if (errorCode === 0) made.push(name);
    // Another worker was faster
    else if (errorCode !== errorCodes.TOPIC_ALREADY_EXISTS) {
      failures.push(brokerError({ errorCode, message: errorMessage, what: `cannot create topic "${name}"` }));
    }
  }
  if (failures.length > 0) throw inOne(failures);
  await untilKnown(
    cluster,
    missing.map(({ name }) => name),
  );
  return made;
}

/** Brokers learn of a new topic with a delay; until then they answer that it does not exist. */
async function untilKnown(cluster: Cluster, names: readonly string[]): Promise<void> {
  const { clock } = cluster;
  const deadline = clock.monotonic() + KNOWN_TIMEOUT_MS;
  for (;;) {
    const { topics } = await cluster.metadata(names);
    const unknown = topics.find((topic) => !isServed(topic));
    if (unknown === undefined) return;
    if (clock.monotonic() > deadline) {
      const what = `topic "${unknown.name}" was made, and the broker does not serve it within ${KNOWN_TIMEOUT_MS} ms`;
      throw readError(unknown.errorCode || errorCodes.LEADER_NOT_AVAILABLE, what);
    }
    await clock.sleep(KNOWN_POLL_MS);
  }
}

/** Describes the existing ones of the topics. Tried once. `cleanupPolicy` is empty if the user may not see it. */
export async function describeTopics(
  cluster: Cluster,
  names: readonly string[],
): Promise<readonly TopicDescription[]> {
  if (names.length === 0) return [];
  const { topics } = await cluster.metadata(names);
  const refused = topics.find((topic) => topic.errorCode !== 0 && !isUncertain(topic));
  if (refused !== undefined) {
    throw brokerError({ errorCode: refused.errorCode, what: `cannot describe topic "${refused.name}"` });
  }
  const found = topics.filter(exists);
  if (found.length === 0) return [];
  const policies = await cleanupPolicies(
    cluster,
    found.map(({ name }) => name),
  );
  return found.flatMap(({ name, partitions }) => {
    const cleanupPolicy = policies.get(name);
    return cleanupPolicy === undefined ? [] : [{ name, partitions: partitions.length, cleanupPolicy }];
  });
}

function isServed({ errorCode, partitions }: TopicMetadata): boolean {
  return errorCode === 0 && partitions.every(({ leaderId }) => leaderId >= 0);
}

/** Whether the topic is missing, or is being created or electing leaders. */
function isUncertain({ errorCode }: TopicMetadata): boolean {
  return errorCode === errorCodes.UNKNOWN_TOPIC_OR_PARTITION || errorCode === errorCodes.LEADER_NOT_AVAILABLE;
}

/** A topic without leaders exists. */
function exists({ errorCode }: TopicMetadata): boolean {
  return errorCode === 0 || errorCode === errorCodes.LEADER_NOT_AVAILABLE;
}

/** Asks the broker that described the topics, because others may not know a new one yet. */
async function cleanupPolicies(
  cluster: Cluster,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { results } = await cluster.ask('DescribeConfigs', {
    resources: names.map((resourceName) => ({
      resourceType: TOPIC,
      resourceName,
      configurationKeys: ['cleanup.policy'],
    })),
    includeSynonyms: false,
  });
  const policies = new Map<string, string>();
  for (const { errorCode, errorMessage, resourceName, configs } of results) {
    // Deleted meanwhile
    if (errorCode === errorCodes.UNKNOWN_TOPIC_OR_PARTITION) continue;
    if (errorCode === errorCodes.TOPIC_AUTHORIZATION_FAILED) {
      policies.set(resourceName, '');
      continue;
    }
    const what = `cannot read the configuration of topic "${resourceName}"`;
    if (errorCode !== 0) throw brokerError({ errorCode, message: errorMessage, what });
    policies.set(resourceName, configs[0]?.value ?? '');
  }
  return policies;
}

function toRequest(spec: TopicSpec) {
  const { name, partitions = -1, replicationFactor = -1, config = {} } = spec;
  return {
    name,
    numPartitions: partitions,
    replicationFactor,
    assignments: [],
    configs: Object.entries(config).map(([key, value]) => ({ name: key, value })),
  };
}

/** Returns a permanent failure first. */
function inOne(failures: readonly ConnectorError[]): ConnectorError {
  const permanent = failures.filter(({ retriable }) => !retriable);
  const [first, ...rest] = permanent.length > 0 ? permanent : failures;
  if (first === undefined) return new ConnectorError('internal', 'no failure');
  if (rest.length === 0) return first;
  const message = [first, ...rest].map((error) => error.message).join('; ');
  return new ConnectorError(first.code, message, { cause: first, retriable: first.retriable });
}
