import { type ConfigIssue, ConnectorError, type RawConfig } from '@levada/connect-runtime-core';
import type { ConfigKeyInfo, ConfigValue } from '@levada/connect-runtime-core/config';
import type { ProducedTypes } from '@levada/connect-runtime-core/contract';
import type { Converter, ConverterPlugin } from '@levada/connect-runtime-core/converter';
import {
  describeKey,
  javaHashOrder,
  type RecordPart,
  unacceptedTypes,
} from '@levada/connect-runtime-core/host';
import type { ConverterChoice } from '../port/connect-runtime.ts';
import { textOf } from '../port/raw-config.ts';
import {
  type ConverterKey,
  chooseConverter,
  converterKeys,
  converterPlugin,
  createConverter,
  type WorkerConverters,
} from './converter-settings.ts';
import type { PluginRegistry } from './plugin-registry.ts';

/** What validation says of one converter that a connector chooses. */
export interface ConverterValidation {
  readonly key: ConverterKey;
  /** Full class name; null when there is no such class. */
  readonly className: string | null;
  /** The converter's own keys, with the chosen key and a point before their names, in Connect's order. */
  readonly entries: readonly { readonly definition: ConfigKeyInfo; readonly value: ConfigValue }[];
  readonly issues: readonly ConfigIssue[];
}

/** Validates the converters that a connector chooses itself. Those of the worker are not its concern. */
export function validateConverters(
  registry: PluginRegistry,
  worker: WorkerConverters,
  config: RawConfig,
): readonly ConverterValidation[] {
  return converterKeys
    .filter((key) => textOf(config, key) !== undefined)
    .map((key) => {
      const choice = chooseConverter(config, key, worker);
      try {
        const plugin = converterPlugin(registry, key, choice.className);
        return { key, className: plugin.className, ...validateKeys(plugin, key, choice.config) };
      } catch (thrown) {
        const { issues } = ConnectorError.from(thrown, 'config_invalid');
        const className = registry.fullName(choice.className) ?? null;
        return { key, className, entries: [], issues };
      }
    });
}

function validateKeys(
  plugin: ConverterPlugin,
  key: ConverterKey,
  config: Readonly<Record<string, string>>,
): Pick<ConverterValidation, 'entries' | 'issues'> {
  const typed = { ...config, 'converter.type': key.slice(0, key.indexOf('.')) };
  const values = new Map(plugin.config?.validate(typed).map((value) => [value.name, value]));
  const entries = javaHashOrder([...values.keys()]).flatMap((name) => {
    const value = values.get(name);
    const row = plugin.config?.find(name);
    if (value === undefined || row === undefined) return [];
    return [prefixed(`${key}.`, { value, definition: describeKey(row) })];
  });
  const faulty = entries.some(({ value }) => value.errors.length > 0);
  return { entries, issues: faulty ? [] : creationIssues(plugin, key, config) };
}

function prefixed(prefix: string, { definition, value }: ConverterValidation['entries'][number]) {
  return {
    definition: { ...definition, name: prefix + definition.name },
    value: { ...value, name: prefix + value.name },
  };
}

/** Issues that show only when the converter is created. */
function creationIssues(
  plugin: ConverterPlugin,
  key: ConverterKey,
  config: Readonly<Record<string, string>>,
): readonly ConfigIssue[] {
  try {
    plugin.create(config, key === 'key.converter');
    return [];
  } catch (thrown) {
    const { issues, message } = ConnectorError.from(thrown, 'config_invalid');
    if (issues.length === 0) return [{ key, message }];
    return issues.map((issue) => ({ ...issue, key: `${key}.${issue.key}` }));
  }
}

/**
 * Converters that cannot take what the connector states to produce; also those of the worker, when the connector has chosen
 * none. Each names what can be chosen instead.
 */
export function unfitConverters(
  registry: PluginRegistry,
  worker: WorkerConverters,
  { config, produced }: { readonly config: RawConfig; readonly produced: ProducedTypes },
): readonly ConfigIssue[] {
  return converterKeys.flatMap((key) => {
    const part = key.slice(0, key.indexOf('.')) as RecordPart;
    const choice = chooseConverter(config, key, worker);
    const converter = converterOf(registry, key, choice);
    const problem = converter === undefined ? undefined : unacceptedTypes(converter, part, produced);
    if (problem === undefined) return [];
    const own = textOf(config, key) !== undefined;
    const whose = own ? problem : `the worker's ${choice.className} is used, and ${problem}`;
    const fitting = registry.converters.filter(({ className }) => {
      const other = converterOf(registry, key, { className, config: {} });
      return other !== undefined && unacceptedTypes(other, part, produced) === undefined;
    });
    const names = fitting.map(({ className }) => className).join(' or ');
    const value = own ? choice.className : 'null';
    return [{ key, message: `Invalid value ${value} for configuration ${key}: ${whose}; use ${names}` }];
  });
}

/** Undefined when it cannot be built, which is a problem of its own. */
function converterOf(
  registry: PluginRegistry,
  key: ConverterKey,
  choice: ConverterChoice,
): Converter | undefined {
  try {
    return createConverter(registry, key, choice);
  } catch {
    return undefined;
  }
}
