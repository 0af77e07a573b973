import { type ConfigIssue, isConnectorError, nearest, type RawConfig } from '@levada/connect-runtime-core';
import { producerKeys, producerSettings } from '../produce/producer-settings.ts';
import { type ClientConfig, clientConfigIssues, invalidConfig, parseClientConfig } from './client-config.ts';
import { clientKeyRows } from './client-keys.ts';
import { agreeing, keysWithoutEffect } from './keys-without-effect.ts';

/** What a client is for; the prefix of the worker keys that are for it alone. */
export type ClientKind = 'producer' | 'consumer' | 'admin';

const kinds: readonly ClientKind[] = ['producer', 'consumer', 'admin'];

const clientKeys: ReadonlySet<string> = new Set(clientKeyRows.map(({ name }) => name));
const knownToProducers: ReadonlySet<string> = new Set([...clientKeys, ...producerKeys]);

/** The worker's keys as one kind of client sees them: those without prefix, then those with its prefix. Other keys stay in. */
export function keysOf(kind: ClientKind, worker: RawConfig): Readonly<Record<string, string>> {
  const prefix = `${kind}.`;
  const own = Object.entries(worker)
    .filter(([name]) => name.startsWith(prefix))
    .map(([name, value]) => [name.slice(prefix.length), value] as const);
  const all = [...Object.entries(worker), ...own];
  return Object.fromEntries(all.filter((entry): entry is [string, string] => entry[1] !== null));
}

/**
 * The configurations of all kinds of clients. Throws one `config_invalid` error with every problem; a key that is wrong for
 * one kind only is named with its prefix.
 */
export function workerClients(worker: RawConfig): Readonly<Record<ClientKind, ClientConfig>> {
  const issues = new Map<string, ConfigIssue>();
  for (const kind of kinds) {
    for (const issue of issuesOf(kind, keysOf(kind, worker))) {
      const named = withPrefix(issue, Object.hasOwn(worker, `${kind}.${issue.key}`) ? `${kind}.` : '');
      if (!issues.has(named.key)) issues.set(named.key, named);
    }
  }
  if (issues.size > 0) throw invalidConfig([...issues.values()]);
  return {
    producer: parseClientConfig(keysOf('producer', worker)),
    consumer: parseClientConfig(keysOf('consumer', worker)),
    admin: parseClientConfig(keysOf('admin', worker)),
  };
}

function issuesOf(kind: ClientKind, keys: Readonly<Record<string, string>>): readonly ConfigIssue[] {
  const issues = clientConfigIssues(keys);
  return kind === 'producer' ? [...issues, ...producerIssues(keys)] : issues;
}

function producerIssues(keys: Readonly<Record<string, string>>): readonly ConfigIssue[] {
  try {
    producerSettings('', keys);
    return [];
  } catch (thrown) {
    if (isConnectorError(thrown)) return thrown.issues;
    throw thrown;
  }
}

function withPrefix({ key, message }: ConfigIssue, prefix: string): ConfigIssue {
  return {
    key: prefix + key,
    message: message.replace(`configuration ${key}`, `configuration ${prefix}${key}`),
  };
}

/**
 * The names of those keys for Kafka's clients that have no effect here, each with the known name closest to it if it looks like
 * a slip. Without prefix only Kafka's own names count, because the rest of a worker's configuration is not for Kafka.
 */
export function ignoredKeys(worker: RawConfig): readonly string[] {
  return Object.entries(worker).flatMap(([name, value]) => {
    const kind = kinds.find((candidate) => name.startsWith(`${candidate}.`));
    if (kind === undefined) {
      const foreign = !keysWithoutEffect.has(name) || clientKeys.has(name) || producerKeys.includes(name);
      return foreign || agreeing(name, value) ? [] : [name];
    }
    const prefix = `${kind}.`;
    return ignoredClientKeys(kind, { [name.slice(prefix.length)]: value }).map((text) => prefix + text);
  });
}

/** As {@link ignoredKeys}, for keys whose prefix is removed. */
export function ignoredClientKeys(kind: ClientKind, keys: RawConfig): readonly string[] {
  const known = kind === 'producer' ? knownToProducers : clientKeys;
  return Object.entries(keys).flatMap(([name, value]) => {
    if (known.has(name) || agreeing(name, value)) return [];
    const slip = keysWithoutEffect.has(name) ? undefined : nearest(name, known);
    return [slip === undefined ? name : `${name} (did you mean ${slip}?)`];
  });
}
