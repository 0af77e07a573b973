import type { Status, TaskStatus } from '../port/status.ts';
import { readStatus, type StatusRecordKey } from './status-records.ts';

/** The status topic as a map. Pure. */
export class StatusState {
  readonly #connectors = new Map<string, Status>();
  readonly #tasks = new Map<string, Map<number, Status>>();
  readonly #topics = new Map<string, Set<string>>();

  /** Applies one record; null deletes. False when the value is no status. */
  apply(key: StatusRecordKey, value: unknown): boolean {
    if (key.kind === 'topic') {
      edit(this.#topics, key.name, new Set<string>(), (topics) =>
        value === null ? topics.delete(key.topic) : topics.add(key.topic),
      );
      return true;
    }
    const status = value === null ? undefined : readStatus(value);
    if (value !== null && status === undefined) return false;
    if (key.kind === 'task') {
      edit(this.#tasks, key.name, new Map<number, Status>(), (tasks) =>
        status === undefined ? tasks.delete(key.task) : tasks.set(key.task, status),
      );
    } else if (status === undefined) this.#connectors.delete(key.name);
    else this.#connectors.set(key.name, status);
    return true;
  }

  connector(name: string): Status | undefined {
    return this.#connectors.get(name);
  }

  task(name: string, task: number): Status | undefined {
    return this.#tasks.get(name)?.get(task);
  }

  /** Sorted by id. */
  tasks(name: string): readonly TaskStatus[] {
    const tasks = [...(this.#tasks.get(name) ?? [])].sort(([a], [b]) => a - b);
    return tasks.map(([id, status]) => ({ id, ...status }));
  }

  topics(name: string): readonly string[] {
    return [...(this.#topics.get(name) ?? [])].sort();
  }

  hasTopic(name: string, topic: string): boolean {
    return this.#topics.get(name)?.has(topic) === true;
  }

  /** Every connector that anything is known of. */
  names(): readonly string[] {
    return [...new Set([...this.#connectors.keys(), ...this.#tasks.keys(), ...this.#topics.keys()])];
  }
}

/** Changes the collection under a name, and drops it when it is left empty. */
function edit<C extends { readonly size: number }>(
  map: Map<string, C>,
  name: string,
  ...[empty, change]: [C, (collection: C) => unknown]
): void {
  const collection = map.get(name) ?? empty;
  change(collection);
  if (collection.size === 0) map.delete(name);
  else map.set(name, collection);
}
