import { describeKey } from '../config/config-key-info.ts';
import { sourceConnectorConfig } from '../connector/connector-config.ts';
import { checkPathMatches, connectorClassOf } from './connector-type.ts';
import type { Herder } from './herder.ts';
import type { HerderContext } from './herder-context.ts';
import { HerderError } from './herder-error.ts';
import { textOf } from './raw-config.ts';
import { validateConfig } from './validation.ts';

type PluginQueries = Pick<Herder, 'plugins' | 'pluginConfig' | 'validate'>;

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
      const converter = registry.findConverter(plugin);
      if (converter === undefined) throw new HerderError('not_found', `Unknown plugin ${plugin}.`);
      return converter.config?.describe() ?? [];
    },
    validate: async (plugin, config) => {
      const className = connectorClassOf(config);
      checkPathMatches(plugin, className);
      const stored = context.configs.get(textOf(config, 'name') ?? '')?.config ?? {};
      const mask = context.maskFor(registry.findConnector(className));
      return await validateConfig(context.validation, mask.unmask(config, stored));
    },
  };
}
