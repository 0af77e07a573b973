import type { Clock, Timer } from '@levada/connect-runtime-core';

/** Shortest time between looks during a pause, in milliseconds. */
const MIN_LOOK_MS = 50;

/**
 * When a connection is read. While reading is paused on purpose, silence means nothing: time for answers counts only
 * outside of pauses.
 */
export class ReadingTime {
  readonly #clock: Clock;
  #since: number;
  #pausedAt: number | undefined;
  #pausedMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#since = clock.monotonic();
  }

  get isPaused(): boolean {
    return this.#pausedAt !== undefined;
  }

  /** Since when it is read without a pause, or was until the present pause: monotonic milliseconds. */
  get since(): number {
    return this.#since;
  }

  pause(): void {
    this.#pausedAt ??= this.#clock.monotonic();
  }

  resume(): void {
    if (this.#pausedAt === undefined) return;
    this.#since = this.#clock.monotonic();
    this.#pausedMs += this.#since - this.#pausedAt;
    this.#pausedAt = undefined;
  }

  /** Calls back once after so many milliseconds of reading, unless cancelled. */
  after(ms: number, callback: () => void): Timer {
    const from = this.#now();
    let timer: Timer;
    const wait = (leftMs: number): void => {
      timer = this.#clock.after(leftMs, () => {
        const left = from + ms - this.#now();
        if (this.isPaused) wait(Math.max(left, MIN_LOOK_MS));
        else if (left > 0) wait(left);
        else callback();
      });
    };
    wait(ms);
    return { cancel: () => timer.cancel() };
  }

  /** Stands still during pauses. */
  #now(): number {
    return (this.#pausedAt ?? this.#clock.monotonic()) - this.#pausedMs;
  }
}
