import type { Clock } from '@levada/connect-runtime-core';

/** Longest that one task keeps the event loop to itself. */
const SHARE_MS = 20;

/**
 * Keeps a loop that never has to wait from stopping everything else: promises alone let no socket and no timer have a
 * turn. To be asked between two rounds.
 */
export class EventLoopShare {
  readonly #clock: Clock;
  #since: number;

  /** The first round begins now. */
  constructor(clock: Clock) {
    this.#clock = clock;
    this.#since = clock.monotonic();
  }

  /** True when others are to have a turn before the next round. */
  get usedUp(): boolean {
    return this.#clock.monotonic() - this.#since >= SHARE_MS;
  }

  /** Resolves when all others had a turn. */
  async nextTurn(): Promise<void> {
    await new Promise<void>((resolve) => setImmediate(resolve));
    this.#since = this.#clock.monotonic();
  }
}
