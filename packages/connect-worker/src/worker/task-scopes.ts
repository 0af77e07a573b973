import { AsyncLocalStorage } from 'node:async_hooks';

/** Handles an error that a task's work threw where nothing could catch it. */
type Blame = (thrown: unknown) => void;

/** Knows in whose name code runs, also long after the call that began it: in a timer, in an event of a socket. */
export class TaskScopes {
  readonly #present = new AsyncLocalStorage<Blame | undefined>();

  /** Runs a connector's code in the name of its task. */
  run<T>(blame: Blame, work: () => T): T {
    return this.#present.run(blame, work);
  }

  /** Runs code of the worker that a connector called: what goes wrong in there is not the task's. */
  outside<T>(work: () => T): T {
    return this.#present.run(undefined, work);
  }

  /**
   * Blames the task in whose name it was thrown. False when that was no task. To be called from within the process's
   * `uncaughtException` and `unhandledRejection` listeners, which run where the error was thrown.
   */
  blame(thrown: unknown): boolean {
    const blame = this.#present.getStore();
    blame?.(thrown);
    return blame !== undefined;
  }
}
