import type { RawConfig } from './config-key.ts';
import type { ConfigProvider } from './config-provider.ts';
import { type ConfigReference, findReferences } from './references.ts';

/** A configuration with its references replaced. */
export interface TransformedConfig {
  /** For starting and validating only: never stored, answered or logged. */
  readonly config: RawConfig;
  /** Values that references were replaced with, for a {@link scrubber}. */
  readonly secrets: readonly string[];
  /** References to known providers that have no value. They stay in the configuration as they are written, as in Connect. */
  readonly unresolved: readonly { readonly key: string; readonly reference: string }[];
}

/** Provider name to path to the keys that are asked for there, then to their values. */
type Lookups<T> = Map<string, Map<string, T>>;

/**
 * Replaces each `${provider:[path:]key}` by what the provider says. Asks once per path, for all keys of the
 * configuration. Values are not searched for further references. Unknown providers and missing keys leave the reference as
 * it is. Rejects with what a provider rejects with. Corresponds to Kafka's ConfigTransformer.
 */
export async function transformConfig(
  raw: RawConfig,
  providers: ReadonlyMap<string, ConfigProvider>,
): Promise<TransformedConfig> {
  const references = new Map<string, readonly ConfigReference[]>();
  for (const [key, value] of Object.entries(raw)) {
    if (value === null) continue;
    const known = findReferences(value).filter((each) => providers.has(each.provider));
    if (known.length > 0) references.set(key, known);
  }
  if (references.size === 0) return { config: raw, secrets: [], unresolved: [] };

  const found = await lookUp([...references.values()].flat(), providers);
  const secrets = new Set<string>();
  const unresolved: { key: string; reference: string }[] = [];
  const resolve = (key: string, text: string, each: ConfigReference): string => {
    const value = found.get(each.provider)?.get(each.path)?.get(each.key);
    const written = text.slice(each.start, each.end);
    if (value === undefined) unresolved.push({ key, reference: written });
    else secrets.add(value);
    return value ?? written;
  };
  const entries = Object.entries(raw).map(([key, value]): [string, string | null] => {
    const known = references.get(key);
    if (value === null || known === undefined) return [key, value];
    return [key, replaceAll(value, known, (each) => resolve(key, value, each))];
  });
  return {
    config: Object.fromEntries(entries),
    secrets: [...secrets],
    unresolved,
  };
}

async function lookUp(
  references: readonly ConfigReference[],
  providers: ReadonlyMap<string, ConfigProvider>,
): Promise<Lookups<ReadonlyMap<string, string>>> {
  const asked: Lookups<Set<string>> = new Map();
  for (const { provider, path, key } of references) {
    const paths = asked.get(provider) ?? new Map<string, Set<string>>();
    asked.set(provider, paths.set(path, (paths.get(path) ?? new Set()).add(key)));
  }
  const found: Lookups<ReadonlyMap<string, string>> = new Map();
  for (const [name, paths] of asked) {
    const values = new Map<string, ReadonlyMap<string, string>>();
    for (const [path, keys] of paths) {
      values.set(path, (await providers.get(name)?.get(path, [...keys])) ?? new Map());
    }
    found.set(name, values);
  }
  return found;
}

function replaceAll(
  text: string,
  references: readonly ConfigReference[],
  replacement: (reference: ConfigReference) => string,
): string {
  let result = '';
  let at = 0;
  for (const each of references) {
    result += text.slice(at, each.start) + replacement(each);
    at = each.end;
  }
  return result + text.slice(at);
}
