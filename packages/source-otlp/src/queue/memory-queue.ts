import type { Clock, EventLog } from '@levada/connect-runtime-core';
import { BoundedQueue, HIGH_UTILIZATION } from '@levada/connect-runtime-core/source-kit';
import type { PlainExports } from '../export/plain-exports.ts';
import type { otlpEvents } from '../model/events.ts';
import type { PreparedExport } from '../model/prepared-export.ts';
import type { QueuedExport } from '../model/queued-export.ts';
import { metadataBytes } from '../model/request-metadata.ts';
import { accepted, refuse } from '../receive/admission/export-outcome.ts';
import type { AckWaits } from './ack-waits.ts';
import {
  type Addition,
  type ExportQueue,
  estimateRoom,
  numberParts,
  type QueueEntry,
} from './export-queue.ts';
import { ReadyValues } from './ready-values.ts';
import {
  type HoldLimits,
  type NeededRoom,
  type RoomWait,
  RoomWaits,
  type RoomWaitsOptions,
} from './room-waits.ts';
import type { SignalCounts } from './signal-counts.ts';

export interface MemoryQueueOptions {
  readonly counts: SignalCounts;
  readonly bounds: { readonly capacity: number; readonly capacityBytes: number };
  /** Present with `otlp.ack.mode=produced`: clients wait for the log. */
  readonly ackWaits: AckWaits | undefined;
  /** Writes values at receipt. Undefined where there is no WebAssembly: requests are queued as they are. */
  readonly plain: PlainExports | undefined;
  readonly holds: Pick<RoomWaitsOptions, 'throttledUntil' | 'onChange' | 'onGraceOver'>;
  readonly clock: Clock;
  readonly log: EventLog<typeof otlpEvents>;
}

/** Exports in memory. Requests wait for room while it is full, and with `otlp.ack.mode=produced` clients wait for the log. */
export class MemoryQueue implements ExportQueue {
  readonly isDurable = false;
  readonly readyValues: ReadyValues | undefined;
  onAdded: (() => void) | undefined;
  readonly #options: MemoryQueueOptions;
  readonly #queue: BoundedQueue<QueuedExport>;
  readonly #room: RoomWaits;

  constructor(options: MemoryQueueOptions) {
    const { counts, bounds, plain, holds, clock } = options;
    this.#options = options;
    this.#queue = new BoundedQueue<QueuedExport>(bounds);
    const hasRoom = (bytes: number): boolean => this.#refusal({ exports: 1, bytes }) === undefined;
    this.readyValues = plain && new ReadyValues({ plain, signal: counts.signal, hasRoom });
    this.#room = new RoomWaits({ ...holds, clock, refusal: (need) => this.#refusal(need) });
  }

  get size(): number {
    return this.#queue.size;
  }

  get bytes(): number {
    return this.#queue.bytes;
  }

  get capacity(): number {
    return this.#queue.capacity;
  }

  /** Requests that wait for room. */
  get heldRequests(): number {
    return this.#room.size;
  }

  get isStalled(): boolean {
    return this.#options.ackWaits?.isStalled === true;
  }

  isFull(bytes: number): boolean {
    const refusal = this.#refusal({ exports: 1, bytes });
    return refusal === 'queue_full' || refusal === 'queue_bytes';
  }

  canHoldRequests(graceMs: number): boolean {
    return this.#room.canHold(graceMs);
  }

  waitForRoom(need: NeededRoom, limits: HoldLimits): RoomWait | undefined {
    const refusal = this.#refusal(need);
    const mayPass = refusal === undefined && (limits.again || this.#room.size === 0);
    return mayPass || refusal === 'never' ? undefined : this.#room.wait(need, limits);
  }

  offerRoom(): void {
    this.#room.letIn();
  }

  add(prepared: PreparedExport, { stamp, timeoutMs }: QueueEntry): Addition | Promise<Addition> {
    const { counts, ackWaits } = this.#options;
    const { parts, ready } = prepared;
    const need = estimateRoom(prepared, stamp);
    const refusal = this.#refusal(need);
    if (refusal !== undefined) ready?.release?.();
    if (refusal === 'never') return refuseForGood(need);
    const waiter = refusal === undefined ? ackWaits?.begin(parts.length, timeoutMs) : undefined;
    const exports = numberParts(prepared, stamp, { counts, waiter });
    if (refusal !== undefined) return 'full';
    counts.countReceived(exports.length, prepared.items);
    const more = metadataBytes(stamp.metadata);
    for (const one of exports) this.#queue.offer(one, one.value.length + more);
    this.onAdded?.();
    this.#logUtilization();
    return waiter === undefined ? accepted : waiter.outcome;
  }

  async take(max: number, maxBytes: number): Promise<readonly QueuedExport[]> {
    if (this.#queue.size === 0) return [];
    const taken = await this.#queue.take(max, maxBytes);
    this.#room.offerFreed();
    return taken;
  }

  resize(capacity: number): void {
    this.#queue.resize(capacity);
    this.#room.offerFreed();
  }

  /** Lets go the requests that wait for room, and holds no more of them. */
  stopHolding(): void {
    this.#room.close();
  }

  /** Answers the clients that wait for the log: nothing more will be settled. */
  abandonWaits(): void {
    this.#options.ackWaits?.abandon();
  }

  /** Why so much cannot be queued together, now or ever. */
  #refusal({ exports, bytes }: NeededRoom): 'queue_full' | 'queue_bytes' | 'never' | undefined {
    const { capacityBytes } = this.#options.bounds;
    const queue = this.#queue;
    if (exports > queue.capacity || bytes > capacityBytes) return 'never';
    if (queue.size + exports > queue.capacity) return 'queue_full';
    return queue.bytes + bytes > capacityBytes ? 'queue_bytes' : undefined;
  }

  #logUtilization(): void {
    const { counts, log } = this.#options;
    const { size, capacity } = this.#queue;
    const percent = (size * 100) / capacity;
    if (percent <= HIGH_UTILIZATION) return;
    log('queue_high_utilization', {
      signal: counts.signal,
      queue_size: size,
      queue_capacity: capacity,
      utilization_percent: percent,
    });
  }
}

function refuseForGood({ exports, bytes }: NeededRoom): Addition {
  const limits = 'otlp.message.queue.size or otlp.message.queue.bytes';
  return refuse('too_large', `${exports} records of ${bytes} bytes are more than ${limits} allow`);
}
