import type { Clock, MetricGroup } from '@levada/connect-runtime-core';
import type { BoundedQueue, Counter } from '@levada/connect-runtime-core/source-kit';
import type { PlainExports } from '../export/plain-exports.ts';
import { type otlpMetrics, signalAttributes } from '../model/metrics.ts';
import type { SignalName } from '../model/signals.ts';
import type { WaitingExport } from '../model/waiting-export.ts';
import type { Spool } from '../spool/spool.ts';
import { spooledExport } from '../spool/spooled-export.ts';
import type { AckWaits } from './ack-waits.ts';
import { ReadyValues } from './ready-values.ts';
import { RoomWaits } from './room-waits.ts';

/** What one signal counts. */
export interface LaneCounters {
  readonly received: Counter;
  readonly dropped: Counter;
  readonly items: Counter;
  readonly itemsRejected: Counter;
}

export interface SignalLaneOptions {
  readonly signal: SignalName;
  readonly clock: Clock;
  readonly metrics: MetricGroup<typeof otlpMetrics>;
  readonly queue: BoundedQueue<WaitingExport>;
  /** Most bytes of the queue. */
  readonly capacityBytes: number;
  /** Where messages lie on the disk; undefined without a spool. */
  readonly spool: Spool | undefined;
  /** So many messages of the spool turned out to be damaged when they were to be taken. */
  readonly onDamaged: (messages: number) => void;
  /** Present with `otlp.ack.mode=produced`: clients wait for the log. */
  readonly waits: AckWaits | undefined;
  /** Makes values at receipt; undefined: that is not possible here. */
  readonly plain: PlainExports | undefined;
  /** See `TaskContext.throttledUntil`. */
  readonly throttledUntil?: (() => number | undefined) | undefined;
  /** Requests begin to wait for room in the queue, or none waits any more. */
  readonly onHeldChange: () => void;
  /** The log took nothing out of the full queue for so long that requests wait no longer. */
  readonly onGraceOver: (graceMs: number) => void;
  /** Number of the last message of an earlier run. */
  readonly sequence: number;
}

/** What one signal has of its own, from its receivers to poll: counters, sequence, the one buffer, and who waits for the log. */
export class SignalLane {
  readonly signal: SignalName;
  readonly counters: LaneCounters;
  readonly queue: BoundedQueue<WaitingExport>;
  readonly spool: Spool | undefined;
  readonly waits: AckWaits | undefined;
  /** Values that are made at receipt; undefined: none are. */
  readonly ready: ReadyValues | undefined;
  /** Requests that are held while the queue is full. */
  readonly room: RoomWaits;
  readonly #capacityBytes: number;
  readonly #onDamaged: (messages: number) => void;
  #sequence: number;

  constructor(options: SignalLaneOptions) {
    const { signal, clock, metrics, queue, capacityBytes, spool, waits, plain, sequence } = options;
    const names = signalAttributes[signal];
    this.signal = signal;
    this.counters = {
      received: metrics.counter(names.received),
      dropped: metrics.counter(names.dropped),
      items: metrics.counter(names.items),
      itemsRejected: metrics.counter(names.itemsRejected),
    };
    this.queue = queue;
    this.#capacityBytes = capacityBytes;
    this.spool = spool;
    this.waits = waits;
    const hasRoom = (bytes: number): boolean => this.refusal(1, bytes) === undefined;
    this.ready = plain && new ReadyValues({ plain, signal, hasRoom });
    this.room = new RoomWaits({
      clock,
      refusal: ({ messages, bytes }) => this.refusal(messages, bytes),
      throttledUntil: options.throttledUntil,
      onChange: options.onHeldChange,
      onGraceOver: options.onGraceOver,
    });
    this.#onDamaged = options.onDamaged;
    this.#sequence = sequence;
  }

  /** Number of the last message that got one. */
  get sequence(): number {
    return this.#sequence;
  }

  /** Messages that wait for poll. */
  get size(): number {
    return this.queue.size + (this.spool?.size ?? 0);
  }

  /** Why so many messages cannot be queued together, now or ever; undefined when they can. */
  refusal(messages: number, bytes: number): 'queue_full' | 'queue_bytes' | 'never' | undefined {
    const { queue } = this;
    if (messages > queue.capacity || bytes > this.#capacityBytes) return 'never';
    if (queue.size + messages > queue.capacity) return 'queue_full';
    return queue.bytes + bytes > this.#capacityBytes ? 'queue_bytes' : undefined;
  }

  /** The next messages of the spool; none when there is none. Rejects when it cannot be read. */
  async takeSpooled(max: number, maxBytes: number): Promise<readonly WaitingExport[]> {
    const { signal, spool } = this;
    if (spool === undefined) return [];
    const before = spool.damagedEntries;
    try {
      const entries = await spool.take(max, maxBytes);
      return entries.map((entry) => spooledExport(signal, entry));
    } finally {
      if (spool.damagedEntries > before) this.#onDamaged(spool.damagedEntries - before);
    }
  }

  /** Counts messages, dropped ones included, and the items that their client sent in them. */
  countReceived(messages: number, items: number): void {
    this.counters.received.value += messages;
    this.counters.items.value += items;
  }

  /** The number of the next message; a message that is dropped has one, too. */
  next(): number {
    this.#sequence += 1;
    return this.#sequence;
  }
}
