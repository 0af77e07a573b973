import { type Clock, ConnectorError, type Timer } from '@levada/connect-runtime-core';

/** What the checks of a connection look at. */
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
  readonly isPaused: () => boolean;
  readonly onDead: (error: ConnectorError) => void;
}

/**
 * How long a connection that looks dead is looked at again, in milliseconds. When this process stood still, its timers run
 * before it reads what arrived meanwhile.
 */
const SECOND_LOOK_MS = 50;

/** Watches an open connection: pings it, and gives it up when nothing arrives any more. */
export class Liveness {
  readonly #options: LivenessOptions;
  #pingTimer: Timer | undefined;
  #idleTimer: Timer | undefined;
  #startedAt = 0;

  constructor(options: LivenessOptions) {
    this.#options = options;
  }

  start(): void {
    const { clock, pingIntervalMs, idleTimeoutMs } = this.#options;
    this.#startedAt = clock.monotonic();
    if (pingIntervalMs > 0) this.#schedulePing(pingIntervalMs);
    if (idleTimeoutMs > 0) this.#scheduleIdle(idleTimeoutMs);
  }

  stop(): void {
    this.#pingTimer?.cancel();
    this.#idleTimer?.cancel();
  }

  #schedulePing(delayMs: number): void {
    this.#pingTimer = this.#options.clock.after(delayMs, () => this.#pingNow());
  }

  #pingNow(): void {
    const { clock, pingTimeoutMs, ping, bytesRead } = this.#options;
    const before = bytesRead();
    ping();
    this.#pingTimer = clock.after(pingTimeoutMs, () => this.#checkAnswer(before, 'first'));
  }

  #checkAnswer(before: number, look: 'first' | 'second'): void {
    const { clock, bytesRead, isPaused, onDead, pingIntervalMs, pingTimeoutMs } = this.#options;
    if (bytesRead() > before || isPaused()) {
      this.#schedulePing(Math.max(0, pingIntervalMs - pingTimeoutMs));
      return;
    }
    if (look === 'first') {
      this.#pingTimer = clock.after(SECOND_LOOK_MS, () => this.#checkAnswer(before, 'second'));
      return;
    }
    onDead(new ConnectorError('timeout', `nothing arrived within ${pingTimeoutMs} ms after a ping`));
  }

  #scheduleIdle(delayMs: number): void {
    this.#idleTimer = this.#options.clock.after(delayMs, () => this.#checkIdle('first'));
  }

  #checkIdle(look: 'first' | 'second'): void {
    const { clock, idleTimeoutMs, lastMessageAt, isPaused, onDead } = this.#options;
    const since = Math.max(this.#startedAt, lastMessageAt() ?? this.#startedAt);
    const left = idleTimeoutMs - (clock.monotonic() - since);
    if (left > 0 || isPaused()) this.#scheduleIdle(left > 0 ? left : idleTimeoutMs);
    else if (look === 'first') this.#idleTimer = clock.after(SECOND_LOOK_MS, () => this.#checkIdle('second'));
    else onDead(new ConnectorError('timeout', `no message within ${idleTimeoutMs} ms`));
  }
}
