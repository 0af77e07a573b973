import type { Clock, EventLog, MetricGroup, SourceEvent } from '@levada/connect-runtime-core';
import { HIGH_UTILIZATION, reportDropped } from '@levada/connect-runtime-core/source-kit';
import { ConversionError } from '@levada/protobuf-tables';
import type { LiveSettings } from '../config/live-settings.ts';
import { InvalidExport } from '../export/check-export.ts';
import { MAX_ANY_VALUES } from '../export/export-rules.ts';
import { freeMemory } from '../http2/frames/free-memory.ts';
import { type otlpEvents, signalEvents } from '../model/events.ts';
import type { otlpMetrics } from '../model/metrics.ts';
import { metadataBytes } from '../model/request-metadata.ts';
import type { SignalName } from '../model/signals.ts';
import type { Stamp } from '../model/waiting-export.ts';
import type { BodyForm, RequestHead } from '../receive/admission/export-intake.ts';
import {
  type Acceptance,
  accepted,
  type ExportOutcome,
  type Refusal,
  refused,
} from '../receive/admission/export-outcome.ts';
import { answerTime } from './answer-time.ts';
import { bytesOf, messagesOf, releaseValues } from './export-messages.ts';
import {
  itemsOfBody,
  type Preparation,
  type PreparedExport,
  prepareExport,
  type ReceivedBody,
} from './prepare-export.ts';
import { clientGone, LookBudget, queueFull } from './queue-full.ts';
import type { NeededRoom, RoomWait, WaitEnd } from './room-waits.ts';
import type { SignalLane } from './signal-lane.ts';
import type { SpoolWrites } from './spool-writes.ts';

export interface ExportTakerOptions {
  readonly lanes: ReadonlyMap<SignalName, SignalLane>;
  readonly preparation: Preparation;
  readonly settings: LiveSettings;
  /** Present with `otlp.ack.mode=spool`: messages go to the disk. */
  readonly spoolWrites: SpoolWrites | undefined;
  readonly metrics: MetricGroup<typeof otlpMetrics>;
  readonly clock: Clock;
  readonly log: EventLog<typeof otlpEvents>;
  readonly emit: (event: SourceEvent) => void;
  /** Messages were queued. */
  readonly onQueued: () => void;
}

/** A request that was admitted. */
export interface Arrival {
  readonly head: RequestHead;
  /**
   * `new`: it comes after those that wait. `known`: it came before them, and waits only where it has no room. `late`: it waited
   * for as long as it may, and is not held again.
   */
  readonly turn: 'new' | 'known' | 'late';
  /** The request is held now: called with what ends that when its client is gone. */
  readonly onHeld: (release: () => void) => void;
}

/** An export on its way into its lane. */
interface Taking {
  readonly lane: SignalLane;
  readonly arrival: Arrival;
  readonly prepared: PreparedExport;
  readonly stamp: Stamp;
}

/** Most bytes of request headers on the messages of one export in the spool, where each message has them: a small export has many messages. */
const MAX_SPOOLED_HEADER_BYTES = 16 * 1024 * 1024;

const notAnswering = refused('unavailable', 'the log does not acknowledge');

/** Makes messages of exports and puts them into their lanes, all messages of an export or none. Counts each once. */
export class ExportTaker {
  /** Applies to later exports. */
  settings: LiveSettings;
  /** Monotonic time of the last export; undefined before the first. */
  lastMessageAt: number | undefined;
  readonly #options: ExportTakerOptions;
  readonly #looks = new LookBudget();

  constructor(options: ExportTakerOptions) {
    this.#options = options;
    this.settings = options.settings;
  }

  /** Holds a request whose body is not read yet. Undefined: it may be read. See `Admission.untilRoom`. */
  hold(arrival: Arrival): Promise<WaitEnd> | undefined {
    const { head } = arrival;
    const { requestMs } = this.settings;
    const { declaredBytes = 1, timeoutMs = requestMs } = head;
    if (declaredBytes === 0) return undefined;
    const inTime = { ...arrival, head: { ...head, timeoutMs: Math.min(timeoutMs, requestMs) } };
    return this.#hold(this.#laneOf(head), inTime, { messages: 1, bytes: declaredBytes });
  }

  /**
   * Refuses a request whose body is not read yet, when nothing can be taken and the body would not be looked at: nothing is read
   * of what would only be thrown away.
   */
  refuseUnread(head: RequestHead): Refusal | undefined {
    const { declaredBytes = 1 } = head;
    const lane = this.#laneOf(head);
    if (lane.room.holds(this.settings.fullGraceMs)) return undefined;
    if (this.settings.fullAnswer !== 'refuse' || this.#looks.has(this.#options.clock.monotonic()))
      return undefined;
    if (lane.waits?.stalled === true) return notAnswering;
    if (!this.#full(lane, declaredBytes)) return undefined;
    lane.next();
    this.#drop(lane, { messages: 1, items: 0 });
    return queueFull;
  }

  /** See `Admission.take`. */
  take(arrival: Arrival, body: Uint8Array, form: BodyForm): ExportOutcome | Promise<ExportOutcome> {
    const { signal } = arrival.head;
    return this.#takeWithRoom(this.#laneOf(arrival.head), arrival, { signal, bytes: body, form });
  }

  #takeWithRoom(
    lane: SignalLane,
    arrival: Arrival,
    received: ReceivedBody,
  ): ExportOutcome | Promise<ExportOutcome> {
    const { length } = received.bytes;
    // Messages take about as many bytes as the protobuf that they came in.
    const bytes = received.form === 'protobuf' ? length : 1;
    const held = length === 0 ? undefined : this.#hold(lane, arrival, { messages: 1, bytes });
    if (held === undefined) return this.#take(lane, arrival, received);
    return this.#after(held, arrival, (later) => this.#takeWithRoom(lane, later, received));
  }

  /** A request is over: it may have left its room to others. */
  over(head: RequestHead): void {
    this.#laneOf(head).room.letIn();
  }

  /** The outcome of an export that was held before. */
  async #after(
    held: Promise<WaitEnd>,
    arrival: Arrival,
    then: (later: Arrival) => ExportOutcome | Promise<ExportOutcome>,
  ): Promise<ExportOutcome> {
    const { clock } = this.#options;
    const { timeoutMs = this.settings.maxHoldMs } = arrival.head;
    const since = clock.monotonic();
    const end = await held;
    if (end === 'gone') return clientGone;
    const left = Math.max(0, timeoutMs - (clock.monotonic() - since));
    const turn = end === 'late' ? 'late' : 'known';
    return then({ ...arrival, turn, head: { ...arrival.head, timeoutMs: left } });
  }

  /** Holds a request for which its queue has no room, or for which others wait. Undefined: it has, or nothing is held. */
  #hold(lane: SignalLane, { head, turn, onHeld }: Arrival, need: NeededRoom): Promise<WaitEnd> | undefined {
    const { fullGraceMs, maxHoldMs } = this.settings;
    if (turn === 'late' || this.#options.spoolWrites !== undefined || lane.waits?.stalled === true)
      return undefined;
    const refusal = lane.refusal(need.messages, need.bytes);
    const mayPass = refusal === undefined && (turn === 'known' || lane.room.size === 0);
    if (mayPass || refusal === 'never') return undefined;
    const mostMs = answerTime(maxHoldMs, head.timeoutMs);
    const limits = { graceMs: fullGraceMs, mostMs, again: turn === 'known' };
    const wait: RoomWait | undefined = lane.room.wait(need, limits);
    if (wait !== undefined) onHeld(() => wait.cancel());
    return wait?.ended;
  }

  #laneOf({ signal }: RequestHead): SignalLane {
    return this.#options.lanes.get(signal) as SignalLane;
  }

  #take(lane: SignalLane, arrival: Arrival, received: ReceivedBody): ExportOutcome | Promise<ExportOutcome> {
    const { preparation } = this.#options;
    const { settings } = this;
    // Nothing is made of a body that would be dropped anyway: a full queue is when there is no time to lose.
    const bytes = received.form === 'protobuf' ? received.bytes.length : 1;
    const isFull = settings.fullAnswer === 'refuse' && this.#full(lane, bytes);
    if (isFull || lane.waits?.stalled === true) return this.#turnAway(lane, received, isFull);
    let prepared: PreparedExport;
    try {
      const ready = this.#options.spoolWrites === undefined ? lane.ready : undefined;
      prepared = prepareExport(preparation, received, { settings, ready });
    } catch (thrown) {
      return invalidBody(thrown);
    }
    if (prepared.parts.length === 0 && prepared.oversized === 0) return this.#nothing();
    // The value was made, and has memory of its own.
    if (prepared.parts[0]?.ready !== undefined) freeMemory(received.bytes);
    return this.#takePrepared(lane, arrival, prepared);
  }

  /**
   * Refuses an export that arrives while nothing can be taken. A client must not retry one that is invalid or has nothing to
   * record: such exports are answered accordingly while the budget for looking at bodies lasts.
   */
  #turnAway(lane: SignalLane, body: ReceivedBody, isFull: boolean): ExportOutcome {
    const { preparation, clock } = this.#options;
    let items: number | undefined = 0;
    if (this.#looks.take(body.bytes.length, clock.monotonic())) {
      try {
        items = itemsOfBody(preparation, body, this.settings);
      } catch (thrown) {
        return invalidBody(thrown);
      }
    }
    if (items === undefined) return this.#nothing();
    if (!isFull) return notAnswering;
    lane.next();
    return this.#drop(lane, { messages: 1, items });
  }

  /** The answer to an export in which there is nothing to record. */
  #nothing(): Acceptance {
    this.#options.metrics.counter('EmptyIgnored').value += 1;
    return accepted;
  }

  #takePrepared(
    lane: SignalLane,
    arrival: Arrival,
    prepared: PreparedExport,
  ): ExportOutcome | Promise<ExportOutcome> {
    const { clock, log, spoolWrites } = this.#options;
    const { head } = arrival;
    const { signal } = head;
    const { topics, form } = this.settings;
    this.lastMessageAt = clock.monotonic();
    log(signalEvents[signal].received, {
      transport: head.transport,
      [signalEvents[signal].items]: prepared.items,
    });
    if (prepared.parts.length === 0) return this.#tooLarge(lane, prepared);
    const stamp = { signal, topic: topics[signal], form, receivedAt: clock.now(), metadata: head.metadata };
    const taking: Taking = { lane, arrival, prepared, stamp };
    return spoolWrites === undefined ? this.#queue(taking) : this.#spool(taking, spoolWrites);
  }

  /** Whether there is no room for a message of so many bytes. */
  #full(lane: SignalLane, bytes: number): boolean {
    if (this.#options.spoolWrites !== undefined) return lane.spool?.full(1) === true;
    const refusal = lane.refusal(1, bytes);
    return refusal === 'queue_full' || refusal === 'queue_bytes';
  }

  #queue(taking: Taking): ExportOutcome | Promise<ExportOutcome> {
    const { lane, arrival, prepared, stamp } = taking;
    const { parts, items } = prepared;
    const more = metadataBytes(stamp.metadata);
    const bytes = bytesOf(parts) + more * parts.length;
    const refusal = lane.refusal(parts.length, bytes);
    if (refusal === 'never') {
      releaseValues(parts);
      const limits = 'otlp.message.queue.size or otlp.message.queue.bytes';
      return refused('too_large', `${parts.length} records of ${bytes} bytes are more than ${limits} allow`);
    }
    const held = this.#hold(lane, arrival, { messages: parts.length, bytes });
    if (held !== undefined) {
      void held.then((end) => end === 'gone' && releaseValues(parts));
      return this.#after(held, arrival, (later) => this.#queue({ ...taking, arrival: later }));
    }
    const { timeoutMs } = arrival.head;
    const waiter = refusal === undefined ? lane.waits?.begin(parts.length, timeoutMs) : undefined;
    const messages = messagesOf(parts, { lane, stamp, waiter });
    if (refusal !== undefined) {
      releaseValues(parts);
      return this.#drop(lane, { messages: messages.length, items });
    }
    lane.countReceived(messages.length, items);
    for (const message of messages) lane.queue.offer(message, message.value.length + more);
    this.#options.onQueued();
    this.#logUtilization(lane);
    if (waiter === undefined) return this.#acceptance(lane, prepared);
    return waiter.outcome.then((settled) => this.#settled(settled, lane, prepared));
  }

  async #spool({ lane, arrival, prepared, stamp }: Taking, writes: SpoolWrites): Promise<ExportOutcome> {
    const { parts, items } = prepared;
    const headerBytes = metadataBytes(stamp.metadata) * parts.length;
    if (headerBytes > MAX_SPOOLED_HEADER_BYTES) {
      const message = `its request headers take ${headerBytes} bytes on ${parts.length} records, ${MAX_SPOOLED_HEADER_BYTES} are allowed`;
      return refused('too_large', message);
    }
    const messages = messagesOf(parts, { lane, stamp, waiter: undefined });
    const outcome = await writes.write(lane, { messages, items }, arrival.head.timeoutMs);
    if (outcome === 'full') return this.#drop(lane, { messages: messages.length, items });
    return outcome === 'kept' ? this.#acceptance(lane, prepared) : outcome;
  }

  /** What the log said of the messages, and what was rejected before, together. */
  #settled(outcome: ExportOutcome, lane: SignalLane, prepared: PreparedExport): ExportOutcome {
    if (outcome.kind === 'refused') return outcome;
    lane.counters.itemsRejected.value += outcome.partial?.rejected ?? 0;
    return joined(outcome, this.#acceptance(lane, prepared));
  }

  /** The answer to an export whose messages are in their lane. */
  #acceptance(lane: SignalLane, { oversized, empty, cutValues }: PreparedExport): Acceptance {
    if (empty > 0) this.#options.metrics.counter('EmptyIgnored').value += empty;
    const whole = cutValues === 0 ? accepted : this.#cut(lane, cutValues);
    if (oversized === 0) return whole;
    const { maxRecordBytes } = this.settings;
    lane.counters.itemsRejected.value += oversized;
    this.#options.log('items_rejected', { signal: lane.signal, count: oversized, max_bytes: maxRecordBytes });
    const message = `larger than a record may be (${maxRecordBytes} bytes)`;
    return joined({ kind: 'accepted', partial: { rejected: oversized, message } }, whole);
  }

  /** Nothing is rejected: OTLP has a message without a count for information that clients should have anyway. */
  #cut({ signal }: SignalLane, count: number): Acceptance {
    const { metrics, log } = this.#options;
    metrics.counter('ValuesCut').value += count;
    log('values_cut', { signal, count, max_depth: MAX_ANY_VALUES });
    const message = `values nested deeper than ${MAX_ANY_VALUES} AnyValues were left empty: ${count}`;
    return { kind: 'accepted', partial: { rejected: 0, message } };
  }

  /** No part of it is small enough: it is one message, which is dropped. */
  #tooLarge(lane: SignalLane, prepared: PreparedExport): ExportOutcome {
    lane.next();
    lane.countReceived(1, prepared.items);
    reportDropped(this.#options, 'record_too_large');
    return this.#acceptance(lane, prepared);
  }

  /** The messages, whose numbers are given, are received and dropped. */
  #drop(lane: SignalLane, { messages, items }: { messages: number; items: number }): ExportOutcome {
    const { log, emit } = this.#options;
    const { fullAnswer } = this.settings;
    const { dropped, itemsRejected } = lane.counters;
    lane.countReceived(messages, items);
    dropped.value += messages;
    log(
      signalEvents[lane.signal].dropped,
      {
        reason: 'queue_full',
        answer: fullAnswer,
        queue_size: lane.size,
        queue_capacity: lane.queue.capacity,
        messages_dropped_total: dropped.value,
      },
      'Queue full, dropping message',
    );
    const refused = fullAnswer === 'refuse';
    emit({ type: 'dropped', cause: 'queue_full', count: messages, refused });
    if (refused) return queueFull;
    itemsRejected.value += items;
    return { kind: 'accepted', partial: { rejected: items, message: 'queue full' } };
  }

  #logUtilization({ signal, queue }: SignalLane): void {
    const percent = (queue.size * 100) / queue.capacity;
    if (percent <= HIGH_UTILIZATION) return;
    this.#options.log('queue_high_utilization', {
      signal,
      queue_size: queue.size,
      queue_capacity: queue.capacity,
      utilization_percent: percent,
    });
  }
}

function joined(settled: Acceptance, before: Acceptance): Acceptance {
  if (before.partial === undefined) return settled;
  if (settled.partial === undefined) return before;
  const rejected = settled.partial.rejected + before.partial.rejected;
  return {
    kind: 'accepted',
    partial: { rejected, message: `${before.partial.message}; ${settled.partial.message}` },
  };
}

/** The answer to a body that could not be converted. Errors other than an invalid body are faults of the receiver. */
function invalidBody(thrown: unknown): Refusal {
  if (thrown instanceof InvalidExport) return refused('invalid', thrown.message);
  if (thrown instanceof ConversionError) return refused('invalid', thrown.message);
  throw thrown;
}
