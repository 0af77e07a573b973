import { field, isObject } from '@levada/connect-runtime-core/host';
import type { RunState, Status } from '../port/status.ts';

/** What a key of the status topic names. */
export type StatusRecordKey =
  | { readonly kind: 'connector'; readonly name: string }
  | { readonly kind: 'task'; readonly name: string; readonly task: number }
  | { readonly kind: 'topic'; readonly name: string; readonly topic: string };

/** Keys of Kafka Connect's status topic, to the letter. */
export const statusKeys = {
  connector: (name: string) => `status-connector-${name}`,
  task: (name: string, task: number) => `status-task-${name}-${task}`,
  topic: (name: string, topic: string) => `status-topic-${topic}:connector-${name}`,
} as const;

/** Reads a key; undefined for one that Kafka Connect does not know. */
export function parseStatusKey(key: string): StatusRecordKey | undefined {
  if (key.startsWith('status-connector-')) {
    const name = key.slice('status-connector-'.length);
    return name === '' ? undefined : { kind: 'connector', name };
  }
  const task = /^status-task-(.+)-(\d{1,9})$/su.exec(key);
  if (task !== null) return { kind: 'task', name: task[1] as string, task: Number(task[2]) };
  // Topic names hold no colon, so the first one ends the name.
  const topic = /^status-topic-([^:]+):connector-(.+)$/su.exec(key);
  if (topic === null) return undefined;
  return { kind: 'topic', topic: topic[1] as string, name: topic[2] as string };
}

/** A status as Kafka Connect stores it, fields in its order. */
export function printStatus(status: Status): string {
  const { state, trace, workerId, generation, complete } = status;
  return JSON.stringify({ state, trace: trace ?? null, worker_id: workerId, generation, complete });
}

const states: ReadonlySet<unknown> = new Set<RunState>([
  'UNASSIGNED',
  'RUNNING',
  'PAUSED',
  'FAILED',
  'RESTARTING',
  'STOPPED',
]);

/** The status in a record; undefined when there is none. */
export function readStatus(value: unknown): Status | undefined {
  if (!isObject(value)) return undefined;
  const [state, workerId] = [field(value, 'state'), field(value, 'worker_id')];
  const [generation, trace] = [field(value, 'generation'), field(value, 'trace')];
  if (!states.has(state) || typeof workerId !== 'string') return undefined;
  return {
    state: state as RunState,
    workerId,
    generation: typeof generation === 'number' ? generation : 0,
    ...(typeof trace === 'string' ? { trace } : {}),
    ...(field(value, 'complete') === true ? { complete: true } : {}),
  };
}

/** That a task of a connector has written to a topic, and when it was first seen to. */
export interface TopicUse {
  readonly name: string;
  readonly topic: string;
  readonly task: number;
  readonly discoverTimestamp: number;
}

/** A topic record as Kafka Connect stores it. */
export function printTopicUse({ name, topic, task, discoverTimestamp }: TopicUse): string {
  return JSON.stringify({ topic: { name: topic, connector: name, task, discoverTimestamp } });
}
