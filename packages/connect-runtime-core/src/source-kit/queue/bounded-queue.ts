/** The two bounds of a queue. */
export interface BoundedQueueOptions {
  /** Most items, at least 1. */
  readonly capacity: number;
  /** Most bytes of all items together, as they are given to {@link BoundedQueue.offer}. Default: no bound. */
  readonly capacityBytes?: number;
  /**
   * How a `take` that waits is woken when something arrives: called with what wakes it. Default: at once. `setImmediate`
   * lets everything arrive first that the event loop has to read, where a wire delivers its frames one by one.
   */
  readonly wake?: (resume: () => void) => void;
}

/** Room for this many items is made at first; it doubles as needed, up to the capacity. */
const FIRST_ROOM = 64;

/**
 * The one buffer between the wire and `poll`. First in, first out; bounded by count and by bytes; one consumer.
 * A full queue refuses, and the caller counts: nothing is dropped in here.
 */
export class BoundedQueue<T> {
  #items: (T | undefined)[];
  #bytesOf: Float64Array;
  #head = 0;
  #size = 0;
  #bytes = 0;
  #capacity: number;
  #capacityBytes: number;
  #closed = false;
  #failure: Error | undefined;
  #wake: (() => void) | undefined;
  readonly #wakeBy: ((resume: () => void) => void) | undefined;

  constructor(options: BoundedQueueOptions) {
    if (!(options.capacity >= 1))
      throw new RangeError(`queue capacity must be at least 1, got ${options.capacity}`);
    this.#capacity = options.capacity;
    this.#capacityBytes = options.capacityBytes ?? Number.POSITIVE_INFINITY;
    this.#wakeBy = options.wake;
    const room = Math.min(FIRST_ROOM, options.capacity);
    this.#items = new Array(room).fill(undefined);
    this.#bytesOf = new Float64Array(room);
  }

  /** Items held now. */
  get size(): number {
    return this.#size;
  }

  /** Bytes held now. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Most items. */
  get capacity(): number {
    return this.#capacity;
  }

  /** Whether {@link close} was called. Items may still be there to take. */
  get closed(): boolean {
    return this.#closed;
  }

  /**
   * Adds one item at the end. False when the queue is closed or the item would pass one of the bounds;
   * {@link refusal} says which. Never waits, never throws.
   */
  offer(item: T, bytes: number): boolean {
    const size = this.#size;
    if (this.#closed || size >= this.#capacity || this.#bytes + bytes > this.#capacityBytes) return false;
    if (size === this.#items.length) this.#grow();
    let at = this.#head + size;
    if (at >= this.#items.length) at -= this.#items.length;
    this.#items[at] = item;
    this.#bytesOf[at] = bytes;
    this.#size = size + 1;
    this.#bytes += bytes;
    if (size === 0 && this.#wake !== undefined) this.#notify(this.#wake);
    return true;
  }

  /** Why the last offer was refused: the count is used up, or else the bytes are. */
  refusal(): 'queue_full' | 'queue_bytes' {
    return this.#size >= this.#capacity ? 'queue_full' : 'queue_bytes';
  }

  /**
   * Takes up to `max` items in order, and of them as many as hold `maxBytes` together, but at least one; waits for the
   * first. After {@link close}: what is left, then an empty list each time, or a rejection with the error that the queue
   * was closed with. One call at a time.
   */
  async take(max: number, maxBytes = Number.POSITIVE_INFINITY): Promise<T[]> {
    while (this.#size === 0) {
      if (this.#failure !== undefined) throw this.#failure;
      if (this.#closed) return [];
      if (this.#wake !== undefined) throw new Error('a bounded queue can have only one consumer');
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
    return this.#shift(this.#bytes > maxBytes ? this.#within(max, maxBytes) : max);
  }

  /** No more items are accepted. Those held can still be taken; then `take` ends, or rejects with `error`. */
  close(error?: Error): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#failure = error;
    this.#wake?.();
  }

  /** Removes everything and returns how many items that were. */
  clear(): number {
    return this.#shift(this.#size).length;
  }

  /** New bounds; that of bytes stays when none is given. Items above them stay until taken. */
  resize(capacity: number, capacityBytes: number = this.#capacityBytes): void {
    if (!(capacity >= 1)) throw new RangeError(`queue capacity must be at least 1, got ${capacity}`);
    this.#capacity = capacity;
    this.#capacityBytes = capacityBytes;
  }

  #notify(wake: () => void): void {
    if (this.#wakeBy === undefined) wake();
    else this.#wakeBy(wake);
  }

  /** How many items from the head on hold so many bytes at most; at least one. */
  #within(max: number, maxBytes: number): number {
    const room = this.#items.length;
    let bytes = 0;
    for (let count = 0; count < max; count += 1) {
      bytes += this.#bytesOf[(this.#head + count) % room] as number;
      if (bytes > maxBytes) return Math.max(1, count);
    }
    return max;
  }

  #shift(max: number): T[] {
    const count = Math.min(max, this.#size);
    const room = this.#items.length;
    const taken = new Array<T>(count);
    let at = this.#head;
    for (let i = 0; i < count; i += 1) {
      taken[i] = this.#items[at] as T;
      this.#items[at] = undefined;
      this.#bytes -= this.#bytesOf[at] as number;
      at += 1;
      if (at === room) at = 0;
    }
    this.#head = at;
    this.#size -= count;
    return taken;
  }

  #grow(): void {
    const room = this.#items.length;
    const items = new Array<T | undefined>(room * 2).fill(undefined);
    const bytesOf = new Float64Array(room * 2);
    for (let i = 0; i < this.#size; i += 1) {
      const from = (this.#head + i) % room;
      items[i] = this.#items[from];
      bytesOf[i] = this.#bytesOf[from] as number;
    }
    this.#items = items;
    this.#bytesOf = bytesOf;
    this.#head = 0;
  }
}
