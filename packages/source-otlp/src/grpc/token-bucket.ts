/** Bounds of a {@link TokenBucket}. */
export interface TokenBucketOptions {
  readonly capacity: number;
  readonly perSecond: number;
}

/** Allows so many events at once, and so many per second in the long run. Times are monotonic milliseconds. */
export class TokenBucket {
  readonly #options: TokenBucketOptions;
  #tokens: number;
  #at: number;

  constructor(options: TokenBucketOptions, now: number) {
    this.#options = options;
    this.#tokens = options.capacity;
    this.#at = now;
  }

  /** Takes one; false when there is none. */
  take(now: number): boolean {
    if (this.isEmpty(now)) return false;
    this.#tokens -= 1;
    return true;
  }

  /** Gives some back. */
  give(count: number): void {
    this.#tokens = Math.min(this.#options.capacity, this.#tokens + count);
  }

  isEmpty(now: number): boolean {
    this.#refill(now);
    return this.#tokens < 1;
  }

  isFull(now: number): boolean {
    this.#refill(now);
    return this.#tokens === this.#options.capacity;
  }

  #refill(now: number): void {
    this.give(((now - this.#at) / 1000) * this.#options.perSecond);
    this.#at = now;
  }
}
