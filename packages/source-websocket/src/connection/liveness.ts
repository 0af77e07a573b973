import { type Clock, ConnectorError, type Timer } from '@levada/connect-runtime-core';
import type { ReadingTime } from '../session/reading-time.ts';

export interface LivenessOptions {
  readonly clock: Clock;
  /** 0: no pings. */
  readonly pingIntervalMs: number;
  readonly pingTimeoutMs: number;
  /** 0: no idle check. */
  readonly idleTimeoutMs: number;
  readonly ping: () => void;
  /** Bytes read from the connection so far: whatever arrives shows that it lives, also half a message. */
  readonly bytesRead: () => number;
  /** Monotonic time of the last message on this connection. */
  readonly lastMessageAt: () => number | undefined;
  /** While reading is paused on purpose, silence means nothing. */
  readonly reading: ReadingTime;
  readonly onDead: (error: ConnectorError) => void;
}

/**
 * How long a connection that looks dead is looked at again, in milliseconds. When this process stood still, its timers run
 * before it reads what arrived meanwhile.
 */
const SECOND_LOOK_MS = 50;

/** A ping that nothing arrived after yet. */
interface UnansweredPing {
  /** Bytes that had been read when the ping was sent. */
  readonly bytesRead: number;
  readonly timer: Timer;
}

/**
 * Watches an open connection: pings it at the interval, whether or not earlier pings were answered, and gives it up when
 * nothing arrives within the timeout of the first ping that was not answered. A dead connection is noticed within the
 * interval and the timeout together.
 */
export class Liveness {
  readonly #options: LivenessOptions;
  #pingTimer: Timer | undefined;
  #unanswered: UnansweredPing | undefined;
  #idleTimer: Timer | undefined;
  #startedAt = 0;

  constructor(options: LivenessOptions) {
    this.#options = options;
  }

  start(): void {
    const { clock, idleTimeoutMs } = this.#options;
    this.#startedAt = clock.monotonic();
    this.#schedulePing();
    if (idleTimeoutMs > 0) this.#scheduleIdle(idleTimeoutMs);
  }

  stop(): void {
    this.#pingTimer?.cancel();
    this.#unanswered?.timer.cancel();
    this.#idleTimer?.cancel();
  }

  #schedulePing(): void {
    const { clock, pingIntervalMs } = this.#options;
    if (pingIntervalMs > 0) this.#pingTimer = clock.after(pingIntervalMs, () => this.#pingNow());
  }

  #pingNow(): void {
    const { reading, pingTimeoutMs, ping, bytesRead } = this.#options;
    this.#schedulePing();
    if (this.#unanswered === undefined || this.#isAnswered(this.#unanswered)) {
      this.#unanswered?.timer.cancel();
      const timer = reading.after(pingTimeoutMs, () => this.#checkAnswer('first'));
      this.#unanswered = { bytesRead: bytesRead(), timer };
    }
    ping();
  }

  #isAnswered(unanswered: UnansweredPing): boolean {
    return this.#options.bytesRead() > unanswered.bytesRead;
  }

  #checkAnswer(look: 'first' | 'second'): void {
    const { reading, onDead, pingTimeoutMs } = this.#options;
    const unanswered = this.#unanswered;
    if (unanswered === undefined) return;
    if (this.#isAnswered(unanswered)) this.#unanswered = undefined;
    else if (look === 'first') {
      const timer = reading.after(SECOND_LOOK_MS, () => this.#checkAnswer('second'));
      this.#unanswered = { ...unanswered, timer };
    } else onDead(new ConnectorError('timeout', `nothing arrived within ${pingTimeoutMs} ms after a ping`));
  }

  #scheduleIdle(delayMs: number): void {
    this.#idleTimer = this.#options.reading.after(delayMs, () => this.#checkIdle('first'));
  }

  #checkIdle(look: 'first' | 'second'): void {
    const { clock, idleTimeoutMs, lastMessageAt, reading, onDead } = this.#options;
    const since = Math.max(this.#startedAt, reading.since, lastMessageAt() ?? 0);
    const left = idleTimeoutMs - (clock.monotonic() - since);
    if (left > 0) this.#scheduleIdle(left);
    else if (look === 'first')
      this.#idleTimer = reading.after(SECOND_LOOK_MS, () => this.#checkIdle('second'));
    else onDead(new ConnectorError('timeout', `no message within ${idleTimeoutMs} ms`));
  }
}
