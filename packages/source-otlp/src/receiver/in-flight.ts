/** Most requests under way, and most bytes of them. */
export interface InFlightLimits {
  readonly requests: number;
  readonly bytes: number;
}

/** Counts requests under way and the bytes that they hold. Whoever enters leaves. */
export class InFlight {
  readonly #limits: InFlightLimits;
  #requests = 0;
  #bytes = 0;

  constructor(limits: InFlightLimits) {
    this.#limits = limits;
  }

  get requests(): number {
    return this.#requests;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /**
   * One more request; false when there is no room, or none for the bytes that it announces. They count only once they are held:
   * else a few clients that announce much and send nothing would keep out all others.
   */
  enter(announced: number): boolean {
    if (this.#requests >= this.#limits.requests) return false;
    if (this.#requests > 0 && this.#bytes + announced > this.#limits.bytes) return false;
    this.#requests += 1;
    return true;
  }

  /** So many bytes more; false, and nothing changes, when there is no room for them. A request alone may be of any size. */
  hold(more: number): boolean {
    const bytes = this.#bytes + more;
    if (bytes > this.#limits.bytes && this.#requests > 1) return false;
    this.#bytes = bytes;
    return true;
  }

  /** A request is over that held so many bytes. */
  leave(bytes: number): void {
    this.#requests -= 1;
    this.#bytes -= bytes;
  }
}
