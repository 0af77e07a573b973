import type { ConfigDef, ConfigIssue, ConfigKey, RawConfig } from '@levada/connect-runtime-core';
import type { ConfigKeyInfo, ConfigValue } from '@levada/connect-runtime-core/config';
import type { AnySourceConnector, ProducedTypes } from '@levada/connect-runtime-core/contract';
import { describeKey } from '@levada/connect-runtime-core/host';
import type { ClientOverridePolicy } from '../port/connect-runtime.ts';
import type { ConfigValidation } from '../port/herder.ts';
import { HerderError } from '../port/herder-error.ts';
import { textOf } from '../port/raw-config.ts';
import { traceOf } from '../port/trace.ts';
import type { ResolveConfig, ResolvedConfig } from './config-resolver.ts';
import { sourceConnectorConfig } from './connector-config.ts';
import { connectorClassOf } from './connector-type.ts';
import type { WorkerConverters } from './converter-settings.ts';
import { type ConverterValidation, unfitConverters, validateConverters } from './converter-validation.ts';
import { exactlyOnceIssues, offsetsTopicOf, transactionWarnings } from './exactly-once.ts';
import { forbiddenOverrides, overrideConfig, overrideWarnings } from './override-policy.ts';
import type { PluginRegistry } from './plugin-registry.ts';
import { secretKeyIssues, secretKeysConfig, secretKeysKey } from './secret-keys.ts';
import { maskText, type SecretMask } from './secret-mask.ts';
import { aliasMask, stageKeys } from './stage-keys.ts';
import { taskIsolationConfig, taskIsolationIssues, taskIsolationKey } from './task-isolation.ts';
import { topicCreationWarnings } from './topic-creation.ts';
import { stageIssues } from './transformation-stages.ts';
import { configWarnings } from './validation-warnings.ts';

export interface ValidationOptions {
  readonly registry: PluginRegistry;
  readonly resolve: ResolveConfig;
  readonly maskFor: (connector: AnySourceConnector, config: RawConfig) => SecretMask;
  readonly workerConverters: WorkerConverters;
  readonly overridePolicy: ClientOverridePolicy;
  readonly internalTopics: ReadonlySet<string>;
  /** The worker's offsets topic, one of those. */
  readonly offsetTopic: string;
  /** The worker's `exactly.once.source.support` is `enabled`. */
  readonly exactlyOnce: boolean;
  /** Whether tasks can run in threads of their own. */
  readonly taskThreads: boolean;
}

type Entry = ConfigValidation['configs'][number];

/**
 * Validates a connector's configuration as Kafka Connect does, all problems at once: the keys of every connector, then the
 * connector's own, then client overrides, then its converters'. Rejects with a HerderError only when the class is missing
 * or unknown.
 */
export async function validateConfig(options: ValidationOptions, raw: RawConfig): Promise<ConfigValidation> {
  const className = connectorClassOf(raw);
  const connector = options.registry.connector(className);
  const { config, issues, scrub, unresolved } = await options.resolve(raw);
  const mask = options.maskFor(connector, raw);
  const entries = new Entries({ mask, scrub, maskAliases: aliasMask(raw, config) });
  entries.addAll(sourceConnectorConfig, sourceConnectorConfig.validate(config));
  if (Object.hasOwn(raw, secretKeysKey)) entries.addAll(secretKeysConfig, secretKeysConfig.validate(config));
  // As it is written: where tasks are started, no reference is resolved yet.
  if (Object.hasOwn(raw, taskIsolationKey))
    entries.addAll(taskIsolationConfig, taskIsolationConfig.validate(raw));
  const stages = stageKeys(options.registry, config);
  const stageValues = stages.validate(config);
  entries.addAll(
    stages,
    stageValues.map((value) => withFullClass(options.registry, value)),
  );
  const own = ownValues(connector, config, scrub);
  entries.addAll(connector.config, own);
  const overrides = overrideConfig(config);
  entries.addAll(overrides, overrides.validate(config));
  const converters = validateConverters(options.registry, options.workerConverters, config);
  entries.addConverters(converters);
  for (const issue of [
    ...issues,
    ...nullValues(connector, config),
    ...maskedValues(mask, raw),
    ...secretKeyIssues(connector, raw),
    ...taskLimit(connector, config),
    ...taskIsolationIssues(raw, options.taskThreads),
    // With keys that are wrong, making them fails for the same reasons.
    ...(stageValues.some(({ errors }) => errors.length > 0) ? [] : stageIssues(options.registry, config)),
    ...converters.flatMap((converter) => converter.issues),
    ...unfitConverters(options.registry, options.workerConverters, {
      config,
      // What transformations make of the records is not known before they do.
      produced: stageValues.length > 0 ? {} : producedTypes(connector, own, { config, scrub }),
    }),
    ...exactlyOnceIssues(connector, config, {
      enabled: options.exactlyOnce,
      parse: () => (isValid(own) ? connector.config.parse(config) : undefined),
    }),
    ...forbiddenOverrides(options.overridePolicy, config, options),
    ...internalTopicIssues(connector, config, options),
  ]) {
    entries.addIssue(issue);
  }
  const configs = entries.list();
  return {
    name: className,
    errorCount: configs.reduce((sum, { value }) => sum + value.errors.length, 0),
    groups: groupsOf(configs),
    configs,
    warnings: [
      ...configWarnings(connector, raw),
      ...transactionWarnings(config, options.exactlyOnce),
      ...overrideWarnings(config),
      ...topicCreationWarnings(config),
      ...unresolved.map(noValue),
    ],
  };
}

function noValue({ key, reference }: ResolvedConfig['unresolved'][number]): string {
  return `"${key}": the reference ${reference} has no value and stays as it is written`;
}

interface EntriesOptions {
  readonly mask: SecretMask;
  /** Takes secrets out of a text that says something of a value. */
  readonly scrub: (text: string) => string;
  /** Takes aliases that references stand for out of names and descriptions of keys. */
  readonly maskAliases: (text: string) => string;
}

/** Entries of the answer, each key once, what has no definition before the rest. */
class Entries {
  readonly #mask: SecretMask;
  readonly #scrub: (text: string) => string;
  readonly #maskAliases: (text: string) => string;
  readonly #defined = new Map<string, Entry>();
  readonly #undefined = new Map<string, Entry>();

  constructor({ mask, scrub, maskAliases }: EntriesOptions) {
    this.#mask = mask;
    this.#scrub = (text) => maskAliases(scrub(text));
    this.#maskAliases = maskAliases;
  }

  addAll(definition: Pick<ConfigDef, 'find'>, values: readonly ConfigValue[]): void {
    for (const value of values) {
      const row = definition.find(value.name);
      const name = this.#maskAliases(value.name);
      const shown = { ...value, name, value: this.#show(value), errors: value.errors.map(this.#scrub) };
      // A key that only a prefix stands for has no definition of its own, and is shown when something is wrong.
      if (row !== undefined && row.prefix !== true) {
        this.#defined.set(value.name, { definition: this.#describe(row), value: shown });
      } else if (value.errors.length > 0) {
        this.#undefined.set(value.name, { definition: null, value: shown });
      }
    }
  }

  /** A converter is shown by its full class name, and not at all when there is none of that name. */
  addConverters(converters: readonly ConverterValidation[]): void {
    for (const { key, className, entries } of converters) {
      const chosen = this.#defined.get(key);
      if (chosen !== undefined)
        this.#defined.set(key, { ...chosen, value: { ...chosen.value, value: className } });
      for (const { definition, value } of entries) {
        const shown = { ...value, value: this.#show(value), errors: value.errors.map(this.#scrub) };
        this.#defined.set(value.name, { definition, value: shown });
      }
    }
  }

  addIssue({ key, message }: ConfigIssue): void {
    const defined = this.#defined.get(key);
    const entry = defined ?? this.#undefined.get(key) ?? undefinedEntry(this.#maskAliases(key));
    if (entry.value.errors.includes(message)) return;
    const value = { ...entry.value, errors: [...entry.value.errors, this.#scrub(message)] };
    (defined === undefined ? this.#undefined : this.#defined).set(key, { ...entry, value });
  }

  list(): readonly Entry[] {
    return [...this.#undefined.values(), ...this.#defined.values()];
  }

  #describe(row: ConfigKey): ConfigKeyInfo {
    const mask = this.#maskAliases;
    const info = describeKey(row);
    return {
      ...info,
      name: mask(info.name),
      documentation: mask(info.documentation),
      group: info.group === null ? null : mask(info.group),
      display_name: mask(info.display_name),
    };
  }

  #show({ name, value }: ConfigValue): string | null {
    return value === null ? null : this.#scrub(this.#mask.mask(name, value));
  }
}

/** A transformation or predicate is shown by its full class name, and not at all when there is none of that name. */
function withFullClass(registry: PluginRegistry, value: ConfigValue): ConfigValue {
  const isType = value.name.endsWith('.type') && value.recommendedValues.length > 0;
  if (!isType || value.value === null) return value;
  const nested = value.errors.some((error) => error.startsWith('This class is abstract'));
  const lines = value.errors.flatMap((error) => error.split('\n'));
  const className = nested ? value.value : (registry.fullName(value.value) ?? null);
  return { ...value, value: className, errors: lines };
}

function undefinedEntry(name: string): Entry {
  return { definition: null, value: { name, value: null, recommendedValues: [], errors: [], visible: true } };
}

function ownValues(
  connector: AnySourceConnector,
  config: RawConfig,
  scrub: (text: string) => string,
): readonly ConfigValue[] {
  const values = connector.config.validate(config);
  return ofConnector(scrub, () => connector.validate?.(connector.config.canonical(config), values) ?? values);
}

/** The types that the connector declares, once its own keys have no errors. */
function producedTypes(
  connector: AnySourceConnector,
  own: readonly ConfigValue[],
  { config, scrub }: Pick<ResolvedConfig, 'config' | 'scrub'>,
): ProducedTypes {
  if (connector.produces === undefined || !isValid(own)) return {};
  const parsed = connector.config.parse(config);
  return ofConnector(scrub, () => connector.produces?.(parsed) ?? {});
}

function isValid(values: readonly ConfigValue[]): boolean {
  return values.every(({ errors }) => errors.length === 0);
}

/** A connector that throws here is broken: that is answered as its failure, not as the client's. */
function ofConnector<V>(scrub: (text: string) => string, ask: () => V): V {
  try {
    return ask();
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    // The error itself may hold secrets, and causes get into the log.
    throw new HerderError('internal', scrub(message), { cause: traceOf(thrown, scrub) });
  }
}

/** Null is a value only of the connector's own keys that have no other by default. */
function nullValues(connector: AnySourceConnector, config: RawConfig): readonly ConfigIssue[] {
  const isOptional = (key: string): boolean =>
    connector.config.find(key)?.default === null && sourceConnectorConfig.find(key) === undefined;
  return Object.keys(config)
    .filter((key) => config[key] === null && !isOptional(key))
    .map((key) => ({ key, message: 'Null value can not be supplied as the configuration value.' }));
}

function maskedValues(mask: SecretMask, raw: RawConfig): readonly ConfigIssue[] {
  return mask.stillMasked(raw).map((key) => ({
    key,
    message: `Invalid value ${maskText} for configuration ${key}: the value is masked, and no stored value is there to keep`,
  }));
}

function taskLimit({ maxTasks }: AnySourceConnector, config: RawConfig): readonly ConfigIssue[] {
  const text = textOf(config, 'tasks.max')?.trim();
  if (maxTasks === undefined || text === undefined || !/^\d+$/.test(text) || Number(text) <= maxTasks)
    return [];
  const rule = maxTasks === 1 ? 'Value must be 1' : `Value must be no more than ${maxTasks}`;
  return [{ key: 'tasks.max', message: `Invalid value ${text} for configuration tasks.max: ${rule}` }];
}

/** Any key that names a topic by its name. */
function internalTopicIssues(
  connector: AnySourceConnector,
  config: RawConfig,
  { internalTopics, offsetTopic }: Pick<ValidationOptions, 'internalTopics' | 'offsetTopic'>,
): readonly ConfigIssue[] {
  const canonical = connector.config.canonical(config);
  const rows: readonly ConfigKey[] = connector.config.keys;
  const topics = rows
    .map(({ name }) => ({ key: name, topic: textOf(canonical, name)?.trim() ?? '' }))
    .filter(({ key }) => /(^|\.)topic$/.test(key));
  // The worker's own offsets topic may be named, as in Kafka Connect: it is what is used anyway.
  const offsets = offsetsTopicOf(config);
  if (offsets !== undefined && offsets !== offsetTopic)
    topics.push({ key: 'offsets.storage.topic', topic: offsets });
  return topics
    .filter(({ topic }) => internalTopics.has(topic))
    .map(({ key, topic }) => ({
      key,
      message: `Invalid value ${topic} for configuration ${key}: it is an internal topic of this worker`,
    }));
}

function groupsOf(entries: readonly Entry[]): readonly string[] {
  const groups = entries
    .map(({ definition }) => definition?.group)
    .filter((group) => typeof group === 'string');
  return [...new Set(groups)];
}
