import { type Clock, ConnectorError, type Timer } from '@levada/connect-runtime-core';
import type { GroupCoordinator, Joined, Standing } from './group-coordinator.ts';
import type { Moment } from './lease.ts';

/** Makes a {@link KeepAlive}. */
export interface KeepAliveOptions {
  readonly coordinator: Pick<GroupCoordinator, 'heartbeat' | 'probe' | 'abandon'>;
  readonly clock: Clock;
  /** Ends it. */
  readonly signal: AbortSignal;
  /** Connect's `heartbeat.interval.ms`. */
  readonly intervalMs: number;
  readonly now: () => Moment;
  /** The membership to keep alive; undefined: this worker is not a member. */
  readonly joined: () => Joined | undefined;
  /** The coordinator has answered a heartbeat that was sent at that moment. */
  readonly onAnswer: (standing: Standing, sentAt: Moment) => void;
  /** It has not, or refuses. */
  readonly onTrouble: (error: ConnectorError) => void;
}

/** Wait between attempts, the first two excepted: the session runs, and one answer may have been lost. */
const RETRY_MS = 1_000;

/** Between the first two heartbeats after a change, and the least between any two; twice as long between the next two, up to the interval. */
const FIRST_WAIT_MS = 10;

/** Shows the coordinator that this worker is alive, and finds out whether the coordinator is, also while a request waits there. */
export class KeepAlive {
  readonly #options: KeepAliveOptions;
  /** Requests that wait at the coordinator: it may be silent because others are awaited, or because it is gone. */
  #waiting = 0;
  /** Monotonic time at which a heartbeat was first answered for a generation that is over, while the same request waited. */
  #outdatedSince: number | undefined;
  /** Monotonic time at which the last heartbeat was sent. */
  #beatAt = Number.NEGATIVE_INFINITY;
  /** Until the next heartbeat, unless the interval is shorter. */
  #waitMs = Number.POSITIVE_INFINITY;
  /** Ends the wait for the next heartbeat. */
  #beatNow: (() => void) | undefined;
  #timer: Timer | undefined;

  constructor(options: KeepAliveOptions) {
    this.#options = options;
    options.signal.addEventListener('abort', () => this.#beatNow?.(), { once: true });
  }

  /**
   * A rebalance probably begins: sends a heartbeat at once, and further ones with growing waits, up to the interval. Nothing changes while
   * that happens already, or while a request waits, which is how this worker takes part in the rebalance.
   */
  hurry(): void {
    const { clock, intervalMs } = this.#options;
    if (this.#waiting > 0 || this.#waitMs < intervalMs) return;
    this.#waitMs = FIRST_WAIT_MS;
    if (clock.monotonic() - this.#beatAt >= FIRST_WAIT_MS) this.#beatNow?.();
    else this.#wakeIn(FIRST_WAIT_MS);
  }

  /** A request that may wait at the coordinator for long. */
  async during<T>(request: Promise<T>): Promise<T> {
    this.#waiting += 1;
    this.#outdatedSince = undefined;
    try {
      return await request;
    } finally {
      this.#waiting -= 1;
    }
  }

  /** Resolves when the signal ends it. */
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
   * A request that waits in a generation that is over will not be answered: the answer was lost. One that is only on its way
   * comes within an interval.
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

  /** Repeats a request until the coordinator answers, or it is not wanted any more. */
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
    // The end of the membership ends the pause.
    await this.#options.clock.sleep(ms, this.#options.signal).catch(() => undefined);
  }
}
