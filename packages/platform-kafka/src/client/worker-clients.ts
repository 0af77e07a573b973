import {
  type ConfigIssue,
  ConnectorError,
  isConnectorError,
  type RawConfig,
} from '@levada/connect-runtime-core';
import { nearest } from '@levada/connect-runtime-core/config';
import { readSsl } from '@levada/connect-runtime-core/source-kit';
import { type ClientConfig, clientConfigIssues, invalidConfig, parseClientConfig } from './client-config.ts';
import { clientKeyRows } from './client-keys.ts';
import { isBuiltInBehaviour, keysWithoutEffect } from './keys-without-effect.ts';
import { producerKeys, producerSettings } from './producer-settings.ts';

/** Purpose of a client, which is also the prefix of its worker keys. */
export type ClientKind = 'producer' | 'consumer' | 'admin';

const kinds: readonly ClientKind[] = ['producer', 'consumer', 'admin'];

const clientKeys: ReadonlySet<string> = new Set(clientKeyRows.map(({ name }) => name));
const knownToProducers: ReadonlySet<string> = new Set([...clientKeys, ...producerKeys]);

/** The worker's keys for one kind of client: those without a prefix, overridden by those with its prefix. Other keys are kept. */
export function keysOf(kind: ClientKind, worker: RawConfig): Readonly<Record<string, string>> {
  const prefix = `${kind}.`;
  const own = Object.entries(worker)
    .filter(([name]) => name.startsWith(prefix))
    .map(([name, value]) => [name.slice(prefix.length), value] as const);
  const all = [...Object.entries(worker), ...own];
  return Object.fromEntries(all.filter((entry): entry is [string, string] => entry[1] !== null));
}

/**
 * The configurations of all kinds of clients. Throws one `config_invalid` error with every problem. A key that is invalid for one
 * kind only is named with its prefix.
 */
export function workerClients(worker: RawConfig): Readonly<Record<ClientKind, ClientConfig>> {
  const issues = new Map<string, ConfigIssue>();
  for (const kind of kinds) {
    for (const issue of issuesOf(kind, keysOf(kind, worker))) {
      addIssue(issues, { worker, kind, issue });
    }
  }
  if (issues.size > 0) throw invalidConfig([...issues.values()]);
  return {
    producer: parseClientConfig(keysOf('producer', worker)),
    consumer: parseClientConfig(keysOf('consumer', worker)),
    admin: parseClientConfig(keysOf('admin', worker)),
  };
}

/**
 * As {@link workerClients}, but also reads the certificates and keys that the configuration names. May also reject with
 * `file_unreadable`.
 */
export async function checkedClients(worker: RawConfig): Promise<Readonly<Record<ClientKind, ClientConfig>>> {
  const clients = workerClients(worker);
  const errors: ConnectorError[] = [];
  const issues = new Map<string, ConfigIssue>();
  for (const kind of kinds) {
    const { tls } = clients[kind];
    if (tls === undefined) continue;
    try {
      readSsl(tls);
    } catch (thrown) {
      const error = ConnectorError.from(thrown);
      errors.push(error);
      for (const issue of error.issues) addIssue(issues, { worker, kind, issue });
    }
  }
  const [first] = errors;
  if (first === undefined) return clients;
  const message = [...issues.values()].map((issue) => issue.message).join('\n');
  throw new ConnectorError(first.code, message || first.message, {
    cause: first,
    issues: [...issues.values()],
  });
}

/**
 * Every problem of the Kafka keys in a worker's configuration and of their files: everything that `openKafkaPlatform` refuses.
 * Contacts no broker.
 */
export async function kafkaConfigIssues(worker: RawConfig): Promise<readonly ConfigIssue[]> {
  try {
    await checkedClients(worker);
    return [];
  } catch (thrown) {
    if (isConnectorError(thrown) && thrown.issues.length > 0) return thrown.issues;
    throw thrown;
  }
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

/** Adds a problem under the worker's name of the key. The first problem of each key counts. */
function addIssue(
  issues: Map<string, ConfigIssue>,
  { worker, kind, issue }: { worker: RawConfig; kind: ClientKind; issue: ConfigIssue },
): void {
  const named = withPrefix(issue, Object.hasOwn(worker, `${kind}.${issue.key}`) ? `${kind}.` : '');
  if (!issues.has(named.key)) issues.set(named.key, named);
}

function withPrefix({ key, message }: ConfigIssue, prefix: string): ConfigIssue {
  return {
    key: prefix + key,
    message: message
      .replace(`configuration ${key}`, `configuration ${prefix}${key}`)
      .replace(` of ${key} `, ` of ${prefix}${key} `),
  };
}

/** A Kafka client key without effect, with the closest known key if it may be misspelt. */
export interface IgnoredKey {
  readonly key: string;
  readonly suggestion: string | undefined;
}

/** The key and its suggestion, for a log line. */
export function ignoredKeyText({ key, suggestion }: IgnoredKey): string {
  return suggestion === undefined ? key : `${key} (did you mean ${suggestion}?)`;
}

/**
 * Kafka client keys without effect. Of keys without a prefix, only Kafka's own names and misspelt security keys are included,
 * because other keys of a worker are not for Kafka.
 */
export function ignoredKeys(worker: RawConfig): readonly IgnoredKey[] {
  return Object.entries(worker).flatMap(([name, value]) => {
    const kind = kinds.find((candidate) => name.startsWith(`${candidate}.`));
    if (kind === undefined) return ignoredSharedKeys(name, value);
    const prefix = `${kind}.`;
    const ignored = ignoredClientKeys(kind, { [name.slice(prefix.length)]: value });
    return ignored.map(({ key, suggestion }) => ({ key: prefix + key, suggestion }));
  });
}

function ignoredSharedKeys(name: string, value: string | null): readonly IgnoredKey[] {
  if (clientKeys.has(name) || producerKeys.includes(name) || isBuiltInBehaviour(name, value)) return [];
  if (keysWithoutEffect.has(name)) return [{ key: name, suggestion: undefined }];
  const suggestion = /^(ssl|sasl|security)\./.test(name) ? nearest(name, clientKeys) : undefined;
  return suggestion === undefined ? [] : [{ key: name, suggestion }];
}

/** {@link ignoredKeys} for keys without their prefix. */
export function ignoredClientKeys(kind: ClientKind, keys: RawConfig): readonly IgnoredKey[] {
  const known = kind === 'producer' ? knownToProducers : clientKeys;
  return Object.entries(keys).flatMap(([key, value]) => {
    if (known.has(key) || isBuiltInBehaviour(key, value)) return [];
    return [{ key, suggestion: keysWithoutEffect.has(key) ? undefined : nearest(key, known) }];
  });
}
