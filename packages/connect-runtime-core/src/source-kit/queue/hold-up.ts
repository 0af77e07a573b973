import type { EventLog, LogEventTable } from '../../diagnostics/log-event.ts';
import type { Clock, Timer } from '../../time/clock.ts';
import type { BoundedQueue } from './bounded-queue.ts';
import { HeldTime, type HeldTimeOptions } from './held-time.ts';

/** Log events of a source that holds its peer up: a connector's table spreads them. */
export const holdUpEvents = {
  queue_grace_over: {
    level: 'warn',
    help: 'The queue was full, and the log acknowledged nothing for the time of grace: reading continues, and what does not fit is dropped, until the log takes records again. Fields: `grace_ms`, `queue_size`, `queue_capacity`.',
    everyMs: 1000,
  },
} as const satisfies LogEventTable;

/** Messages of a queue, and bytes of them together. */
export interface QueueBounds {
  readonly capacity: number;
  readonly capacityBytes: number;
}

/** When a peer is held up, and for how long. */
export interface HoldUpLimits {
  /** From which on the queue counts as full: what was configured. */
  readonly full: QueueBounds;
  /** Room beyond that for what was read already when reading stops: it cannot be put back. */
  readonly excess: QueueBounds;
  /**
   * How long the log may acknowledge nothing before messages are dropped, in milliseconds. 0: they are dropped at once, and the
   * peer is never held up. Infinity: none is ever dropped.
   */
  readonly graceMs: number;
}

export interface HoldUpOptions {
  /** Its bounds are set by the {@link HoldUp} from now on. */
  readonly queue: Pick<BoundedQueue<unknown>, 'size' | 'bytes' | 'resize'>;
  readonly clock: Clock;
  /** A group whose table has at least {@link holdUpMetrics}. */
  readonly metrics: HeldTimeOptions['metrics'];
  readonly log: EventLog<typeof holdUpEvents>;
  readonly limits: HoldUpLimits;
  /** See `TaskContext.throttledUntil`. */
  readonly throttledUntil?: (() => number | undefined) | undefined;
  /** Stops reading. Called again when something arrives all the same: from a connection that began meanwhile. */
  readonly pause: () => void;
  /** Reads on. May deliver messages before it returns. */
  readonly resume: () => void;
}

/** A peer that is not read. */
interface Held {
  readonly kind: 'held';
  /** Monotonic time at which the grace is over unless something is acknowledged. */
  deadline: number;
  timer: Timer | undefined;
}

/**
 * - open: everything is read.
 * - held: the queue was full, and nothing is read until half of it is free, or the grace is over.
 * - dropping: the grace was over, and everything is read, until the log takes something.
 */
type State = Held | { readonly kind: 'open' | 'dropping' | 'closed' };

const open: State = { kind: 'open' };

/**
 * Backpressure before loss: a full queue first stops reading, so that the peer has to wait, and has messages dropped only when the
 * log acknowledges nothing for longer than the grace. Nothing is dropped in here: the bounds of the queue are what it refuses by.
 */
export class HoldUp {
  readonly #options: HoldUpOptions;
  readonly #time: HeldTime;
  #limits: HoldUpLimits;
  #state: State = open;
  /** Whether there is a peer that could be held up. */
  #isConnected = false;

  constructor(options: HoldUpOptions) {
    this.#options = options;
    this.#time = new HeldTime(options);
    this.#limits = options.limits;
    this.#setBounds();
  }

  /** Whether nothing is read now. */
  get isHeld(): boolean {
    return this.#state.kind === 'held';
  }

  /** Milliseconds for which a peer waits by now; undefined while everything is read, or there is no connection. */
  get heldMs(): number | undefined {
    return this.#time.ms;
  }

  /** Milliseconds of the longest hold of the present connection, or of the last one when there is none. */
  get longestMs(): number {
    return this.#time.longestMs;
  }

  /** Messages, and bytes of them, from which on the queue counts as full. */
  get full(): QueueBounds {
    return this.#limits.full;
  }

  /** Stops reading when the queue is full. Called after messages were queued; cheap enough for each. */
  check(): void {
    if (!this.#isFull()) return;
    if (this.#state.kind === 'open') this.#hold();
    else if (this.#state.kind === 'held') this.#pause();
  }

  /** A connection begins. */
  connected(): void {
    this.#isConnected = true;
    this.#time.connected();
    this.check();
  }

  /** The connection is over: no peer is held up until the next one begins. */
  disconnected(): void {
    this.#isConnected = false;
    this.#time.end();
  }

  /** Records left the queue for the log. */
  taken(): void {
    if (this.#state.kind === 'held') {
      if (this.#isRoomy()) this.#readOn(open);
      else this.progressed();
    } else if (this.#state.kind === 'dropping') {
      this.#state = open;
      this.#setBounds();
      this.check();
    }
  }

  /** The log acknowledged records, so that the grace begins again. */
  progressed(): void {
    if (this.#state.kind === 'held') this.#state.deadline = this.#deadline();
  }

  /** Other limits from now on. */
  configure(limits: HoldUpLimits): void {
    this.#limits = limits;
    this.#setBounds();
    if (this.#state.kind !== 'held') {
      // What does not fit is refused, so that nothing that arrives would make it look.
      this.check();
    } else if (limits.graceMs === 0) {
      this.#readOn(open);
    } else {
      this.#state.deadline = this.#deadline();
      this.#wait(this.#state);
    }
  }

  /** Nothing more arrives. Idempotent. */
  close(): void {
    if (this.#state.kind === 'held') this.#leave(this.#state);
    this.#state = { kind: 'closed' };
    this.#time.close();
  }

  #isFull(): boolean {
    const { size, bytes } = this.#options.queue;
    const { capacity, capacityBytes } = this.#limits.full;
    return size >= capacity || bytes >= capacityBytes;
  }

  /** Half of the room, so that pausing and reading do not alternate for each message. */
  #isRoomy(): boolean {
    const { size, bytes } = this.#options.queue;
    const { capacity, capacityBytes } = this.#limits.full;
    return size <= capacity / 2 && bytes <= capacityBytes / 2;
  }

  #deadline(): number {
    return this.#options.clock.monotonic() + this.#limits.graceMs;
  }

  /** When the grace is over. A log that asks to wait is healthy, so that the grace begins again at the end of that wait. */
  #end({ deadline }: Held): number {
    const until = this.#options.throttledUntil?.();
    return until === undefined ? deadline : Math.max(deadline, until + this.#limits.graceMs);
  }

  #hold(): void {
    if (this.#limits.graceMs === 0) return;
    const held: Held = { kind: 'held', deadline: this.#deadline(), timer: undefined };
    this.#wait(held);
    this.#state = held;
    this.#pause();
  }

  #pause(): void {
    if (this.#isConnected) this.#time.begin();
    this.#options.pause();
  }

  /** One timer for the whole hold: progress only moves the deadline. */
  #wait(held: Held): void {
    const { clock } = this.#options;
    held.timer?.cancel();
    if (held.deadline === Number.POSITIVE_INFINITY) return;
    held.timer = clock.after(Math.max(0, this.#end(held) - clock.monotonic()), () => this.#look(held));
  }

  #look(held: Held): void {
    if (this.#options.clock.monotonic() < this.#end(held)) this.#wait(held);
    // When this process stood still, its timers run before it reads what the log acknowledged meanwhile: look again after that.
    else setImmediate(() => this.#lookAgain(held));
  }

  #lookAgain(held: Held): void {
    if (this.#state !== held) return;
    if (this.#options.clock.monotonic() < this.#end(held)) {
      this.#wait(held);
      return;
    }
    const { queue, log } = this.#options;
    const { graceMs, full } = this.#limits;
    log('queue_grace_over', {
      grace_ms: graceMs,
      queue_size: queue.size,
      queue_capacity: full.capacity,
    });
    this.#readOn({ kind: 'dropping' });
  }

  #readOn(state: State): void {
    if (this.#state.kind === 'held') this.#leave(this.#state);
    this.#state = state;
    this.#setBounds();
    // Last: the messages that it delivers may fill the queue again.
    this.#options.resume();
  }

  #leave({ timer }: Held): void {
    timer?.cancel();
    this.#time.end();
  }

  /** While messages are dropped the bounds are those that were configured. */
  #setBounds(): void {
    const { full, excess, graceMs } = this.#limits;
    if (graceMs === 0 || this.#state.kind === 'dropping') {
      this.#options.queue.resize(full.capacity, full.capacityBytes);
      return;
    }
    this.#options.queue.resize(full.capacity + excess.capacity, full.capacityBytes + excess.capacityBytes);
  }
}

/** Default of `<p>.queue.full.grace.ms`: a broker that restarts is back by then. */
export const DEFAULT_GRACE_MS = 30_000;

/** Longest `<p>.queue.full.grace.ms`: a day. The policy `block` has no end. */
export const MAX_GRACE_MS = 24 * 60 * 60 * 1000;

/** What a configuration says of a queue that holds its peer up. */
export type HoldUpValues<P extends string> = Readonly<
  Record<`${P}.message.queue.${'size' | 'bytes'}` | `${P}.queue.full.grace.ms`, number> &
    Record<`${P}.queue.full.policy`, string>
>;

/** When a full queue holds the peer up, by the keys of a source with this prefix. `excess`: see {@link HoldUpLimits}. */
export function holdUpLimits<const P extends string>(
  prefix: P,
  config: HoldUpValues<P>,
  excess: QueueBounds,
): HoldUpLimits {
  const values: Readonly<Record<string, unknown>> = config;
  const blocks = values[`${prefix}.queue.full.policy`] === 'block';
  return {
    full: {
      capacity: values[`${prefix}.message.queue.size`] as number,
      capacityBytes: values[`${prefix}.message.queue.bytes`] as number,
    },
    excess,
    graceMs: blocks ? Number.POSITIVE_INFINITY : (values[`${prefix}.queue.full.grace.ms`] as number),
  };
}
