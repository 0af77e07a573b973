import type { RawConfig } from '@levada/connect-runtime-core';
import type { AnySourceConnector } from '@levada/connect-runtime-core/contract';
import { describeKey } from '@levada/connect-runtime-core/host';
import { sourceConnectorConfig } from '../config/connector-config.ts';
import { checkPathMatches, connectorClassOf } from '../config/connector-type.ts';
import { makeTaskConfigs } from '../config/make-task-configs.ts';
import { validateConfig } from '../config/validation.ts';
import { type ConfigUpdate, effectOf, type KeyChange, keyChanges } from '../port/config-update.ts';
import type { Herder } from '../port/herder.ts';
import { HerderError } from '../port/herder-error.ts';
import { textOf } from '../port/raw-config.ts';
import type { StoredConnector } from '../stores/config-state.ts';
import type { HerderContext } from './herder-context.ts';

type PluginQueries = Pick<Herder, 'plugins' | 'pluginConfig' | 'validate' | 'configUpdate'>;

/** What the herder says of plugins and of configurations that are not stored. */
export function pluginQueries(context: HerderContext): PluginQueries {
  const { registry, options } = context;
  return {
    plugins: (connectorsOnly) => registry.list(options.version, connectorsOnly),
    pluginConfig: async (plugin) => {
      const connector = registry.findConnector(plugin);
      if (connector !== undefined) {
        return [...connector.config.describe(), ...sourceConnectorConfig.keys.map(describeKey)];
      }
      const stage = registry.findTransformation(plugin) ?? registry.findPredicate(plugin);
      if (stage !== undefined) return stage.config.describe();
      const converter = registry.findConverter(plugin);
      if (converter === undefined) throw new HerderError('not_found', `Unknown plugin ${plugin}.`);
      return converter.config?.describe() ?? [];
    },
    validate: async (plugin, config) => {
      checkPathMatches(plugin, connectorClassOf(config));
      return await validateConfig(context.validation, unmasked(context, config));
    },
    configUpdate: async (plugin, config) => {
      await context.gate.read();
      checkPathMatches(plugin, connectorClassOf(config));
      return updateOf(context, unmasked(context, config));
    },
  };
}

/** The configuration with what is stored in place of masks of it. */
function unmasked(context: HerderContext, config: RawConfig): RawConfig {
  const stored = storedFor(context, config)?.config ?? {};
  const connector = context.registry.findConnector(connectorClassOf(config));
  return context.maskFor(connector, stored).unmask(config, stored);
}

function storedFor({ configs }: HerderContext, config: RawConfig): StoredConnector | undefined {
  return configs.get(textOf(config, 'name') ?? '');
}

function updateOf(context: HerderContext, config: RawConfig): ConfigUpdate {
  const connector = context.registry.connector(connectorClassOf(config));
  const stored = storedFor(context, config);
  if (stored === undefined) return { effect: 'create', changed: [] };
  const changed = keyChanges(connector.config, { name: stored.name, ...stored.config }, config);
  const effect = effectOf([...changed, ...taskChanges(connector, stored, config)]);
  const isHandedOver = effect === 'live' || effect === 'reconnect';
  return {
    effect: isHandedOver && !context.worker.reconfigurable(stored.name) ? 'restart' : effect,
    changed,
  };
}

/** What changes in the configurations of tasks, when they are there and the connector can make new ones. */
function taskChanges(
  connector: AnySourceConnector,
  { name, tasks = [] }: StoredConnector,
  config: RawConfig,
): readonly KeyChange[] {
  if (tasks.length === 0) return [];
  let made: readonly RawConfig[];
  try {
    made = makeTaskConfigs(connector, { name, config });
  } catch {
    // A configuration that tasks cannot be made of fails the connector and leaves its tasks as they are.
    return [];
  }
  if (made.length !== tasks.length) return [{ name: 'tasks', update: 'restart' }];
  return made.flatMap((task, i) => keyChanges(connector.config, tasks[i] ?? {}, task));
}
