/** Records, or batches of them, one after the other. */
export interface ItemReader<T> {
  /** Settles what was given before, and gives the next item; undefined at the end. */
  next(): T | undefined | Promise<T | undefined>;
  /** Gives up what is not settled, and waits until everything is closed. Idempotent. */
  leave(): Promise<void>;
}

/**
 * What `for await` and streams call. Not an async generator: its `return` would wait for the record that `next` waits for.
 * Calls of `next` that overlap are answered in order.
 */
export class ItemIterator<T> implements AsyncIterator<T, undefined> {
  readonly #reader: ItemReader<T>;
  readonly #waiting: (() => void)[] = [];
  #busy = false;
  #over = false;

  constructor(reader: ItemReader<T>) {
    this.#reader = reader;
  }

  async next(): Promise<IteratorResult<T, undefined>> {
    if (this.#busy) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#busy = true;
    try {
      const given = this.#over ? undefined : this.#reader.next();
      const item = given instanceof Promise ? await given : given;
      if (item !== undefined && !this.#over) return { done: false, value: item };
      // The loop continues when everything is closed, and not before.
      return await this.return();
    } catch (thrown) {
      await this.return();
      throw thrown;
    } finally {
      const admitNext = this.#waiting.shift();
      if (admitNext === undefined) this.#busy = false;
      else admitNext();
    }
  }

  async return(): Promise<IteratorResult<T, undefined>> {
    this.#over = true;
    await this.#reader.leave();
    return { done: true, value: undefined };
  }
}
