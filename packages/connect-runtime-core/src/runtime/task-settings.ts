import type { RawConfig } from '../config/config-key.ts';
import type { AnySourceConnector } from '../connector/source-connector.ts';
import { topicCreation } from '../connector/topic-creation.ts';
import type { TopicSpec } from '../platform/log-platform.ts';
import type { ConnectRuntimeOptions } from './connect-runtime.ts';
import { type ConverterKey, chooseConverter, createConverter } from './converter-settings.ts';
import { overridePrefix } from './override-policy.ts';
import type { PluginRegistry } from './plugin-registry.ts';
import { keysUnder, textOf } from './raw-config.ts';
import type { RecordConverters } from './record-converter.ts';

/** What a task runs with, once references are resolved and everything is parsed. */
export interface TaskSettings {
  /** Parsed by the connector's own definition. */
  readonly config: unknown;
  readonly converters: RecordConverters;
  /** `errors.tolerance=all`. */
  readonly tolerant: boolean;
  /** The worker's producer keys with the connector's `producer.override.*` over them. */
  readonly producerConfig: Readonly<Record<string, string>>;
  /** How missing topics are made; undefined when the log does that. */
  readonly topicSpec: ((topic: string) => TopicSpec) | undefined;
}

/** Makes the settings of one task from its connector's and its own configuration, resolved. Throws a `config_invalid` ConnectorError. */
export type TaskSettingsFactory = (
  connector: AnySourceConnector,
  configs: { readonly connector: RawConfig; readonly task: RawConfig },
) => TaskSettings;

/** Settings as a worker makes them. */
export function taskSettingsFactory(
  options: ConnectRuntimeOptions,
  registry: PluginRegistry,
): TaskSettingsFactory {
  return (connector, configs) => {
    const raw = configs.connector;
    return {
      config: connector.config.parse(configs.task),
      converters: converters(options, registry, raw),
      tolerant: textOf(raw, 'errors.tolerance')?.trim() === 'all',
      producerConfig: { ...options.producerConfig, ...keysUnder(raw, overridePrefix) },
      topicSpec: options.topicCreationEnabled ? topicCreation(raw) : undefined,
    };
  };
}

function converters(
  options: ConnectRuntimeOptions,
  registry: PluginRegistry,
  raw: RawConfig,
): RecordConverters {
  const worker = {
    'key.converter': options.keyConverter,
    'value.converter': options.valueConverter,
    'header.converter': options.headerConverter,
  };
  const create = (key: ConverterKey) => createConverter(registry, key, chooseConverter(raw, key, worker));
  return {
    key: create('key.converter'),
    value: create('value.converter'),
    header: create('header.converter'),
  };
}
