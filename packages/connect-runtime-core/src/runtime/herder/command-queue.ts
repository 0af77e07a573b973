/** Runs commands of one key one after the other, and those of different keys side by side. */
export class CommandQueue {
  readonly #tails = new Map<string, Promise<unknown>>();

  /** The command's outcome. It runs when every earlier command of the key is over, however that ended. */
  run<T>(key: string, command: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(key) ?? Promise.resolve();
    const result = before.then(command);
    const tail = result.then(ignore, ignore).then(() => {
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
    });
    this.#tails.set(key, tail);
    return result;
  }
}

function ignore(): void {
  // the outcome is the caller's; the queue only goes on
}
