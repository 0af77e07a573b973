/** An answer may take this many times as long as the one before. */
const MARGIN = 4;

/** Bounds of a {@link Patience}, in milliseconds. */
export interface PatienceBounds {
  readonly leastMs: number;
  readonly mostMs: number;
}

/**
 * How long the next answer is waited for. At first for a short time, so that a lost answer costs little; longer after each
 * wait without success, so that a slow network is no failure; and shorter again when answers come quickly.
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

  /** An answer came after this time. */
  answered(ms: number): void {
    this.#limitMs = Math.min(this.#limitMs, Math.max(this.#bounds.leastMs, ms * MARGIN));
  }

  /** There was no answer within the limit. */
  unanswered(): void {
    this.#limitMs = Math.min(this.#limitMs * 2, this.#bounds.mostMs);
  }
}
