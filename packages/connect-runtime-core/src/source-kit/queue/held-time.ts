import type { MetricTable } from '../../diagnostics/metric-def.ts';
import type { MetricGroup } from '../../diagnostics/metric-group.ts';
import type { Clock, Timer } from '../../time/clock.ts';

/** The attributes of a source that holds its peer up: a connector's table spreads them. */
export const holdUpMetrics = {
  IsHeldUp: {
    kind: 'gauge',
    unit: 'boolean',
    help: 'Whether nothing is read from the peer now, because the queue is full',
    series: { name: 'connect_source_held_up' },
  },
  HeldUpMillis: {
    kind: 'counter',
    unit: 'milliseconds',
    help: 'Time for which nothing was read from the peer, because the queue was full',
    series: { name: 'connect_source_held_up_seconds_total', scale: 0.001 },
  },
} as const satisfies MetricTable;

export interface HeldTimeOptions {
  readonly clock: Clock;
  /** A group whose table has at least {@link holdUpMetrics}. */
  readonly metrics: Pick<MetricGroup<typeof holdUpMetrics>, 'counter' | 'set' | 'observe'>;
}

/** A hold that lasts. */
interface Held {
  /** Monotonic milliseconds. */
  readonly since: number;
  /** Until when it is counted: monotonic milliseconds. */
  countedTo: number;
  timer: Timer;
}

/** How often the time is counted while a peer is held up, in milliseconds. */
const COUNT_EVERY_MS = 1000;

/** The time for which a peer is held up: counts it, and shows whether it is so now. */
export class HeldTime {
  readonly #options: HeldTimeOptions;
  #held: Held | undefined;
  /** Longest hold of this connection that is over, in milliseconds. */
  #longestMs = 0;
  /** Part of a millisecond that is not counted yet: under a flood most holds are shorter than one. */
  #uncounted = 0;

  constructor(options: HeldTimeOptions) {
    this.#options = options;
    options.metrics.observe('IsHeldUp', () => (this.#held === undefined ? 0 : 1));
  }

  /** Milliseconds of the present hold by now; undefined when there is none. */
  get ms(): number | undefined {
    return this.#held && this.#options.clock.monotonic() - this.#held.since;
  }

  /** Milliseconds of the longest hold since {@link connected}, the present one included. */
  get longestMs(): number {
    return Math.max(this.#longestMs, this.ms ?? 0);
  }

  /** A connection begins. */
  connected(): void {
    this.#longestMs = 0;
  }

  /** A hold begins, unless one lasts. */
  begin(): void {
    if (this.#held !== undefined) return;
    const since = this.#options.clock.monotonic();
    this.#held = { since, countedTo: since, timer: this.#next() };
  }

  /** The hold is over. Idempotent. */
  end(): void {
    if (this.#held === undefined) return;
    this.#held.timer.cancel();
    this.#count(this.#held);
    this.#longestMs = this.longestMs;
    this.#held = undefined;
  }

  /** Nothing is held up any more. Idempotent. */
  close(): void {
    this.end();
    this.#options.metrics.set('IsHeldUp', 0);
  }

  #next(): Timer {
    return this.#options.clock.after(COUNT_EVERY_MS, () => {
      if (this.#held === undefined) return;
      this.#count(this.#held);
      this.#held.timer = this.#next();
    });
  }

  #count(held: Held): void {
    const now = this.#options.clock.monotonic();
    this.#uncounted += now - held.countedTo;
    held.countedTo = now;
    const whole = Math.floor(this.#uncounted);
    this.#options.metrics.counter('HeldUpMillis').value += whole;
    this.#uncounted -= whole;
  }
}
