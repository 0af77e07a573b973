import type { RawConfig } from '@levada/connect-runtime-core';

/** The same keys with the same texts, in whatever order. */
export function sameConfig(a: RawConfig, b: RawConfig): boolean {
  return changedKeys(a, b).length === 0;
}

/** Keys that were added, removed or given another text. */
export function changedKeys(before: RawConfig, after: RawConfig): readonly string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => textOf(before, name) !== textOf(after, name));
}

/** The text of a key; undefined when it is absent or null. Never finds what every object inherits. */
export function textOf(config: RawConfig, name: string): string | undefined {
  return Object.hasOwn(config, name) ? (config[name] ?? undefined) : undefined;
}

/** The keys that begin with a prefix, without it. */
export function keysUnder(config: RawConfig, prefix: string): Readonly<Record<string, string>> {
  const entries: [string, string][] = [];
  for (const [name, text] of Object.entries(config)) {
    if (text !== null && name.startsWith(prefix) && name.length > prefix.length) {
      entries.push([name.slice(prefix.length), text]);
    }
  }
  return Object.fromEntries(entries);
}
