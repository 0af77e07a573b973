import { type ConfigIssue, ConnectorError, type RawConfig } from '@levada/connect-runtime-core';
import type { ConfigProvider } from '@levada/connect-runtime-core/config';
import { scrubber, type TransformedConfig, transformConfig } from '@levada/connect-runtime-core/host';

/**
 * Resolves with the worker's providers. A provider that fails leaves its references as they are written, and an issue at
 * each key that has them. `literals` names the secrets that are written in a configuration itself.
 */
export function configResolver(
  providers: ReadonlyMap<string, ConfigProvider>,
  literals: (raw: RawConfig) => readonly string[],
): ResolveConfig {
  return async (raw) => {
    const issues: ConfigIssue[] = [];
    const { config, secrets, unresolved } = await transformConfig(raw, providers).catch(() =>
      transformEach(raw, providers, issues),
    );
    const texts = [...secrets, ...literals(raw)];
    return { config, issues, unresolved, secrets: texts, scrub: scrubber(texts) };
  };
}

/** Key by key, to know which one a provider fails for. */
async function transformEach(
  raw: RawConfig,
  providers: ReadonlyMap<string, ConfigProvider>,
  issues: ConfigIssue[],
): Promise<TransformedConfig> {
  const entries: [string, string | null][] = [];
  const secrets: string[] = [];
  const unresolved: TransformedConfig['unresolved'][number][] = [];
  for (const [key, value] of Object.entries(raw)) {
    try {
      const one = await transformConfig(Object.fromEntries([[key, value]]), providers);
      entries.push(...Object.entries(one.config));
      secrets.push(...one.secrets);
      unresolved.push(...one.unresolved);
    } catch (thrown) {
      const { message } = ConnectorError.from(thrown, 'file_unreadable');
      issues.push({ key, message: `Cannot resolve the references of ${key}: ${message}` });
      entries.push([key, value]);
    }
  }
  return { config: Object.fromEntries(entries), secrets, unresolved };
}

/** A configuration with the values that its references stand for. Lives as long as the task that uses it. */
export interface ResolvedConfig {
  readonly config: RawConfig;
  /** The revealed values, and literal secrets. */
  readonly secrets: readonly string[];
  /** Takes these out of a text. */
  readonly scrub: (text: string) => string;
  /** References whose provider failed; their text stays as it is written. */
  readonly issues: readonly ConfigIssue[];
  /** References that their provider has no value for; they stay as they are written, as in Connect. */
  readonly unresolved: TransformedConfig['unresolved'];
}

/** Resolves the references of a configuration with the worker's providers. Never rejects. */
export type ResolveConfig = (raw: RawConfig) => Promise<ResolvedConfig>;
