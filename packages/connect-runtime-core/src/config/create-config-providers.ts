import { type ConfigIssue, ConnectorError } from '../diagnostics/connector-error.ts';
import { splitList } from '../text/java-text.ts';
import type { RawConfig } from './config-key.ts';
import type { ConfigProvider, ConfigProviderPlugin } from './config-provider.ts';

/**
 * The providers that a worker's configuration names: `config.providers=a,b`, for each `config.providers.<name>.class` (a
 * class name, or an alias such as `file`) and `config.providers.<name>.param.<key>`. By the name that references use.
 * Throws one `config_invalid` that lists every problem by key.
 */
export function createConfigProviders(
  raw: RawConfig,
  plugins: readonly ConfigProviderPlugin[],
): ReadonlyMap<string, ConfigProvider> {
  const issues: ConfigIssue[] = [];
  const providers = new Map<string, ConfigProvider>();
  for (const name of new Set(splitList(textOf(raw, 'config.providers')))) {
    if (name === '') continue;
    const classKey = `config.providers.${name}.class`;
    const className = textOf(raw, classKey);
    const plugin = pluginOf(plugins, className);
    if (plugin === undefined)
      issues.push({ key: classKey, message: unknownClass(classKey, className, plugins) });
    else {
      try {
        providers.set(name, plugin.create(paramsOf(raw, name)));
      } catch (thrown) {
        issues.push(...issuesOf(name, thrown));
      }
    }
  }
  if (issues.length > 0) {
    throw new ConnectorError('config_invalid', issues.map((issue) => issue.message).join('\n'), { issues });
  }
  return providers;
}

/** What the providers of {@link createConfigProviders} allow without need, by the key that names the provider's class. */
export function configProviderWarnings(
  raw: RawConfig,
  plugins: readonly ConfigProviderPlugin[],
): readonly ConfigIssue[] {
  const names = new Set(splitList(textOf(raw, 'config.providers')));
  return [...names].flatMap((name) => {
    const key = `config.providers.${name}.class`;
    const plugin = pluginOf(plugins, textOf(raw, key));
    const messages = plugin?.warnings?.(paramsOf(raw, name)) ?? [];
    return messages.map((message) => ({ key, message }));
  });
}

function pluginOf(
  plugins: readonly ConfigProviderPlugin[],
  className: string,
): ConfigProviderPlugin | undefined {
  return plugins.find((each) => [each.className, ...(each.aliases ?? [])].includes(className));
}

function paramsOf(raw: RawConfig, name: string): Readonly<Record<string, string>> {
  const prefix = `config.providers.${name}.param.`;
  return Object.fromEntries(
    Object.entries(raw).flatMap(([key, value]) =>
      key.startsWith(prefix) && value !== null ? [[key.slice(prefix.length), value]] : [],
    ),
  );
}

function issuesOf(name: string, thrown: unknown): readonly ConfigIssue[] {
  const error = ConnectorError.from(thrown);
  const listed = error.issues.length > 0 ? error.issues : [{ key: '', message: error.message }];
  return listed.map(({ key, message }) => {
    const full = `config.providers.${name}.param.${key}`;
    return { key: full, message: `Invalid configuration ${full}: ${message}` };
  });
}

function unknownClass(key: string, className: string, plugins: readonly ConfigProviderPlugin[]): string {
  if (className === '') return `Missing required configuration "${key}" which has no default value.`;
  const known = plugins.flatMap((each) => [each.className, ...(each.aliases ?? [])]).join(', ');
  return `Invalid value ${className} for configuration ${key}: Class ${className} could not be found. Known: ${known}`;
}

function textOf(raw: RawConfig, key: string): string {
  return (Object.hasOwn(raw, key) ? raw[key] : undefined)?.trim() ?? '';
}
