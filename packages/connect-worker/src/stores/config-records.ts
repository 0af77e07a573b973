import type { RawConfig } from '@levada/connect-runtime-core';
import { field, isObject, type StoredObject } from '@levada/connect-runtime-core/host';
import type { RestartRequest } from '../port/herder.ts';
import type { TargetState } from '../port/status.ts';

/** What a key of the config topic names. */
export type ConfigRecordKey =
  | { readonly kind: 'connector' | 'commit' | 'target' | 'restart' | 'fencing'; readonly name: string }
  | { readonly kind: 'task'; readonly name: string; readonly index: number }
  | { readonly kind: 'logger'; readonly logger: string }
  | { readonly kind: 'session' };

const prefixes = [
  ['connector-', 'connector'],
  ['commit-', 'commit'],
  ['target-state-', 'target'],
  ['restart-connector-', 'restart'],
  ['tasks-fencing-', 'fencing'],
] as const;

const LOGGER = 'logger-cluster-';

/** Keys of Kafka Connect's config topic, to the letter. */
export const configKeys = {
  connector: (name: string) => `connector-${name}`,
  task: (name: string, index: number) => `task-${name}-${index}`,
  commit: (name: string) => `commit-${name}`,
  target: (name: string) => `target-state-${name}`,
  restart: (name: string) => `restart-connector-${name}`,
  fencing: (name: string) => `tasks-fencing-${name}`,
  logger: (logger: string) => `${LOGGER}${logger}`,
  session: 'session-key',
} as const;

/** Reads a key; undefined for one that Kafka Connect does not know. */
export function parseConfigKey(key: string): ConfigRecordKey | undefined {
  if (key === configKeys.session) return { kind: 'session' };
  if (key.startsWith(LOGGER)) return { kind: 'logger', logger: key.slice(LOGGER.length) };
  for (const [prefix, kind] of prefixes) {
    if (key.startsWith(prefix) && key.length > prefix.length) return { kind, name: key.slice(prefix.length) };
  }
  // The name may hold dashes: the index follows the last one.
  const task = /^task-(.+)-(\d{1,9})$/su.exec(key);
  if (task === null) return undefined;
  return { kind: 'task', name: task[1] as string, index: Number(task[2]) };
}

/** `{"properties":{...}}`, of a connector or a task. */
export function printProperties(config: RawConfig): string {
  return JSON.stringify({ properties: config });
}

/** The configuration in a record; undefined when there is none. Numbers and booleans count as their text. */
export function readProperties(record: unknown): RawConfig | undefined {
  const properties = isObject(record) ? field(record, 'properties') : undefined;
  if (!isObject(properties)) return undefined;
  const entries: [string, string | null][] = [];
  for (const [name, value] of Object.entries(properties)) {
    const text = scalarText(value);
    if (text === undefined) return undefined;
    entries.push([name, text]);
  }
  return Object.fromEntries(entries);
}

function scalarText(value: unknown): string | null | undefined {
  if (typeof value === 'string' || value === null) return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

/** Workers before Connect 3.5 know no STOPPED and read `state`: for them a stopped connector is paused. */
export function printTargetState(target: TargetState): string {
  return JSON.stringify({ state: target === 'STOPPED' ? 'PAUSED' : target, 'state.v2': target });
}

/** The target state in a record, `state.v2` before `state`. */
export function readTargetState(value: unknown): TargetState | undefined {
  if (!isObject(value)) return undefined;
  return asTargetState(field(value, 'state.v2')) ?? asTargetState(field(value, 'state'));
}

/** `{"tasks":N}`. */
export function printCommit(tasks: number): string {
  return JSON.stringify({ tasks });
}

/** How many tasks a commit record stands for. */
export function readCommit(value: unknown): number | undefined {
  const tasks = isObject(value) ? field(value, 'tasks') : undefined;
  return Number.isSafeInteger(tasks) && (tasks as number) >= 0 ? (tasks as number) : undefined;
}

/** `{"task-count":N}`. */
export function printTaskCount(count: number): string {
  return JSON.stringify({ 'task-count': count });
}

/** The number of tasks in a record that says that all before them cannot write any more. */
export function readTaskCount(value: unknown): number | undefined {
  const count = isObject(value) ? field(value, 'task-count') : undefined;
  return Number.isSafeInteger(count) && (count as number) >= 0 ? (count as number) : undefined;
}

/** `{"level":"..."}`. */
export function printLoggerLevel(level: string): string {
  return JSON.stringify({ level });
}

/** The level of a logger in a record. */
export function readLoggerLevel(value: unknown): string | undefined {
  const level = isObject(value) ? field(value, 'level') : undefined;
  return typeof level === 'string' ? level : undefined;
}

/** `{"include-tasks":b,"only-failed":b}`. */
export function printRestart(request: RestartRequest): string {
  return JSON.stringify({ 'include-tasks': request.includeTasks, 'only-failed': request.onlyFailed });
}

/** The restart that a record asks for. Missing fields are false, as in Connect. */
export function readRestart(value: unknown): RestartRequest | undefined {
  if (!isObject(value)) return undefined;
  return {
    includeTasks: isTrue(value, 'include-tasks'),
    onlyFailed: isTrue(value, 'only-failed'),
  };
}

/** Key with which workers sign their requests to each other. */
export interface SessionKey {
  /** Base64. */
  readonly key: string;
  /** Java's name of the key's algorithm, such as `HmacSHA256`. */
  readonly algorithm: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

/** `{"key":"...","algorithm":"...","creation-timestamp":N}`. */
export function printSessionKey({ key, algorithm, createdAt }: SessionKey): string {
  return JSON.stringify({ key, algorithm, 'creation-timestamp': createdAt });
}

/** The session key in a record. */
export function readSessionKey(value: unknown): SessionKey | undefined {
  if (!isObject(value)) return undefined;
  const [key, algorithm, createdAt] = ['key', 'algorithm', 'creation-timestamp'].map((name) =>
    field(value, name),
  );
  if (typeof key !== 'string' || typeof algorithm !== 'string' || typeof createdAt !== 'number')
    return undefined;
  // With a key of no bytes anyone could sign.
  if (Buffer.from(key, 'base64').length === 0) return undefined;
  return { key, algorithm, createdAt };
}

function isTrue(value: StoredObject, name: string): boolean {
  return field(value, name) === true;
}

function asTargetState(value: unknown): TargetState | undefined {
  return value === 'STARTED' || value === 'PAUSED' || value === 'STOPPED' ? value : undefined;
}
