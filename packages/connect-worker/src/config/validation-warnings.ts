import type { ConfigKey, RawConfig } from '@levada/connect-runtime-core';
import { nearest } from '@levada/connect-runtime-core/config';
import type { AnySourceConnector } from '@levada/connect-runtime-core/contract';
import { sourceConnectorConfig } from './connector-config.ts';
import { converterKeys } from './converter-settings.ts';
import { overridePrefixes } from './override-policy.ts';
import { secretKeysConfig } from './secret-keys.ts';
import { taskIsolationConfig } from './task-isolation.ts';

const commonConfigs = [sourceConnectorConfig, secretKeysConfig, taskIsolationConfig];
const commonKeys = commonConfigs.flatMap(({ keys }): readonly ConfigKey[] => keys);

const knownPrefixes = [
  ...overridePrefixes,
  'topic.creation.',
  'transforms.',
  'predicates.',
  ...converterKeys.map((key) => `${key}.`),
];

/**
 * What is not wrong, and hardly meant: keys that are not read, with the known key they resemble, and config
 * providers, which only the worker's own configuration can enable.
 */
export function configWarnings(connector: AnySourceConnector, raw: RawConfig): readonly string[] {
  const names = Object.keys(raw);
  const known = [...commonKeys, ...connector.config.keys].map(({ name }) => name);
  const unknown = names.filter((name) => !isProviderKey(name) && !isKnown(connector, name));
  const warnings = unknown.map((name) => {
    const near = nearest(name, known);
    return near === undefined
      ? `"${name}" is not a key of this connector and has no effect`
      : `"${name}" is not a key of this connector and has no effect, did you mean "${near}"?`;
  });
  const provider = names.find(isProviderKey);
  if (provider === undefined) return warnings;
  return [
    ...warnings,
    `"${provider}" has no effect in a connector, config providers are enabled in the worker configuration`,
  ];
}

function isProviderKey(name: string): boolean {
  return name === 'config.providers' || name.startsWith('config.providers.');
}

function isKnown(connector: AnySourceConnector, name: string): boolean {
  const definitions = [...commonConfigs, connector.config];
  if (definitions.some((definition) => definition.find(name) !== undefined)) return true;
  return knownPrefixes.some((prefix) => name.startsWith(prefix));
}
