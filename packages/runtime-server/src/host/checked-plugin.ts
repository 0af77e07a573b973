import { type Clock, ConnectorError } from '@levada/connect-runtime-core';
import type { ConfigProvider } from '@levada/connect-runtime-core/config';
import type { PluginKind } from './find-packages.ts';
import { nounOf, type PluginCandidate } from './plugin-shapes.ts';

/** Longest that a config provider of somebody else may take to look up the values of one path. */
const LOOK_UP_TIMEOUT_MS = 10_000;

/** What a plugin of each kind makes has to be able to do. */
const methods = {
  transformations: 'apply',
  predicates: 'test',
  converters: 'fromConnectData',
  configProviders: 'get',
} as const satisfies Record<Exclude<PluginKind, 'connectors'>, string>;

const members = ['className', 'aliases', 'version', 'config', 'limitedTo'] as const;

/**
 * The plugin, but its `create` throws `config_invalid` for what cannot be used, so that a configuration is refused instead of
 * failing at its first record; and a config provider answers in time, with texts. Connectors stay as they are: their tasks
 * are supervised.
 */
export function checkedPlugin(kind: PluginKind, plugin: PluginCandidate, clock: Clock): PluginCandidate {
  if (kind === 'connectors') return plugin;
  const method = methods[kind];
  const create = (...args: unknown[]): unknown => {
    const made = (plugin as unknown as { create(...args: unknown[]): unknown }).create(...args);
    if (!has(made, method)) {
      const message = `create of ${nounOf(kind)} ${plugin.className} returned no object with the function ${method}`;
      throw new ConnectorError('config_invalid', message);
    }
    return kind === 'configProviders' ? limited(made as unknown as ConfigProvider, plugin, clock) : made;
  };
  const known = members.flatMap((name) =>
    plugin[name] === undefined ? [] : [[name, plugin[name]] as const],
  );
  return { ...Object.fromEntries(known), className: plugin.className, create };
}

function has(value: unknown, method: string): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return typeof (value as Readonly<Record<string, unknown>>)[method] === 'function';
}

function limited(provider: ConfigProvider, { className }: PluginCandidate, clock: Clock): ConfigProvider {
  return {
    get: async (path, keys) => {
      const late = Promise.withResolvers<never>();
      const timer = clock.after(LOOK_UP_TIMEOUT_MS, () => {
        const message = `${className} gave no values of "${path}" within ${LOOK_UP_TIMEOUT_MS} ms`;
        late.reject(new ConnectorError('timeout', message));
      });
      try {
        return textsOf(await Promise.race([provider.get(path, keys), late.promise]), className);
      } finally {
        timer.cancel();
      }
    },
  };
}

/** Throws for what is no map of texts. No message shows a value. */
function textsOf(values: unknown, className: string): ReadonlyMap<string, string> {
  // A map of another realm is a map too.
  if (!has(values, 'get') || !has(values, 'entries')) {
    throw new ConnectorError('file_unreadable', `${className} gave no map of values`);
  }
  const entries = [...(values as ReadonlyMap<string, unknown>).entries()];
  const wrong = entries.find(([, value]) => typeof value !== 'string');
  if (wrong === undefined) return new Map(entries as [string, string][]);
  throw new ConnectorError('file_unreadable', `${className} gave a value of "${wrong[0]}" that is not text`);
}
