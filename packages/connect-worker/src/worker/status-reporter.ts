import type { RunState, Status } from '../port/status.ts';
import type { StatusStore } from '../stores/status-store.ts';

export interface StatusReporterOptions {
  readonly store: StatusStore;
  readonly workerId: string;
  /** False while another worker may own what ran here. */
  readonly isOwner: () => boolean;
}

/** Writes statuses in this worker's name and generation. */
export class StatusReporter {
  readonly #store: StatusStore;
  readonly #workerId: string;
  readonly #isOwner: () => boolean;
  #generation = 0;

  constructor({ store, workerId, isOwner }: StatusReporterOptions) {
    this.#store = store;
    this.#workerId = workerId;
    this.#isOwner = isOwner;
  }

  /** From now on statuses carry this generation. */
  setGeneration(generation: number): void {
    this.#generation = generation;
  }

  connector(name: string, state: RunState, trace?: string): void {
    const status = this.#status(state, trace);
    if (!this.#same(this.#store.connector(name), status)) this.#store.putConnector(name, status);
  }

  task(name: string, task: number, state: RunState, trace?: string): void {
    const status = this.#status(state, trace);
    if (!this.#same(this.#store.task(name, task), status)) this.#store.putTask(name, task, status);
  }

  /** The task has nothing more to read, and stays as it is. */
  taskComplete(name: string, task: number): void {
    this.#store.putTask(name, task, { ...this.#status('RUNNING', undefined), complete: true });
  }

  /**
   * Hands a connector and its tasks back. What another worker has taken over since is left as it is, and so are traces. Does
   * nothing while that is unsure: a worker that was frozen has not read yet what the new owner wrote.
   */
  unassign(name: string): void {
    if (!this.#isOwner()) return;
    const connector = this.#store.connector(name);
    if (this.#isOurs(connector)) this.connector(name, 'UNASSIGNED');
    for (const task of this.#store.tasks(name)) {
      if (this.#isOurs(task)) this.task(name, task.id, 'UNASSIGNED');
    }
  }

  /** Hands one task back, with the same exceptions. */
  unassignTask(name: string, task: number): void {
    if (this.#isOwner() && this.#isOurs(this.#store.task(name, task))) this.task(name, task, 'UNASSIGNED');
  }

  /** Hands the connector itself back, with the same exceptions. */
  unassignConnector(name: string): void {
    if (this.#isOwner() && this.#isOurs(this.#store.connector(name))) this.connector(name, 'UNASSIGNED');
  }

  /** Removes the statuses of tasks that the connector no longer has. */
  keepTasks(name: string, count: number): void {
    for (const { id } of this.#store.tasks(name)) if (id >= count) this.#store.removeTask(name, id);
  }

  /** Removes everything of a deleted connector. */
  remove(name: string): void {
    this.#store.removeConnector(name);
  }

  #isOurs(status: Status | undefined): boolean {
    if (status === undefined || status.state === 'FAILED' || status.state === 'UNASSIGNED') return false;
    return status.workerId === this.#workerId;
  }

  #same(stored: Status | undefined, status: Status): boolean {
    return (
      stored?.state === status.state &&
      stored.trace === status.trace &&
      stored.complete === status.complete &&
      stored.workerId === status.workerId &&
      stored.generation === status.generation
    );
  }

  #status(state: RunState, trace: string | undefined): Status {
    const status = { state, workerId: this.#workerId, generation: this.#generation };
    return trace === undefined ? status : { ...status, trace };
  }
}
