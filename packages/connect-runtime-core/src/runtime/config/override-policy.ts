import type { RawConfig } from '../../config/config-key.ts';
import type { ConfigIssue } from '../../diagnostics/connector-error.ts';
import type { ClientOverridePolicy } from '../port/connect-runtime.ts';
import { keysUnder } from '../port/raw-config.ts';

/** Prefix of the producer keys that a connector sets for itself. */
export const overridePrefix = 'producer.override.';

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
]);

const allowed: Readonly<Record<ClientOverridePolicy, (key: string) => boolean>> = {
  None: () => false,
  Principal: (key) => principalKeys.has(key),
  Allowlist: (key) => harmlessKeys.has(key),
  All: () => true,
};

/** The overrides that the worker's policy forbids, with Kafka Connect's message. */
export function forbiddenOverrides(policy: ClientOverridePolicy, raw: RawConfig): readonly ConfigIssue[] {
  return Object.keys(keysUnder(raw, overridePrefix))
    .filter((key) => !allowed[policy](key))
    .map((key) => ({
      key: overridePrefix + key,
      message: `The '${policy}' policy does not allow '${key}' to be overridden in the connector configuration.`,
    }));
}
