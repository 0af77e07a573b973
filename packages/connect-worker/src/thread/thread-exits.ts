/**
 * Threads of tasks that have not exited, by task. One that was ended may still be busy, in native code for example, and has its ports and
 * files until it exits.
 */
export class ThreadExits {
  readonly #running = new Map<string, Promise<void>>();

  /** The exits of all threads of a task that have not exited; undefined when there is none. */
  of(task: string): Promise<void> | undefined {
    return this.#running.get(task);
  }

  /** A thread of the task runs until this resolves, which it does in any case. */
  add(task: string, exited: Promise<void>): void {
    const before = this.#running.get(task);
    const all = before === undefined ? exited : Promise.all([before, exited]).then(() => undefined);
    this.#running.set(task, all);
    void all.then(() => {
      if (this.#running.get(task) === all) this.#running.delete(task);
    });
  }
}
