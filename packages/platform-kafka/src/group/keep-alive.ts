import { type Clock, ConnectorError, type Timer } from '@levada/connect-runtime-core';
import type { GroupCoordinator, Joined, Standing } from './group-coordinator.ts';
import type { Moment } from './lease.ts';

export interface KeepAliveOptions {
  readonly coordinator: Pick<GroupCoordinator, 'heartbeat' | 'probe' | 'abandon'>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Connect's `heartbeat.interval.ms`. */
  readonly intervalMs: number;
  readonly now: () => Moment;
  /** The membership to keep alive; undefined if this worker is not a member. */
  readonly joined: () => Joined | undefined;
  /** Called with the coordinator's answer to a heartbeat that was sent at that moment. */
  readonly onAnswer: (standing: Standing, sentAt: Moment) => void;
  /** Called if it did not answer, or refuses. */
  readonly onTrouble: (error: ConnectorError) => void;
}

/** Wait between attempts after the first two, in milliseconds: the session is running, and one answer may have been lost. */
const RETRY_MS = 1_000;

/** Wait after a change and minimum wait between heartbeats, in milliseconds. It doubles with each heartbeat, up to the interval. */
const FIRST_WAIT_MS = 10;

/** Sends heartbeats, and detects a dead coordinator, even while a request waits there. */
export class KeepAlive {
  readonly #options: KeepAliveOptions;
  /** Requests waiting at the coordinator: it may be silent because it awaits others, or because it is dead. */
  #waiting = 0;
  /** Monotonic time of the first heartbeat with an outdated generation during the waiting request. */
  #outdatedSince: number | undefined;
  /** Monotonic time of the last heartbeat. */
  #beatAt = Number.NEGATIVE_INFINITY;
  /** Time until the next heartbeat, unless the interval is shorter. */
  #waitMs = Number.POSITIVE_INFINITY;
  /** Ends the wait for the next heartbeat. */
  #beatNow: (() => void) | undefined;
  #timer: Timer | undefined;

  constructor(options: KeepAliveOptions) {
    this.#options = options;
    options.signal.addEventListener('abort', () => this.#beatNow?.(), { once: true });
  }

  /**
   * Expects a rebalance: sends a heartbeat at once, and further ones with growing waits up to the interval. Has no effect if that
   * is in progress, or while a request waits, which is how this worker takes part in the rebalance.
   */
  hurry(): void {
    const { clock, intervalMs } = this.#options;
    if (this.#waiting > 0 || this.#waitMs < intervalMs) return;
    this.#waitMs = FIRST_WAIT_MS;
    if (clock.monotonic() - this.#beatAt >= FIRST_WAIT_MS) this.#beatNow?.();
    else this.#wakeIn(FIRST_WAIT_MS);
  }

  /** Runs a request that may wait at the coordinator for long. */
  async during<T>(request: Promise<T>): Promise<T> {
    this.#waiting += 1;
    this.#outdatedSince = undefined;
    try {
      return await request;
    } finally {
      this.#waiting -= 1;
    }
  }

  /** Resolves when the signal aborts. */
  async run(): Promise<void> {
    const { signal, intervalMs, coordinator } = this.#options;
    while (!signal.aborted) {
      await this.#untilDue(intervalMs);
      const joined = this.#options.joined();
      if (joined !== undefined)
        await this.#untilAnswered(
          () => this.#beat(joined),
          () => this.#options.joined() === joined,
        );
      else if (this.#waiting > 0)
        await this.#untilAnswered(
          () => coordinator.probe(),
          () => this.#waiting > 0,
        );
    }
  }

  async #untilDue(intervalMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#beatNow = resolve;
    this.#wakeIn(Math.min(this.#waitMs, intervalMs));
    this.#waitMs *= 2;
    if (this.#options.signal.aborted) resolve();
    await promise;
    this.#beatNow = undefined;
    this.#timer?.cancel();
  }

  /** Sends the next heartbeat after this time. */
  #wakeIn(ms: number): void {
    this.#timer?.cancel();
    if (this.#beatNow !== undefined) this.#timer = this.#options.clock.after(ms, this.#beatNow);
  }

  async #beat(joined: Joined): Promise<void> {
    const { coordinator, signal, now, onAnswer } = this.#options;
    const sentAt = now();
    this.#beatAt = sentAt.monotonic;
    const standing = await coordinator.heartbeat(joined);
    if (this.#options.joined() !== joined || signal.aborted) return;
    if (standing !== 'member') this.#waitMs = Number.POSITIVE_INFINITY;
    this.#noteLostAnswer(standing, sentAt);
    onAnswer(standing, sentAt);
  }

  /**
   * A waiting request of an outdated generation will not be answered: the answer was lost. A request that is only in transit is
   * answered within an interval.
   */
  #noteLostAnswer(standing: Standing, sentAt: Moment): void {
    const { clock, intervalMs, coordinator } = this.#options;
    const isOver = standing === 'outdated' || standing === 'expelled';
    if (!isOver || this.#waiting === 0) {
      this.#outdatedSince = undefined;
      return;
    }
    this.#outdatedSince ??= clock.monotonic();
    if (standing === 'outdated' && sentAt.monotonic - this.#outdatedSince < intervalMs) return;
    this.#outdatedSince = undefined;
    coordinator.abandon();
  }

  /** Repeats a request until the coordinator answers, or until it is no longer needed. */
  async #untilAnswered(request: () => Promise<void>, isWanted: () => boolean): Promise<void> {
    const { signal, onTrouble } = this.#options;
    for (let attempt = 1; isWanted() && !signal.aborted; attempt += 1) {
      try {
        await request();
        return;
      } catch (thrown) {
        if (signal.aborted) return;
        const error = ConnectorError.from(thrown);
        onTrouble(error);
        if (attempt > 1 || !error.retriable) await this.#pause(RETRY_MS);
      }
    }
  }

  async #pause(ms: number): Promise<void> {
    // The end of the membership ends the pause
    await this.#options.clock.sleep(ms, this.#options.signal).catch(() => undefined);
  }
}
