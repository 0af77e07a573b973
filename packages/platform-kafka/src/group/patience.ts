/** An answer may take this factor longer than the previous one. */
const MARGIN = 4;

/** Limits of a {@link Patience}, in milliseconds. */
export interface PatienceBounds {
  readonly leastMs: number;
  readonly mostMs: number;
}

/**
 * The timeout of the next answer. It starts short, so that a lost answer costs little, grows after each timeout, so that a slow
 * network is not a failure, and shrinks when answers are fast.
 */
export class Patience {
  readonly #bounds: PatienceBounds;
  #limitMs: number;

  constructor(bounds: PatienceBounds) {
    this.#bounds = bounds;
    this.#limitMs = Math.min(bounds.leastMs, bounds.mostMs);
  }

  get limitMs(): number {
    return this.#limitMs;
  }

  /** Notes the time of an answer. */
  noteAnswer(ms: number): void {
    this.#limitMs = Math.min(this.#limitMs, Math.max(this.#bounds.leastMs, ms * MARGIN));
  }

  /** Notes a timeout. */
  noteTimeout(): void {
    this.#limitMs = Math.min(this.#limitMs * 2, this.#bounds.mostMs);
  }
}
