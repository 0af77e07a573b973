import { ConnectorError } from '@levada/connect-runtime-core/errors';

/** Settings of a topic, parsed from its Kafka keys. */
export interface TopicSettings {
  readonly cleanupPolicy: string;
  /** Whether the log keeps one record per key. */
  readonly compacted: boolean;
  /** Whether old records are removed, with or without compaction. */
  readonly deleted: boolean;
  /** Retention in milliseconds; -1: forever. */
  readonly retentionMs: number;
  /** Minimum bytes kept in each partition; -1: all. */
  readonly retentionBytes: number;
  /** Maximum size of a record in bytes. */
  readonly maxMessageBytes: number;
}

/** Defaults for topics. */
export interface TopicDefaults {
  readonly retentionMs: number;
  readonly retentionBytes: number;
}

/** Kafka's default of `max.message.bytes`. */
const MAX_MESSAGE_BYTES = 1_048_588;

const policies = ['delete', 'compact', 'compact,delete', 'delete,compact'] as const;

/** Parses a topic's keys. Throws `config_invalid` with topic, key, value and expectation. Other keys are kept without effect. */
export function topicSettings(
  topic: string,
  config: Readonly<Record<string, string>>,
  defaults: TopicDefaults,
): TopicSettings {
  const number = (key: string, fallback: number, least: number): number => {
    const text = Object.hasOwn(config, key) ? config[key] : undefined;
    if (text === undefined) return fallback;
    const value = Number(text);
    if (Number.isSafeInteger(value) && value >= least && text.trim() !== '') return value;
    throw configError(topic, key, text, `an integer of at least ${least}`);
  };
  const given = (config['cleanup.policy'] ?? 'delete').replaceAll(' ', '');
  if (!policies.some((policy) => policy === given))
    throw configError(topic, 'cleanup.policy', given, policies.join(' | '));
  const cleanupPolicy = given === 'delete,compact' ? 'compact,delete' : given;
  return {
    cleanupPolicy,
    compacted: cleanupPolicy.startsWith('compact'),
    deleted: cleanupPolicy.endsWith('delete'),
    retentionMs: number('retention.ms', defaults.retentionMs, -1),
    retentionBytes: number('retention.bytes', defaults.retentionBytes, -1),
    maxMessageBytes: number('max.message.bytes', MAX_MESSAGE_BYTES, 0),
  };
}

/** Throws `config_invalid` for a name that Kafka would also refuse. */
export function checkTopicName(name: string): void {
  if (name !== '.' && name !== '..' && /^[a-zA-Z0-9._-]{1,249}$/.test(name)) return;
  const expected = '1 to 249 letters, digits, ".", "_" or "-", and not "." or ".."';
  throw new ConnectorError('config_invalid', `topic name "${name}" is not allowed, expected ${expected}`);
}

function configError(topic: string, key: string, value: string, expected: string): ConnectorError {
  return new ConnectorError('config_invalid', `topic "${topic}": ${key} is "${value}", expected ${expected}`);
}
