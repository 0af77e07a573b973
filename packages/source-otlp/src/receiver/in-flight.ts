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

  /** One more request, with so many bytes; false when there is no room. */
  enter(bytes: number): boolean {
    if (this.#requests >= this.#limits.requests) return false;
    this.#requests += 1;
    if (this.hold(bytes)) return true;
    this.#requests -= 1;
    return false;
  }

  /** So many bytes more (or fewer); false, and nothing changes, when there is no room for them. A request alone may be of any size. */
  hold(more: number): boolean {
    const bytes = this.#bytes + more;
    if (more > 0 && bytes > this.#limits.bytes && this.#requests > 1) return false;
    this.#bytes = bytes;
    return true;
  }

  /** A request is over that held so many bytes. */
  leave(bytes: number): void {
    this.#requests -= 1;
    this.#bytes -= bytes;
  }
}
