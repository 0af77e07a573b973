import type { SourceEvent } from '../contract/source-event.ts';
import type { EventLog } from '../diagnostics/log-event.ts';
import type { Counter, MetricGroup } from '../diagnostics/metric-group.ts';
import { type DropCause, dropAttribute, type sourceMetrics } from '../diagnostics/source-metrics.ts';
import type { Clock } from '../time/clock.ts';
import type { BoundedQueue } from './queue/bounded-queue.ts';
import { type HeldBytes, releaseChunk } from './queue/release-chunk.ts';
import { Slabs } from './queue/slabs.ts';
import { HIGH_UTILIZATION, type healthEvents } from './source-events.ts';

/** Bytes in the queue from which on messages will wait for long. */
const LONG_BYTES = 4 * 1024 * 1024;

/** Where drops for these causes are counted, and who hears of them. */
interface DropReceivers<C extends DropCause> {
  readonly metrics: { readonly counter: (name: ReturnType<typeof dropAttribute<C>>) => Counter };
  readonly emit: (event: SourceEvent) => void;
}

/** Counts messages as dropped, and emits that they were. */
export function reportDropped<C extends DropCause>(
  { metrics, emit }: DropReceivers<NoInfer<C>>,
  cause: C,
  count = 1,
): void {
  metrics.counter(dropAttribute(cause)).value += count;
  emit({ type: 'dropped', cause, count });
}

/** Messages of one burst that were dropped for one reason. */
export interface DroppedMessages {
  readonly cause: DropCause;
  readonly count: number;
  /** All messages that were dropped so far, whatever the cause. */
  readonly total: number;
}

/** `T` is the type of a queued message, `S` that of the properties that the messages of a burst share. */
export interface IntakeOptions<T extends HeldBytes, S> {
  readonly queue: BoundedQueue<T>;
  /** A group whose table has at least the rows of a source. */
  readonly metrics: Pick<MetricGroup<typeof sourceMetrics>, 'counter' | 'read'>;
  readonly clock: Clock;
  readonly log: EventLog<typeof healthEvents>;
  readonly emit: (event: SourceEvent) => void;
  /** Messages, and bytes of them, from which on the queue counts as full: what was configured. Asked once per burst. */
  readonly limits: () => { readonly capacity: number; readonly capacityBytes: number };
  /**
   * How the end of a burst is found: called at its begin with what ends it. Default: `queueMicrotask`, for a wire that
   * delivers all messages of a chunk in one go. `setImmediate` for one that delivers its frames one by one.
   */
  readonly endBurst?: (end: () => void) => void;
  /** Called after each burst that leaves the queue full. */
  readonly onFull: () => void;
  /** Makes what the messages of a burst share. `receivedAt` is milliseconds since 1970. */
  readonly stamp: (receivedAt: number) => S;
  /** Logs what was dropped: called once per burst and cause, after it was counted. */
  readonly logDropped: (dropped: DroppedMessages) => void;
}

/** Messages that the connection delivers within one turn of the event loop: those of one chunk. */
interface Burst<T, S> {
  readonly stamp: S;
  readonly kept: T[];
  readonly dropped: Map<DropCause, number>;
}

/**
 * What a wire callback stamps, counts and offers with. None of its methods throws or waits. The clock is read once per burst,
 * and what there is to say is said once per burst, because a burst is hundreds of messages. For each message: {@link receive},
 * then {@link offer} or {@link drop}.
 */
export class Intake<T extends HeldBytes, S> {
  /** Monotonic time of the last message; undefined before the first. */
  lastMessageAt: number | undefined;
  readonly #options: IntakeOptions<T, S>;
  readonly #queue: BoundedQueue<T>;
  readonly #received: Counter;
  readonly #slabs = new Slabs();
  #burst: Burst<T, S> | undefined;

  constructor(options: IntakeOptions<T, S>) {
    this.#options = options;
    this.#queue = options.queue;
    this.#received = options.metrics.counter('MessagesReceived');
  }

  /** A message arrived: it is counted. Returns the stamp of its burst. */
  receive(): S {
    this.#received.value += 1;
    return (this.#burst ?? this.#begin()).stamp;
  }

  /** Whether one more message would be refused. Asked before anything is made: a full queue is when there is no time to lose. */
  get full(): boolean {
    return this.#queue.size >= this.#queue.capacity;
  }

  /** Puts what was made of the message into the queue; false when it was refused, and counted as dropped. */
  offer(item: T): boolean {
    if (this.#queue.offer(item, item.value.length)) {
      this.#burst?.kept.push(item);
      return true;
    }
    this.drop(this.#queue.refusal());
    return false;
  }

  /** Counts the message as dropped. */
  drop(cause: DropCause): void {
    const { dropped } = this.#burst ?? this.#begin();
    dropped.set(cause, (dropped.get(cause) ?? 0) + 1);
  }

  /** Ends the burst: what arrives from now on gets a new stamp. It ends by itself when the wire has nothing more to read. */
  flush(): void {
    if (this.#burst !== undefined) this.#end(this.#burst);
  }

  #begin(): Burst<T, S> {
    const { clock, stamp, endBurst = queueMicrotask } = this.#options;
    this.lastMessageAt = clock.monotonic();
    const burst: Burst<T, S> = { stamp: stamp(clock.now()), kept: [], dropped: new Map() };
    this.#burst = burst;
    endBurst(() => this.#end(burst));
    return burst;
  }

  #end(burst: Burst<T, S>): void {
    if (this.#burst !== burst) return;
    this.#burst = undefined;
    if (this.#queue.bytes >= LONG_BYTES) this.#slabs.move(burst.kept);
    else releaseChunk(burst.kept);
    const { log, limits, onFull } = this.#options;
    const { capacity, capacityBytes } = limits();
    const { size, bytes } = this.#queue;
    // Within a burst the connection could not be held up anyway.
    if (size >= capacity || bytes >= capacityBytes) onFull();
    for (const [cause, count] of burst.dropped) this.#report(cause, count);
    const percent = (size * 100) / capacity;
    if (percent <= HIGH_UTILIZATION) return;
    log('queue_high_utilization', {
      queue_size: size,
      queue_capacity: capacity,
      utilization_percent: percent,
    });
  }

  #report(cause: DropCause, count: number): void {
    const { metrics, logDropped } = this.#options;
    reportDropped(this.#options, cause, count);
    logDropped({ cause, count, total: metrics.read('MessagesDropped') });
  }
}
