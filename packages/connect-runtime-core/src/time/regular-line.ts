import type { Clock, Timer } from './clock.ts';

/** Time between two lines. */
const EVERY_MS = 30_000;

/** Has a line written every 30 seconds, also when nothing flows, and once when it stops. */
export class RegularLine {
  readonly #clock: Clock;
  readonly #write: () => void;
  #timer: Timer | undefined;

  constructor(clock: Clock, write: () => void) {
    this.#clock = clock;
    this.#write = write;
  }

  /** The first line follows in 30 seconds. */
  start(): void {
    this.#timer = this.#clock.after(EVERY_MS, () => {
      this.start();
      this.#write();
    });
  }

  /** Has the last line written. Idempotent; nothing before {@link start}. */
  stop(): void {
    if (this.#timer === undefined) return;
    this.#timer.cancel();
    this.#timer = undefined;
    this.#write();
  }
}
