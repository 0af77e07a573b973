import type { RawConfig } from '@levada/connect-runtime-core';
import type { AnySourceConnector } from '@levada/connect-runtime-core/contract';
import type { RecordConverters, TransformationStage } from '@levada/connect-runtime-core/host';
import type { TopicSpec } from '@levada/connect-runtime-core/platform';
import { sourceConnectorConfig } from '../config/connector-config.ts';
import {
  type ConverterKey,
  chooseConverter,
  converterPlugin,
  createConverter,
} from '../config/converter-settings.ts';
import {
  exactlyOnceSupport,
  offsetsTopicOf,
  type TransactionBoundary,
  transactionBoundary,
} from '../config/exactly-once.ts';
import { overridePrefix } from '../config/override-policy.ts';
import type { PluginRegistry } from '../config/plugin-registry.ts';
import { topicCreation } from '../config/topic-creation.ts';
import { transformationStages } from '../config/transformation-stages.ts';
import type { ConnectRuntimeOptions } from '../port/connect-runtime.ts';
import { keysUnder, textOf } from '../port/raw-config.ts';

/** What a task runs with, once references are resolved and everything is parsed. */
export interface TaskSettings {
  /** Parsed by the connector's own definition. */
  readonly config: unknown;
  /** Transformations of each record, in order. Undefined without any. */
  readonly stages: readonly TransformationStage[] | undefined;
  readonly converters: RecordConverters;
  /** Classes of the converters, for the log. */
  readonly converterClasses: Readonly<Record<ConverterKey, string>>;
  /** `errors.*` beside the tolerance. */
  readonly errors: ErrorSettings;
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

/** Connect's `errors.*` keys. */
export interface ErrorSettings {
  /** How long to try again, in milliseconds; 0: not at all, -1: without an end. */
  readonly retryTimeoutMs: number;
  /** Longest delay between attempts, in milliseconds. */
  readonly retryDelayMaxMs: number;
  readonly log: boolean;
  /** Whether the log shows records. */
  readonly logRecords: boolean;
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
      stages: transformationStages(registry, raw),
      ...converters(options, registry, raw),
      errors: errorSettings(raw),
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

function errorSettings(raw: RawConfig): ErrorSettings {
  const given = Object.entries(raw).filter(([name]) => name.startsWith('errors.'));
  // The two that have no default stand for any connector.
  const values = sourceConnectorConfig.parse({
    name: 'any',
    'connector.class': 'any',
    ...Object.fromEntries(given),
  });
  return {
    retryTimeoutMs: values['errors.retry.timeout'],
    retryDelayMaxMs: values['errors.retry.delay.max.ms'],
    log: values['errors.log.enable'],
    logRecords: values['errors.log.include.messages'],
  };
}

function converters(
  options: ConnectRuntimeOptions,
  registry: PluginRegistry,
  raw: RawConfig,
): Pick<TaskSettings, 'converters' | 'converterClasses'> {
  const worker = {
    'key.converter': options.keyConverter,
    'value.converter': options.valueConverter,
    'header.converter': options.headerConverter,
  };
  const choose = (key: ConverterKey) => chooseConverter(raw, key, worker);
  const create = (key: ConverterKey) => createConverter(registry, key, choose(key));
  const classOf = (key: ConverterKey) => converterPlugin(registry, key, choose(key).className).className;
  return {
    converters: {
      key: create('key.converter'),
      value: create('value.converter'),
      header: create('header.converter'),
    },
    converterClasses: {
      'key.converter': classOf('key.converter'),
      'value.converter': classOf('value.converter'),
      'header.converter': classOf('header.converter'),
    },
  };
}
