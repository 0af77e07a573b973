import type { RawConfig } from '../../config/config-key.ts';
import type { AnySourceConnector } from '../../contract/source-connector.ts';
import type { RecordConverters } from '../../delivery/record-converter.ts';
import type { TopicSpec } from '../../platform/log-platform.ts';
import { type ConverterKey, chooseConverter, createConverter } from '../config/converter-settings.ts';
import {
  exactlyOnceSupport,
  offsetsTopicOf,
  type TransactionBoundary,
  transactionBoundary,
} from '../config/exactly-once.ts';
import { overridePrefix } from '../config/override-policy.ts';
import type { PluginRegistry } from '../config/plugin-registry.ts';
import { topicCreation } from '../config/topic-creation.ts';
import type { ConnectRuntimeOptions } from '../port/connect-runtime.ts';
import { keysUnder, textOf } from '../port/raw-config.ts';

/** What a task runs with, once references are resolved and everything is parsed. */
export interface TaskSettings {
  /** Parsed by the connector's own definition. */
  readonly config: unknown;
  readonly converters: RecordConverters;
  /** Whether a new task reads again what was not committed. */
  readonly rereads: boolean;
  /** `errors.tolerance=all`. */
  readonly tolerant: boolean;
  /** The worker's producer keys with the connector's `producer.override.*` over them. */
  readonly producerConfig: Readonly<Record<string, string>>;
  /** Records and offsets are stored in transactions, which end here; undefined: without transactions. */
  readonly transactions: TransactionBoundary | undefined;
  /** The connector's `offsets.storage.topic`; undefined for the worker's. */
  readonly offsetsTopic: string | undefined;
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
    const config = connector.config.parse(configs.task);
    return {
      config,
      rereads: connector.rereads?.(config) ?? true,
      converters: converters(options, registry, raw),
      tolerant: textOf(raw, 'errors.tolerance')?.trim() === 'all',
      producerConfig: { ...options.producerConfig, ...keysUnder(raw, overridePrefix) },
      offsetsTopic: offsetsTopicOf(raw),
      transactions:
        writesTransactions(options) && exactlyOnceSupport(connector, config, raw) === 'SUPPORTED'
          ? transactionBoundary(raw, options.offsetFlushIntervalMs)
          : undefined,
      topicSpec: options.topicCreationEnabled ? topicCreation(raw) : undefined,
    };
  };
}

/** Whether a worker writes transactions where connectors can. */
export function writesTransactions({
  exactlyOnceSourceSupport,
  platform,
}: Pick<ConnectRuntimeOptions, 'exactlyOnceSourceSupport' | 'platform'>): boolean {
  return exactlyOnceSourceSupport === 'enabled' && platform.transactions !== undefined;
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
