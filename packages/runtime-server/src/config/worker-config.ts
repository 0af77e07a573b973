import { type ConfigIssue, configDef, type ParsedConfig, type RawConfig } from '@levada/connect-runtime-core';
import { nearest } from '@levada/connect-runtime-core/config';
import type { ConverterPlugin } from '@levada/connect-runtime-core/converter';
import type { ClientOverridePolicy, ConverterChoice } from '@levada/connect-worker';
import { type AccessConfig, readAccess } from './access-config.ts';
import { ConfigCheck } from './config-check.ts';
import { type ForeignKey, foreignKey, foreignKeyNames, tlsPrefixes } from './foreign-keys.ts';
import type { ListenerAddress } from './listener-address.ts';
import { type OtelConfig, otelConfig } from './otel-config.ts';
import type { StaticHeader } from './response-headers.ts';
import type { RestTls } from './rest-tls.ts';
import { workerConverters } from './worker-converters.ts';
import { workerKeys } from './worker-keys.ts';

/** The worker's ConfigDef. */
export const workerConfigDef = configDef(workerKeys);

/** The values of the worker's own keys. */
export type WorkerValues = ParsedConfig<typeof workerKeys>;

/** Keys that are not in the worker's own table. */
export interface ForeignKeys {
  /** Keys that are not known at all, each with the known one it resembles. */
  readonly unknownKeys: readonly { readonly key: string; readonly suggestion: string | undefined }[];
  /** Keys of Kafka Connect without effect here. */
  readonly meaninglessKeys: readonly { readonly key: string; readonly reason: string }[];
}

/** A worker configuration that was checked. */
export interface WorkerConfig extends ForeignKeys {
  /** Everything as it was given, references resolved; the Kafka platform reads its own keys from it. */
  readonly raw: Readonly<Record<string, string>>;
  readonly values: WorkerValues;
  /** `embedded` when there is no bootstrap.servers. */
  readonly storage: 'embedded' | 'kafka';
  readonly groupId: string;
  readonly topics: { readonly config: string; readonly offset: string; readonly status: string };
  readonly converters: Readonly<Record<'key' | 'value' | 'header', ConverterChoice>>;
  readonly listeners: readonly ListenerAddress[];
  /** `same`: admin endpoints on the listeners; otherwise where they are, which may be nowhere. */
  readonly adminListeners: 'same' | readonly ListenerAddress[];
  /** Of `https` addresses among `listeners`. */
  readonly tls: RestTls | undefined;
  /** Of `https` addresses among `adminListeners`. */
  readonly adminTls: RestTls | undefined;
  /** The listener that other workers and people reach. */
  readonly advertised: number;
  /** Undefined: everyone may do everything. */
  readonly access: AccessConfig | undefined;
  /** Addresses of the Jolokia agent; none by default. */
  readonly jolokiaListeners: readonly ListenerAddress[];
  /** Where the worker's own telemetry goes; undefined: nowhere. */
  readonly otel: OtelConfig | undefined;
  readonly responseHeaders: readonly StaticHeader[];
  readonly overridePolicy: ClientOverridePolicy;
  /** Probable mistakes in the files that the values come from. */
  readonly warnings: readonly ConfigIssue[];
}

const stringConverter = 'org.apache.kafka.connect.storage.StringConverter';

/** Defaults of an embedded worker; with bootstrap.servers these keys are required. */
const embeddedDefaults = {
  'group.id': 'levada',
  'config.storage.topic': 'connect-configs',
  'offset.storage.topic': 'connect-offsets',
  'status.storage.topic': 'connect-status',
  'key.converter': stringConverter,
  'value.converter': stringConverter,
} as const;
type RequiredKey = keyof typeof embeddedDefaults;

/**
 * Checks a configuration. Throws one `config_invalid` ConnectorError that lists every problem. `installed` are the converters
 * that it can name.
 */
export function readWorkerConfig(
  raw: RawConfig,
  installed: readonly ConverterPlugin[] = workerConverters,
): WorkerConfig {
  const check = new ConfigCheck();
  const values = check.parse(() => workerConfigDef.parse(raw));
  const storage = storageOf(raw);
  const required = requiredTexts(raw, storage, check);
  // From the printed values, so that a problem elsewhere does not hide those in here.
  const texts = new Map(workerConfigDef.validate(raw).map(({ name, value }) => [name, value ?? '']));
  const text = (key: string): string => texts.get(key) ?? '';
  const listeners = check.listeners('listeners', text('listeners'));
  if (text('listeners') === '') check.add('listeners', 'List cannot be empty', '');
  const hasAdmin = (raw['admin.listeners'] ?? null) !== null;
  const adminListeners = hasAdmin ? check.listeners('admin.listeners', text('admin.listeners')) : 'same';
  const tls = check.tls('listeners.https.', raw, listeners);
  const adminTls = check.tls('admin.listeners.https.', raw, adminListeners);
  const advertised = check.advertised(text('rest.advertised.listener'), listeners);
  const access = readAccess(raw, text, check);
  const jolokiaListeners = check.listeners('jolokia.listeners', text('jolokia.listeners'));
  const otel = values && otelConfig(values, check);
  const responseHeaders = check.responseHeaders(text('response.http.headers.config'));
  const overridePolicy = check.overridePolicy(text('connector.client.config.override.policy'));
  const topics = {
    config: required('config.storage.topic'),
    offset: required('offset.storage.topic'),
    status: required('status.storage.topic'),
  };
  check.different(topics);
  check.transactions(text('exactly.once.source.support'), storage);
  check.taskIsolation(text('task.isolation'), storage);
  check.heartbeat((key) => Number(text(key) || Number.NaN));
  check.signing(text);
  const choice = (key: 'key' | 'value' | 'header', className: string): ConverterChoice => ({
    className,
    config: withPrefix(texts, `${key}.converter.`),
  });
  const converters = {
    key: choice('key', required('key.converter')),
    value: choice('value', required('value.converter')),
    header: choice('header', text('header.converter')),
  };
  check.converters(converters, installed);
  check.end();
  const known = values as WorkerValues;
  return {
    raw: Object.fromEntries(
      Object.entries(raw).filter((entry): entry is [string, string] => entry[1] !== null),
    ),
    values: known,
    storage,
    groupId: required('group.id'),
    topics,
    converters,
    listeners,
    adminListeners,
    tls,
    adminTls,
    advertised,
    access,
    jolokiaListeners,
    otel,
    responseHeaders,
    overridePolicy,
    warnings: access === undefined ? [] : unsignedWarnings(known),
    ...foreignKeysOf(raw),
  };
}

/** Requests between workers need no password, because they are signed. */
function unsignedWarnings(values: WorkerValues): readonly ConfigIssue[] {
  const key = 'connect.protocol';
  if (values[key].toLowerCase() === 'sessioned') return [];
  const message = 'requests between workers are not signed, so that tasks can be changed without a password';
  return [{ key, message }];
}

/** `embedded` when there is no bootstrap.servers. */
export function storageOf(raw: RawConfig): WorkerConfig['storage'] {
  return hasText(raw['bootstrap.servers']) ? 'kafka' : 'embedded';
}

/** The value of embedded.storage.folder. */
export function embeddedFolder(raw: RawConfig): string {
  return printed(raw, 'embedded.storage.folder');
}

/** The folders of plugin.path. */
export function pluginFolders(raw: RawConfig): readonly string[] {
  const list = printed(raw, 'plugin.path');
  return list === '' ? [] : list.split(',');
}

/** Sorts the keys that are not the worker's own. */
export function foreignKeysOf(raw: RawConfig): ForeignKeys {
  const keys = sortedKeys(raw);
  return {
    unknownKeys: keys
      .filter(({ is }) => is.kind === 'unknown')
      .map(({ key }) => ({ key, suggestion: nearest(key, knownNames()) })),
    meaninglessKeys: keys.flatMap(({ key, is }) =>
      is.kind === 'meaningless' ? [{ key, reason: is.reason }] : [],
    ),
  };
}

function sortedKeys(raw: RawConfig): readonly { readonly key: string; readonly is: ForeignKey }[] {
  return Object.keys(raw)
    .filter(
      (key) =>
        workerConfigDef.find(key) === undefined || tlsPrefixes.some((prefix) => key.startsWith(prefix)),
    )
    .map((key) => ({ key, is: foreignKey(key) }));
}

function printed(raw: RawConfig, key: string): string {
  return workerConfigDef.validate(raw).find(({ name }) => name === key)?.value ?? '';
}

function* knownNames(): Iterable<string> {
  for (const { name } of workerKeys) yield name;
  yield* foreignKeyNames;
}

function requiredTexts(
  raw: RawConfig,
  storage: 'embedded' | 'kafka',
  check: ConfigCheck,
): (key: RequiredKey) => string {
  if (storage === 'kafka') {
    for (const key of Object.keys(embeddedDefaults)) if (!hasText(raw[key])) check.missing(key);
  }
  return (key) => {
    const text = raw[key];
    return hasText(text) ? text.trim() : embeddedDefaults[key];
  };
}

/** The keys with a prefix, without it. */
function withPrefix(texts: ReadonlyMap<string, string>, prefix: string): Record<string, string> {
  const entries = [...texts].filter(([name]) => name.startsWith(prefix));
  return Object.fromEntries(entries.map(([name, value]) => [name.slice(prefix.length), value]));
}

function hasText(text: string | null | undefined): text is string {
  return typeof text === 'string' && text.trim() !== '';
}
