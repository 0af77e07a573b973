import type { Clock, ConnectorError, Timer } from '@levada/connect-runtime-core';

/** Called once with the payload of the response, or with an error. */
export type Answered = (error: ConnectorError | null, payload: Buffer | null) => void;

interface Pending {
  readonly answered: Answered;
  readonly since: number;
}

/** Timeout of {@link PendingAnswers}. */
export interface AnswerLimit {
  readonly clock: Clock;
  /** Timeout of an answer. */
  readonly limitMs: number;
  /** Called when the oldest answer is late. */
  readonly onLate: () => void;
}

/** Unanswered requests of a connection, in order. Costs nothing if there are none. */
export class PendingAnswers {
  readonly #limit: AnswerLimit;
  readonly #pending = new Map<number, Pending>();
  #lastId = 0;
  #timer: Timer | undefined;
  #whenNone: (() => void) | undefined;
  /** Monotonic time until which the broker answers nothing. */
  #silentUntil = Number.NEGATIVE_INFINITY;

  constructor(limit: AnswerLimit) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#pending.size;
  }

  /** A correlation id for the next request. */
  nextId(): number {
    this.#lastId = (this.#lastId % 0x7fffffff) + 1;
    return this.#lastId;
  }

  add(id: number, answered: Answered): void {
    const { clock, limitMs } = this.#limit;
    this.#pending.set(id, { answered, since: clock.monotonic() });
    this.#timer ??= this.#armTimer(limitMs);
  }

  /** The broker throttles for this time, which does not count for the timeout. */
  suspendLimit(ms: number): void {
    this.#silentUntil = Math.max(this.#silentUntil, this.#limit.clock.monotonic() + ms);
  }

  /** Passes an answer on. Returns false if no request waits for it. */
  answer(id: number, payload: Buffer): boolean {
    const pending = this.#pending.get(id);
    if (pending === undefined) return false;
    this.#pending.delete(id);
    pending.answered(null, payload);
    this.#noteNone();
    return true;
  }

  /** Fails all pending requests. */
  failAll(error: ConnectorError): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const { answered } of pending) answered(error, null);
    this.#noteNone();
  }

  /** Resolves when no request is pending. */
  async none(): Promise<void> {
    if (this.#pending.size === 0) return;
    await new Promise<void>((resolve) => {
      this.#whenNone = resolve;
    });
  }

  /** One timer for all: requests are answered in order, so the oldest is the first that can be late. */
  #armTimer(ms: number): Timer {
    const { clock, limitMs, onLate } = this.#limit;
    return clock.after(ms, () => {
      this.#timer = undefined;
      const oldest = this.#pending.values().next().value;
      if (oldest === undefined) return;
      const leftMs = Math.max(oldest.since, this.#silentUntil) + limitMs - clock.monotonic();
      if (leftMs > 0) this.#timer = this.#armTimer(leftMs);
      else onLate();
    });
  }

  #noteNone(): void {
    if (this.#pending.size > 0) return;
    this.#whenNone?.();
    this.#whenNone = undefined;
  }
}
