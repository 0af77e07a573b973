import {
  type ConfigIssue,
  ConnectorError,
  configDef,
  isConnectorError,
  nearest,
  type ParsedConfig,
  type RawConfig,
} from '@levada/connect-runtime-core';
import type { ClientOverridePolicy, ConverterChoice } from '@levada/connect-runtime-core/runtime';
import { foreignKey, foreignKeyNames } from './foreign-keys.ts';
import { type ListenerAddress, parseListener } from './listener-address.ts';
import { parseResponseHeaders, type StaticHeader } from './response-headers.ts';
import { workerKeys } from './worker-keys.ts';

/** The worker's ConfigDef. */
export const workerConfigDef = configDef(workerKeys);

/** The values of the worker's own keys. */
export type WorkerValues = ParsedConfig<typeof workerKeys>;

/** A worker configuration that was checked. */
export interface WorkerConfig {
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
  readonly responseHeaders: readonly StaticHeader[];
  readonly overridePolicy: ClientOverridePolicy;
  /** Keys that nobody knows, each with the known one it resembles. */
  readonly unknownKeys: readonly { readonly key: string; readonly suggestion: string | undefined }[];
  /** Keys of Kafka Connect that mean nothing here. */
  readonly meaninglessKeys: readonly { readonly key: string; readonly reason: string }[];
}

const stringConverter = 'org.apache.kafka.connect.storage.StringConverter';

/** What an embedded worker needs not say; with bootstrap.servers these keys are required. */
const embeddedDefaults = {
  'group.id': 'levada',
  'config.storage.topic': 'connect-configs',
  'offset.storage.topic': 'connect-offsets',
  'status.storage.topic': 'connect-status',
  'key.converter': stringConverter,
  'value.converter': stringConverter,
} as const;
type RequiredKey = keyof typeof embeddedDefaults;

/** Checks a configuration. Throws one `config_invalid` ConnectorError that lists every problem. */
export function readWorkerConfig(raw: RawConfig): WorkerConfig {
  const check = new Check();
  const values = check.parse(raw);
  const storage = hasText(raw['bootstrap.servers']) ? 'kafka' : 'embedded';
  const required = requiredTexts(raw, storage, check);
  const foreign = Object.keys(raw)
    .filter((key) => workerConfigDef.find(key) === undefined)
    .map((key) => ({ key, is: foreignKey(key) }));
  for (const { key, is } of foreign) if (is.kind === 'refused') check.add(key, is.reason, raw[key]);
  // From the printed values, so that a problem elsewhere does not hide those in here.
  const texts = new Map(workerConfigDef.validate(raw).map(({ name, value }) => [name, value ?? '']));
  const text = (key: string): string => texts.get(key) ?? '';
  const listeners = check.listeners('listeners', text('listeners'));
  if (text('listeners') === '') check.add('listeners', 'List cannot be empty', '');
  const hasAdmin = Object.hasOwn(raw, 'admin.listeners');
  const adminListeners = hasAdmin ? check.listeners('admin.listeners', text('admin.listeners')) : 'same';
  const responseHeaders = check.responseHeaders(text('response.http.headers.config'));
  const overridePolicy = check.overridePolicy(text('connector.client.config.override.policy'));
  check.end();
  const known = values as WorkerValues;
  return {
    raw: Object.fromEntries(
      Object.entries(raw).filter((entry): entry is [string, string] => entry[1] !== null),
    ),
    values: known,
    storage,
    groupId: required('group.id'),
    topics: {
      config: required('config.storage.topic'),
      offset: required('offset.storage.topic'),
      status: required('status.storage.topic'),
    },
    converters: {
      key: { className: required('key.converter'), config: asRecord(known['key.converter.']) },
      value: { className: required('value.converter'), config: asRecord(known['value.converter.']) },
      header: { className: known['header.converter'], config: asRecord(known['header.converter.']) },
    },
    listeners,
    adminListeners,
    responseHeaders,
    overridePolicy,
    unknownKeys: foreign
      .filter(({ is }) => is.kind === 'unknown')
      .map(({ key }) => ({ key, suggestion: nearest(key, knownNames()) })),
    meaninglessKeys: foreign.flatMap(({ key, is }) =>
      is.kind === 'meaningless' ? [{ key, reason: is.reason }] : [],
    ),
  };
}

function* knownNames(): Iterable<string> {
  for (const { name } of workerKeys) yield name;
  yield* foreignKeyNames;
}

function requiredTexts(
  raw: RawConfig,
  storage: 'embedded' | 'kafka',
  check: Check,
): (key: RequiredKey) => string {
  if (storage === 'kafka') {
    for (const key of Object.keys(embeddedDefaults)) if (!hasText(raw[key])) check.missing(key);
  }
  return (key) => {
    const text = raw[key];
    return hasText(text) ? text.trim() : embeddedDefaults[key];
  };
}

function hasText(text: string | null | undefined): text is string {
  return typeof text === 'string' && text.trim() !== '';
}

function asRecord(map: ReadonlyMap<string, string>): Readonly<Record<string, string>> {
  return Object.fromEntries(map);
}

const policies: readonly ClientOverridePolicy[] = ['None', 'Principal', 'Allowlist', 'All'];

/** Collects problems, so that all of them are told at once. */
class Check {
  readonly #issues: ConfigIssue[] = [];

  parse(raw: RawConfig): WorkerValues | undefined {
    try {
      return workerConfigDef.parse(raw);
    } catch (error) {
      if (!isConnectorError(error) || error.issues.length === 0) throw error;
      this.#issues.push(...error.issues);
      return undefined;
    }
  }

  add(key: string, problem: string, value: string | null | undefined): void {
    this.#issues.push({
      key,
      message: `Invalid value ${value ?? 'null'} for configuration ${key}: ${problem}`,
    });
  }

  missing(key: string): void {
    this.#issues.push({
      key,
      message: `Missing required configuration "${key}" which has no default value.`,
    });
  }

  listeners(key: string, list: string): readonly ListenerAddress[] {
    const texts = list === '' ? [] : list.split(',');
    return texts.flatMap((text) => {
      const listener = parseListener(text);
      if (!('problem' in listener)) return [listener];
      this.add(key, listener.problem, text);
      return [];
    });
  }

  responseHeaders(text: string): readonly StaticHeader[] {
    try {
      return parseResponseHeaders(text);
    } catch (error) {
      this.add('response.http.headers.config', error instanceof Error ? error.message : String(error), text);
      return [];
    }
  }

  /** Short names, and Kafka's class names that end in `<name>ConnectorClientConfigOverridePolicy`. */
  overridePolicy(text: string): ClientOverridePolicy {
    const short = text.replace(/^.*\./, '').replace(/ConnectorClientConfigOverridePolicy$/, '');
    const policy = policies.find((name) => name.toLowerCase() === short.toLowerCase());
    if (policy !== undefined) return policy;
    this.add(
      'connector.client.config.override.policy',
      `String must be one of: ${policies.join(', ')}`,
      text,
    );
    return 'None';
  }

  end(): void {
    if (this.#issues.length === 0) return;
    const message = this.#issues.map((issue) => issue.message).join('\n');
    throw new ConnectorError('config_invalid', message, { issues: this.#issues });
  }
}
