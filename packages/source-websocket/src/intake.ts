import {
  type BoundedQueue,
  type Clock,
  type Counter,
  type DropCause,
  dropAttribute,
  type EventLog,
  type MetricGroup,
  type SourceEvent,
} from '@levada/connect-runtime-core';
import type { webSocketEvents } from './events.ts';
import type { webSocketMetrics } from './metrics.ts';
import { messageRecord, type WaitingRecord } from './record.ts';
import { releaseChunk } from './release-chunk.ts';

/** What an intake works with. */
export interface IntakeOptions {
  readonly queue: BoundedQueue<WaitingRecord>;
  readonly metrics: MetricGroup<typeof webSocketMetrics>;
  readonly clock: Clock;
  readonly log: EventLog<typeof webSocketEvents>;
  readonly emit: (event: SourceEvent) => void;
  readonly dropsBinary: boolean;
  /** Queued messages, or bytes of them, from which on {@link IntakeOptions.onFull} is called. */
  readonly capacity: number;
  readonly capacityBytes: number;
  readonly onFull: () => void;
  readonly topic: string;
}

/** Messages that the connection delivers within one turn of the event loop: those of one chunk. */
interface Burst {
  /** Topic in force when it began. */
  readonly topic: string;
  readonly receivedAt: number;
  readonly kept: WaitingRecord[];
  readonly dropped: Map<DropCause, number>;
}

/** Share of the capacity, in percent, above which the log says so. */
const HIGH_UTILIZATION = 80;

/**
 * The wire callback: stamps, counts and offers. It cannot throw and never waits. The clock is read once per burst, and what
 * there is to say is said once per burst, because a burst is hundreds of messages.
 */
export class Intake {
  /** Topic that messages received from now on go to. */
  topic: string;
  /** Monotonic time of the last message; undefined before the first. */
  lastMessageAt: number | undefined;
  readonly #options: IntakeOptions;
  readonly #received: Counter;
  #burst: Burst | undefined;

  constructor(options: IntakeOptions) {
    this.#options = options;
    this.topic = options.topic;
    this.#received = options.metrics.counter('MessagesReceived');
  }

  /** Takes one message. */
  receive(data: Uint8Array, binary: boolean): void {
    const burst = this.#burst ?? this.#begin();
    const { queue, dropsBinary } = this.#options;
    this.#received.value += 1;
    if (binary && dropsBinary) {
      this.#drop(burst, 'unsupported_frame');
      return;
    }
    if (queue.size >= queue.capacity) {
      // Before anything is made: a full queue is when there is no time to lose.
      this.#drop(burst, 'queue_full');
      return;
    }
    const record = messageRecord(data, binary, burst);
    if (queue.offer(record, data.length)) burst.kept.push(record);
    else this.#drop(burst, queue.refusal());
  }

  #begin(): Burst {
    const { clock } = this.#options;
    this.lastMessageAt = clock.monotonic();
    const burst = { topic: this.topic, receivedAt: clock.now(), kept: [], dropped: new Map() };
    this.#burst = burst;
    queueMicrotask(() => this.#end(burst));
    return burst;
  }

  #drop(burst: Burst, cause: DropCause): void {
    burst.dropped.set(cause, (burst.dropped.get(cause) ?? 0) + 1);
  }

  #end(burst: Burst): void {
    this.#burst = undefined;
    releaseChunk(burst.kept);
    const { queue, log, emit, metrics, capacity, capacityBytes, onFull } = this.#options;
    // Within a burst the connection could not be held up anyway.
    if (queue.size >= capacity || queue.bytes >= capacityBytes) onFull();
    const queued = { queue_size: queue.size, queue_capacity: capacity };
    for (const [cause, count] of burst.dropped) {
      metrics.counter(dropAttribute(cause)).value += count;
      const total = metrics.read('MessagesDropped');
      if (cause === 'unsupported_frame') log('unsupported_frame', { count, messages_dropped_total: total });
      else {
        const fields = { reason: cause, count, ...queued, messages_dropped_total: total };
        log('message_dropped', fields, 'Queue full, dropping message');
      }
      emit({ type: 'dropped', cause, count });
    }
    const percent = (queue.size * 100) / capacity;
    if (percent > HIGH_UTILIZATION)
      log('queue_high_utilization', { ...queued, utilization_percent: percent });
  }
}
