import { type ConfigIssue, configDef, type RawConfig } from '@levada/connect-runtime-core';
import type { AnySourceConnector } from '@levada/connect-runtime-core/contract';
import { sourceConnectorConfig } from './connector-config.ts';

/** Name of the key that names further secrets. */
export const secretKeysKey = 'secret.keys';

/**
 * A key that every connector has beside those of Kafka Connect. It is apart from them, so that answers without it are
 * those of Kafka Connect.
 */
export const secretKeysConfig = configDef([
  {
    name: secretKeysKey,
    type: 'list',
    default: [],
    importance: 'low',
    documentation:
      'Keys of this configuration whose values are masked wherever they would be shown, as passwords always are.',
    group: 'Common',
    order: 11,
    width: 'long',
    displayName: 'Secret keys',
  },
]);

/** The keys that a configuration names as secret. Never one of those that every connector has: answers need them. */
export function secretKeysOf(raw: RawConfig): ReadonlySet<string> {
  const text = Object.hasOwn(raw, secretKeysKey) ? (raw[secretKeysKey] ?? '') : '';
  const names = secretKeysConfig.parse({ [secretKeysKey]: text })[secretKeysKey];
  return new Set(names.filter((name) => sourceConnectorConfig.find(name) === undefined));
}

/** Names that mask nothing. A slip here would show a secret. */
export function secretKeyIssues(connector: AnySourceConnector, raw: RawConfig): readonly ConfigIssue[] {
  const names = secretKeysConfig.parse({ [secretKeysKey]: raw[secretKeysKey] ?? '' })[secretKeysKey];
  return names.flatMap((name) => {
    const common = sourceConnectorConfig.find(name) !== undefined || name === secretKeysKey;
    if (!common && (connector.config.find(name) !== undefined || Object.hasOwn(raw, name))) return [];
    const problem = common
      ? `"${name}" is a key of every connector and always shown`
      : `"${name}" is neither a key of the connector nor of this configuration`;
    return [
      { key: secretKeysKey, message: `Invalid value ${name} for configuration ${secretKeysKey}: ${problem}` },
    ];
  });
}
