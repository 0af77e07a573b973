import type { RawConfig } from '@levada/connect-runtime-core';

/**
 * Worker keys from `CONNECT_*` variables, as container images of Kafka Connect map them: prefix off, lower case, `___` to
 * `_`, `__` to `-`, `_` to `.`. `CONNECT_BOOTSTRAP_SERVERS` is `bootstrap.servers`.
 */
export function environmentConfig(environment: Readonly<Record<string, string | undefined>>): RawConfig {
  const entries = Object.entries(environment).flatMap(([name, value]) =>
    name.startsWith('CONNECT_') && name.length > 'CONNECT_'.length && value !== undefined
      ? [[keyOf(name.slice('CONNECT_'.length)), value] as const]
      : [],
  );
  return Object.fromEntries(entries);
}

const separators: Readonly<Record<string, string>> = { ___: '_', __: '-', _: '.' };

function keyOf(name: string): string {
  return name.toLowerCase().replace(/_{1,3}/g, (underscores) => separators[underscores] as string);
}
