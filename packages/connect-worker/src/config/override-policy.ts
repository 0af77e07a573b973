import {
  type ConfigDef,
  type ConfigIssue,
  type ConfigKey,
  configDef,
  type RawConfig,
} from '@levada/connect-runtime-core';
import type { ConfigType } from '@levada/connect-runtime-core/config';
import type { ClientOverridePolicy } from '../port/connect-runtime.ts';
import { keysUnder, textOf } from '../port/raw-config.ts';

/** Prefix of the producer keys that a connector sets for itself. */
export const overridePrefix = 'producer.override.';
const consumerPrefix = 'consumer.override.';
const adminPrefix = 'admin.override.';

/** Prefixes of all keys that a connector may set for the clients of the log. */
export const overridePrefixes = [overridePrefix, consumerPrefix, adminPrefix] as const;

const principalKeys = new Set(['sasl.jaas.config', 'sasl.mechanism', 'security.protocol']);
/** Keys that do no harm to others, as Kafka's producer defines them. */
const harmlessKeys = [
  ['acks', 'string', 'all', 'Which replicas must have a record before it counts as written.'],
  ['batch.size', 'int', 16_384, 'Size up to which records for a partition are sent together, in bytes.'],
  ['buffer.memory', 'long', 33_554_432, 'Memory for records that are not sent yet, in bytes.'],
  ['client.id', 'string', '', 'Name of the client in logs and metrics of the brokers.'],
  ['compression.type', 'string', 'none', 'How batches are compressed.'],
  [
    'delivery.timeout.ms',
    'int',
    120_000,
    'Longest that a record may take until it is written, in milliseconds.',
  ],
  ['linger.ms', 'long', 0, 'Longest that a record waits for others to be sent together, in milliseconds.'],
  ['max.request.size', 'int', 1_048_576, 'Largest request, in bytes.'],
  ['request.timeout.ms', 'int', 30_000, 'Longest that an answer of a broker is waited for, in milliseconds.'],
  [
    'transaction.timeout.ms',
    'int',
    60_000,
    'Longest that a transaction may be open before the log aborts it, in milliseconds.',
  ],
] as const satisfies readonly (readonly [string, ConfigType, string | number, string])[];
const harmlessNames: ReadonlySet<string> = new Set(harmlessKeys.map(([name]) => name));

const allowed: Readonly<Record<ClientOverridePolicy, (key: string) => boolean>> = {
  None: () => false,
  Principal: (key) => principalKeys.has(key),
  Allowlist: (key) => harmlessNames.has(key),
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

const principalRows: readonly ConfigKey[] = [...principalKeys].map((name) => ({
  name: overridePrefix + name,
  displayName: name,
  type: name === 'sasl.jaas.config' ? 'password' : 'string',
  default: null,
  importance: 'medium',
  documentation: 'How the producer signs on to the brokers.',
}));
const overrideRows: readonly ConfigKey[] = [
  ...harmlessKeys.map(([name, type, value, documentation]) => ({
    name: overridePrefix + name,
    displayName: name,
    type,
    default: value,
    importance: 'medium' as const,
    documentation,
  })),
  ...principalRows,
];

/** The definition of the overrides that a configuration has: as in Kafka Connect, validation shows those that were given. */
export function overrideConfig(raw: RawConfig): ConfigDef {
  return configDef(overrideRows.filter(({ name }) => Object.hasOwn(raw, name)));
}
