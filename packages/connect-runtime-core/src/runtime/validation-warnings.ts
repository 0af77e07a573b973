import type { RawConfig } from '../config/config-key.ts';
import { sourceConnectorConfig } from '../connector/connector-config.ts';
import type { AnySourceConnector } from '../connector/source-connector.ts';
import { nearest } from '../text/nearest.ts';
import { converterKeys } from './converter-settings.ts';
import { overridePrefix } from './override-policy.ts';

const knownPrefixes = [
  overridePrefix,
  'topic.creation.',
  'transforms.',
  'predicates.',
  ...converterKeys.map((key) => `${key}.`),
];

/**
 * What is not wrong, and hardly meant: keys that nobody reads, with the known key they resemble, and config providers, which
 * only the worker's own configuration can enable.
 */
export function configWarnings(connector: AnySourceConnector, raw: RawConfig): readonly string[] {
  const names = Object.keys(raw);
  const known = [...sourceConnectorConfig.keys, ...connector.config.keys].map(({ name }) => name);
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
  if (sourceConnectorConfig.find(name) !== undefined || connector.config.find(name) !== undefined)
    return true;
  return knownPrefixes.some((prefix) => name.startsWith(prefix));
}
