import {
  type ConfigIssue,
  type ConfigProvider,
  ConnectorError,
  type RawConfig,
} from '@levada/connect-runtime-core';
import { builtInConfigProviders } from '@levada/connect-runtime-core/runtime';

/**
 * The providers that `config.providers` names, ready to be asked. Their classes are a fixed list: nothing is loaded by
 * name. Throws `config_invalid`, listing every problem.
 */
export function openConfigProviders(
  raw: RawConfig,
  environment: Readonly<Record<string, string | undefined>>,
): ReadonlyMap<string, ConfigProvider> {
  const plugins = builtInConfigProviders(environment);
  const issues: ConfigIssue[] = [];
  const providers = new Map<string, ConfigProvider>();
  for (const name of namesOf(raw)) {
    const key = `config.providers.${name}.class`;
    const className = raw[key];
    const plugin = plugins.find((candidate) => candidate.className === className?.trim());
    if (className === undefined || className === null) {
      issues.push({ key, message: `Missing required configuration "${key}" which has no default value.` });
    } else if (plugin === undefined) {
      const known = plugins.map((candidate) => candidate.className).join(', ');
      const message = `Invalid value ${className} for configuration ${key}: Class ${className} could not be found, there are ${known}`;
      issues.push({ key, message });
    } else {
      try {
        providers.set(name, plugin.create(paramsOf(raw, `config.providers.${name}.param.`)));
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        issues.push({ key, message: `config provider "${name}": ${message}` });
      }
    }
  }
  if (issues.length === 0) return providers;
  throw new ConnectorError('config_invalid', issues.map((issue) => issue.message).join('\n'), { issues });
}

function namesOf(raw: RawConfig): readonly string[] {
  return (raw['config.providers'] ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

function paramsOf(raw: RawConfig, prefix: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(raw).flatMap(([key, value]) =>
      key.startsWith(prefix) && value !== null ? [[key.slice(prefix.length), value] as const] : [],
    ),
  );
}
