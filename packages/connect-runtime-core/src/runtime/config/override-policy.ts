import type { RawConfig } from '../../config/config-key.ts';
import type { ConfigIssue } from '../../diagnostics/connector-error.ts';
import type { ClientOverridePolicy } from '../port/connect-runtime.ts';
import { keysUnder, textOf } from '../port/raw-config.ts';

/** Prefix of the producer keys that a connector sets for itself. */
export const overridePrefix = 'producer.override.';
const consumerPrefix = 'consumer.override.';
const adminPrefix = 'admin.override.';

/** Prefixes of all keys that a connector may set for the clients of the log. */
export const overridePrefixes = [overridePrefix, consumerPrefix, adminPrefix] as const;

const principalKeys = new Set(['sasl.jaas.config', 'sasl.mechanism', 'security.protocol']);
const harmlessKeys = new Set([
  'acks',
  'batch.size',
  'buffer.memory',
  'client.id',
  'compression.type',
  'delivery.timeout.ms',
  'linger.ms',
  'max.request.size',
  'request.timeout.ms',
  'transaction.timeout.ms',
]);

const allowed: Readonly<Record<ClientOverridePolicy, (key: string) => boolean>> = {
  None: () => false,
  Principal: (key) => principalKeys.has(key),
  Allowlist: (key) => harmlessKeys.has(key),
  All: () => true,
};

/**
 * The overrides that the worker's policy forbids, with Kafka Connect's message. As there, keys of a kind of client that the connector does
 * not use are not looked at: a source uses an admin client with `topic.creation.*`, and both others with offsets of its own.
 */
export function forbiddenOverrides(
  policy: ClientOverridePolicy,
  raw: RawConfig,
  { exactlyOnce }: { readonly exactlyOnce: boolean },
): readonly ConfigIssue[] {
  const hasOffsets = exactlyOnce || (textOf(raw, 'offsets.storage.topic') ?? '').trim() !== '';
  const createsTopics = Object.keys(raw).some((key) => key.startsWith('topic.creation.'));
  const prefixes = [
    overridePrefix,
    ...(createsTopics || hasOffsets ? [adminPrefix] : []),
    ...(hasOffsets ? [consumerPrefix] : []),
  ];
  return prefixes.flatMap((prefix) =>
    Object.keys(keysUnder(raw, prefix))
      .filter((key) => !allowed[policy](key))
      .map((key) => ({
        key: prefix + key,
        message: `The '${policy}' policy does not allow '${key}' to be overridden in the connector configuration.`,
      })),
  );
}

/** Overrides of clients that connectors do not have here. */
export function overrideWarnings(raw: RawConfig): readonly string[] {
  return Object.keys(raw)
    .filter((key) => key.startsWith(consumerPrefix) || key.startsWith(adminPrefix))
    .map(
      (key) =>
        `"${key}" has no effect in this worker: topics are created and offsets are read by its own clients, which have the keys of the worker`,
    );
}
