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
    if (this.level(now) < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  /** Gives some back. */
  give(count: number): void {
    this.#tokens = Math.min(this.#options.capacity, this.#tokens + count);
  }

  /** How many may be taken now, with the part of the next one. */
  level(now: number): number {
    this.give(((now - this.#at) / 1000) * this.#options.perSecond);
    this.#at = now;
    return this.#tokens;
  }
}
