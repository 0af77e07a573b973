import {
  type ConfigIssue,
  type ConfigKey,
  ConnectorError,
  type RawConfig,
} from '@levada/connect-runtime-core';
import type { Converter, ConverterPlugin } from '@levada/connect-runtime-core/converter';
import type { ConverterChoice } from '../port/connect-runtime.ts';
import { keysUnder, textOf } from '../port/raw-config.ts';
import { PluginRegistry } from './plugin-registry.ts';

/** The keys that choose converters. */
export const converterKeys = ['key.converter', 'value.converter', 'header.converter'] as const;

/** One of {@link converterKeys}. */
export type ConverterKey = (typeof converterKeys)[number];

/** The worker's own choices, for connectors that make none. */
export type WorkerConverters = Readonly<Record<ConverterKey, ConverterChoice>>;

/** A connector that names a converter brings its settings too; those of the worker's choice do not carry over. */
export function chooseConverter(
  raw: RawConfig,
  key: ConverterKey,
  worker: WorkerConverters,
): ConverterChoice {
  const className = textOf(raw, key)?.trim();
  return className === undefined ? worker[key] : { className, config: keysUnder(raw, `${key}.`) };
}

/** The plugin of a choice. Throws a `config_invalid` ConnectorError with Kafka's message. */
export function converterPlugin(
  registry: PluginRegistry,
  key: ConverterKey,
  className: string,
): ConverterPlugin {
  const plugin = registry.findConverter(className);
  const excluded = key === 'header.converter' ? 'records' : 'headers';
  if (plugin !== undefined && plugin.limitedTo !== excluded) return plugin;
  const other = registry.fullName(className);
  const wanted = key === 'header.converter' ? 'HeaderConverter' : 'Converter';
  const message =
    other === undefined
      ? `Invalid value ${className} for configuration ${key}: Class ${className} could not be found.`
      : `Class class ${other} does not implement the ${wanted} interface`;
  throw new ConnectorError('config_invalid', message, { issues: [{ key, message }] });
}

/** Builds the converter of a choice. Throws a `config_invalid` ConnectorError. */
export function createConverter(
  registry: PluginRegistry,
  key: ConverterKey,
  choice: ConverterChoice,
): Converter {
  return converterPlugin(registry, key, choice.className).create(choice.config, key === 'key.converter');
}

/** Finds the row of a converter's own key, such as `value.converter.basic.auth.user.info`, in a configuration that chooses the converter. */
export function converterRows(
  converters: readonly ConverterPlugin[],
): (config: RawConfig, name: string) => ConfigKey | undefined {
  const registry = new PluginRegistry([], converters);
  return (config, name) => {
    const key = converterKeys.find((each) => name.startsWith(`${each}.`));
    const className = key === undefined ? undefined : textOf(config, key)?.trim();
    if (key === undefined || className === undefined) return undefined;
    return registry.findConverter(className)?.config?.find(name.slice(key.length + 1));
  };
}

/** What is wrong with a worker's own choices: classes that are not there, values that they do not take. */
export function converterIssues(
  choices: WorkerConverters,
  converters: readonly ConverterPlugin[],
): readonly ConfigIssue[] {
  const registry = new PluginRegistry([], converters);
  return converterKeys.flatMap((key) => {
    try {
      createConverter(registry, key, choices[key]);
      return [];
    } catch (thrown) {
      const { issues, message } = ConnectorError.from(thrown, 'config_invalid');
      return issues.length > 0 ? issues.map((issue) => underKey(key, issue)) : [{ key, message }];
    }
  });
}

/** A problem of a converter's own key, by the name that the worker has for it. */
function underKey(prefix: ConverterKey, issue: ConfigIssue): ConfigIssue {
  const { key, message } = issue;
  if (key === prefix) return issue;
  const full = `${prefix}.${key}`;
  const named = message
    .replace(`configuration ${key}`, `configuration ${full}`)
    .replace(`configuration "${key}"`, `configuration "${full}"`);
  return { key: full, message: named };
}
