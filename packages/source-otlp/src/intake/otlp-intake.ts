import type { EventLog } from '@levada/connect-runtime-core';
import { reportDropped } from '@levada/connect-runtime-core/source-kit';
import { freeMemory } from '../http2/frames/free-memory.ts';
import { type otlpEvents, signalEvents } from '../model/events.ts';
import type { OtlpContext } from '../model/metrics.ts';
import type { PreparedExport } from '../model/prepared-export.ts';
import type { Stamp } from '../model/queued-export.ts';
import type { SignalName } from '../model/signals.ts';
import { type Addition, estimateRoom } from '../queue/export-queue.ts';
import type { NeededRoom, WaitEnd } from '../queue/room-waits.ts';
import type { SignalQueue } from '../queue/signal-queue.ts';
import type {
  BodyForm,
  ExportIntake,
  ExportRequest,
  RequestHead,
} from '../receive/admission/export-intake.ts';
import {
  type Acceptance,
  type ExportOutcome,
  type Refusal,
  refuse,
} from '../receive/admission/export-outcome.ts';
import { acceptPrepared, joinAcceptances } from './accept-prepared.ts';
import { clientGone, type ExportAdmission } from './export-admission.ts';
import {
  estimateBytes,
  type Preparation,
  prepareExport,
  type RequestBody,
  refuseInvalid,
} from './prepare-export.ts';

export interface OtlpIntakeOptions {
  readonly admission: ExportAdmission;
  readonly preparation: Preparation;
  readonly queues: ReadonlyMap<SignalName, SignalQueue>;
  readonly context: Pick<OtlpContext, 'clock' | 'emit' | 'metrics'>;
  readonly log: EventLog<typeof otlpEvents>;
}

const faulty = refuse('unavailable', 'the export could not be handled');

/** Where the receivers of a task bring their requests. */
export class OtlpIntake implements ExportIntake {
  readonly #options: OtlpIntakeOptions;

  constructor(options: OtlpIntakeOptions) {
    this.#options = options;
  }

  admit(head: RequestHead): ExportRequest | Refusal {
    const { admission, queues } = this.#options;
    const queue = queues.get(head.signal) as SignalQueue;
    return admission.enter(head, queue) ?? new AdmittedRequest(this.#options, head, queue);
  }

  countRefusal(refusal: Refusal): void {
    this.#options.admission.count(refusal, undefined);
  }
}

/** One request on its way: its body becomes a {@link PreparedExport}, whose parts become queued exports. */
class AdmittedRequest implements ExportRequest {
  readonly #options: OtlpIntakeOptions;
  readonly #head: RequestHead;
  readonly #queue: SignalQueue;
  /** Monotonic time at which the client gives up. */
  #dueAt: number | undefined;
  #reservedBytes = 0;
  /**
   * `new`: it comes after the requests that wait for room. `known`: it came before them, and waits only if there is no room for it.
   * `late`: it waited as long as it may, and does not wait again.
   */
  #turn: 'new' | 'known' | 'late' = 'new';
  #cancelWait: (() => void) | undefined;

  constructor(options: OtlpIntakeOptions, head: RequestHead, queue: SignalQueue) {
    const { timeoutMs } = head;
    this.#options = options;
    this.#head = head;
    this.#queue = queue;
    this.#dueAt = timeoutMs === undefined ? undefined : options.context.clock.monotonic() + timeoutMs;
  }

  reserve(bytes: number): boolean {
    const more = bytes - this.#reservedBytes;
    if (more <= 0) return true;
    if (!this.#options.admission.reserve(this.#head, more)) return false;
    this.#reservedBytes = bytes;
    return true;
  }

  waitForRoom(): Promise<Refusal | undefined> | undefined {
    const { admission } = this.#options;
    const { declaredBytes = 1 } = this.#head;
    const { requestMs } = admission.settings;
    const timeoutMs = Math.min(this.#timeLeftMs() ?? requestMs, requestMs);
    const held =
      declaredBytes === 0 ? undefined : this.#hold({ exports: 1, bytes: declaredBytes }, timeoutMs);
    this.#turn = 'known';
    return held?.then((end) =>
      end === 'gone' ? clientGone : admission.refuseUnread(this.#head, this.#queue),
    );
  }

  submit(bytes: Uint8Array, form: BodyForm): ExportOutcome | Promise<ExportOutcome> {
    try {
      const outcome = this.#prepareWithRoom({ signal: this.#head.signal, bytes, form });
      if (!(outcome instanceof Promise)) return this.#count(outcome);
      return outcome.then(
        (later) => this.#count(later),
        (thrown) => this.#fail(thrown),
      );
    } catch (thrown) {
      return this.#fail(thrown);
    }
  }

  release(): void {
    this.#cancelWait?.();
    this.#options.admission.leave(this.#head, this.#queue, this.#reservedBytes);
  }

  #prepareWithRoom(body: RequestBody): ExportOutcome | Promise<ExportOutcome> {
    const isEmpty = body.bytes.length === 0;
    const held = isEmpty ? undefined : this.#hold({ exports: 1, bytes: estimateBytes(body) });
    if (held === undefined) return this.#prepare(body);
    return held.then((end) => (end === 'gone' ? clientGone : this.#prepareWithRoom(body)));
  }

  #prepare(body: RequestBody): ExportOutcome | Promise<ExportOutcome> {
    const { admission, preparation } = this.#options;
    const { settings } = admission;
    // Nothing is made of a body that would be dropped anyway: a full queue is when there is no time to lose.
    const turnedAway = admission.turnAway(this.#queue, body);
    if (turnedAway !== undefined) return turnedAway;
    let prepared: PreparedExport;
    try {
      prepared = prepareExport(preparation, body, { settings, ready: this.#queue.input.readyValues });
    } catch (thrown) {
      return refuseInvalid(thrown);
    }
    if (prepared.parts.length === 0 && prepared.oversized === 0) return admission.acceptEmpty();
    // The value was written, and has memory of its own.
    if (prepared.ready !== undefined) freeMemory(body.bytes);
    return this.#receive(prepared);
  }

  #receive(prepared: PreparedExport): ExportOutcome | Promise<ExportOutcome> {
    const { context, log, admission } = this.#options;
    const { signal, transport, metadata } = this.#head;
    const { counts } = this.#queue;
    const { topics, form } = admission.settings;
    counts.lastReceivedAt = context.clock.monotonic();
    log(signalEvents[signal].received, { transport, [signalEvents[signal].items]: prepared.items });
    if (prepared.parts.length > 0) {
      const receivedAt = context.clock.now();
      return this.#enqueue(prepared, { signal, topic: topics[signal], form, receivedAt, metadata });
    }
    // No part of it is small enough: it counts as one export, which is dropped.
    counts.takeNumber();
    counts.countReceived(1, prepared.items);
    reportDropped(context, 'record_too_large');
    return this.#accept(prepared);
  }

  #enqueue(prepared: PreparedExport, stamp: Stamp): ExportOutcome | Promise<ExportOutcome> {
    const held = this.#hold(estimateRoom(prepared, stamp));
    if (held !== undefined) {
      return held.then((end) => {
        if (end !== 'gone') return this.#enqueue(prepared, stamp);
        prepared.ready?.release?.();
        return clientGone;
      });
    }
    const addition = this.#queue.input.add(prepared, { stamp, timeoutMs: this.#timeLeftMs() });
    return addition instanceof Promise
      ? addition.then((later) => this.#answer(later, prepared))
      : this.#answer(addition, prepared);
  }

  /** The answer, with the items that were rejected before the queue and after it. */
  #answer(addition: Addition, prepared: PreparedExport): ExportOutcome {
    const { parts, items } = prepared;
    const queue = this.#queue;
    if (addition === 'full') return this.#options.admission.drop(queue, { exports: parts.length, items });
    if (addition.kind === 'refused') return addition;
    queue.counts.itemsRejected.value += addition.partial?.rejected ?? 0;
    return joinAcceptances(addition, this.#accept(prepared));
  }

  #accept(prepared: PreparedExport): Acceptance {
    const { context, log, admission } = this.#options;
    const { maxRecordBytes } = admission.settings;
    return acceptPrepared(prepared, {
      counts: this.#queue.counts,
      metrics: context.metrics,
      log,
      maxRecordBytes,
    });
  }

  /** Waits for room, unless there is some, or the request must not wait. Never rejects. */
  #hold(need: NeededRoom, timeoutMs = this.#timeLeftMs()): Promise<WaitEnd> | undefined {
    if (this.#turn === 'late') return undefined;
    const { admission, context } = this.#options;
    const wait = admission.hold(this.#queue.input, need, { timeoutMs, again: this.#turn === 'known' });
    if (wait === undefined) return undefined;
    // Of what it may wait in all, this wait is a part.
    this.#dueAt ??= context.clock.monotonic() + admission.settings.maxHoldMs;
    this.#cancelWait = () => wait.cancel();
    return wait.ended.then((end) => {
      this.#turn = end === 'late' ? 'late' : 'known';
      return end;
    });
  }

  /** Milliseconds until the client gives up; undefined if it did not say so and has not waited yet. */
  #timeLeftMs(): number | undefined {
    if (this.#dueAt === undefined) return undefined;
    return Math.max(0, this.#dueAt - this.#options.context.clock.monotonic());
  }

  /** A fault of ours: the client may send it again, and one export does not end the task. */
  #fail(thrown: unknown): Refusal {
    const { log, admission } = this.#options;
    const error = thrown instanceof Error ? thrown.message : String(thrown);
    log('receiver_error', { protocol: this.#head.transport, error });
    return admission.count(faulty, this.#head);
  }

  #count(outcome: ExportOutcome): ExportOutcome {
    return outcome.kind === 'refused' ? this.#options.admission.count(outcome, this.#head) : outcome;
  }
}
