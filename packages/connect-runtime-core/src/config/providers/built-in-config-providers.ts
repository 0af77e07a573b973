import type { ConfigProviderPlugin } from '../config-provider.ts';
import { directoryConfigProvider } from './directory-config-provider.ts';
import { type Environment, envConfigProvider } from './env-config-provider.ts';
import { fileConfigProvider } from './file-config-provider.ts';

/** The configuration providers that Kafka ships, under its class names. The host hands in its variables (`process.env`). */
export function builtInConfigProviders(environment: Environment): readonly ConfigProviderPlugin[] {
  return [fileConfigProvider, directoryConfigProvider, envConfigProvider(environment)];
}
