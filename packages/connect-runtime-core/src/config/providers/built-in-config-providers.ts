import { type ConfigIssue, ConnectorError } from '../../diagnostics/connector-error.ts';
import { linearPattern } from '../../text/linear-pattern.ts';
import type { ConfigProvider, ConfigProviderPlugin } from '../config-provider.ts';
import { directoryConfigProvider } from './directory-config-provider.ts';
import { fileConfigProvider } from './file-config-provider.ts';

/** The variables of a process. */
type Environment = Readonly<Record<string, string | undefined>>;

/** The configuration providers that Kafka ships, under its class names. The host hands in its variables (`process.env`). */
export function builtInConfigProviders(environment: Environment): readonly ConfigProviderPlugin[] {
  return [fileConfigProvider, directoryConfigProvider, envConfigProvider(environment)];
}

/**
 * `${env:NAME}`: variables of an environment. With the parameter `allowlist.pattern` whole names must fit it, others have no value; without it,
 * as in Kafka, every variable can be read, and the worker warns of that. See {@link linearPattern} for what a pattern may hold.
 */
function envConfigProvider(environment: Environment): ConfigProviderPlugin {
  return {
    className: 'org.apache.kafka.common.config.provider.EnvVarConfigProvider',
    aliases: ['env'],
    create: (params) => provider(environment, allowlist(params['allowlist.pattern'])),
    warnings: (params) =>
      hasText(params['allowlist.pattern'])
        ? []
        : ["without allowlist.pattern connectors can read every variable of the worker's environment"],
  };
}

function provider(environment: Environment, isAllowed: (name: string) => boolean): ConfigProvider {
  return {
    get: async (path, names) => {
      if (path !== '') {
        throw new ConnectorError(
          'config_invalid',
          `environment variables have no path, write \${env:NAME} instead of \${env:${path}:NAME}`,
        );
      }
      const values = new Map<string, string>();
      for (const name of names) {
        const value = Object.hasOwn(environment, name) ? environment[name] : undefined;
        if (value !== undefined && isAllowed(name)) values.set(name, value);
      }
      return values;
    },
  };
}

function allowlist(pattern: string | undefined): (name: string) => boolean {
  if (!hasText(pattern)) return () => true;
  try {
    return linearPattern(pattern);
  } catch (thrown) {
    throw invalid(`allowlist.pattern: ${ConnectorError.from(thrown).message}`);
  }
}

function hasText(text: string | undefined): text is string {
  return text !== undefined && text.trim() !== '';
}

function invalid(message: string): ConnectorError {
  const issues: readonly ConfigIssue[] = [{ key: 'allowlist.pattern', message }];
  return new ConnectorError('config_invalid', message, { issues });
}
