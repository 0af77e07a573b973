import type { EventLog } from '@levada/connect-runtime-core';
import type { LiveSettings } from '../config/live-settings.ts';
import { type otlpEvents, signalEvents } from '../model/events.ts';
import type { OtlpContext } from '../model/metrics.ts';
import { answerTime } from '../queue/answer-time.ts';
import type { ExportQueue } from '../queue/export-queue.ts';
import type { NeededRoom, RoomWait } from '../queue/room-waits.ts';
import type { SignalQueue } from '../queue/signal-queue.ts';
import type { Access } from '../receive/admission/access.ts';
import type { RequestHead } from '../receive/admission/export-intake.ts';
import {
  accepted,
  type ExportOutcome,
  type Refusal,
  type RefusalReason,
  refuse,
} from '../receive/admission/export-outcome.ts';
import type { Entry, InFlight } from '../receive/admission/in-flight.ts';
import type { RateLimit } from '../receive/admission/rate-limit.ts';
import {
  countItems,
  estimateBytes,
  type Preparation,
  type RequestBody,
  refuseInvalid,
} from './prepare-export.ts';

export interface ExportAdmissionOptions {
  readonly access: Access;
  readonly rateLimit: RateLimit;
  readonly inFlight: InFlight;
  readonly settings: LiveSettings;
  readonly preparation: Preparation;
  readonly context: Pick<OtlpContext, 'clock' | 'emit' | 'metrics'>;
  readonly log: EventLog<typeof otlpEvents>;
}

/**
 * Bytes of bodies that are read in a second although nothing can be queued. To read JSON and check it takes up to 20 ns a byte,
 * so that a flood into full queues takes no more than a tenth of a core for it.
 */
const BYTES_PER_SECOND = 4 * 1024 * 1024;

/** Reason to the attribute that counts it. */
const rejectedAttributes = {
  invalid: 'RejectedInvalid',
  too_large: 'RejectedTooLarge',
  unauthenticated: 'RejectedUnauthenticated',
  forbidden: 'RejectedForbidden',
  unsupported: 'RejectedUnsupported',
  timeout: 'RejectedTimeout',
  rate_limited: 'RejectedRateLimited',
  unavailable: 'RejectedUnavailable',
} as const satisfies Readonly<Record<RefusalReason, string>>;

/** The end of a request whose client left while it waited for room. Never sent, and not counted: nothing of it was queued. */
export const clientGone: Refusal = refuse('unavailable', 'the client is gone');

/** Counted as received and dropped, and not as rejected. */
const queueFull = refuse('unavailable', 'queue full');
const stopping = refuse('unavailable', 'the receiver is stopping');
const tooMany = refuse('rate_limited', 'too many requests from this address');
const notAcknowledging = refuse('unavailable', 'the log does not acknowledge');

const entryRefusals = {
  entered: undefined,
  full: refuse('unavailable', 'too many requests are under way'),
  share: refuse('rate_limited', 'too many requests of this address are under way'),
} as const satisfies Readonly<Record<Entry, Refusal | undefined>>;

/** Decides whether requests may enter, whether they wait for room in their queue, and what is refused or dropped. Counts refusals. */
export class ExportAdmission {
  /** Applies to later requests. */
  settings: LiveSettings;
  readonly #options: ExportAdmissionOptions;
  readonly #looks = new LookBudget();
  #isStopping = false;

  constructor(options: ExportAdmissionOptions) {
    this.#options = options;
    this.settings = options.settings;
  }

  /** Refuses all requests from now on. */
  stop(): void {
    this.#isStopping = true;
  }

  /** Lets a request enter whose body is not read yet: undefined. It has to {@link leave}. */
  enter(head: RequestHead, queue: SignalQueue): Refusal | undefined {
    const refusal = this.#refuseHead(head);
    if (refusal !== undefined) return this.count(refusal, head);
    const unread = this.refuseUnread(head, queue);
    if (unread !== undefined) this.#options.inFlight.leave(head.peer, 0);
    return unread;
  }

  /** More memory for the body of a request that entered. */
  reserve({ peer }: RequestHead, moreBytes: number): boolean {
    return this.#options.inFlight.reserve(peer, moreBytes);
  }

  leave({ peer }: RequestHead, queue: SignalQueue, reservedBytes: number): void {
    this.#options.inFlight.leave(peer, reservedBytes);
    queue.input.offerRoom();
  }

  /**
   * Makes a request wait for room in its queue. Undefined: it need not wait, or must not. `again`: it waited before, and goes before
   * those that did not.
   */
  hold(
    queue: ExportQueue,
    need: NeededRoom,
    { timeoutMs, again }: { readonly timeoutMs: number | undefined; readonly again: boolean },
  ): RoomWait | undefined {
    if (queue.isStalled) return undefined;
    const { fullGraceMs, maxHoldMs } = this.settings;
    return queue.waitForRoom(need, {
      graceMs: fullGraceMs,
      mostMs: answerTime(maxHoldMs, timeoutMs),
      again,
    });
  }

  /**
   * Refuses a request whose body is not read yet, when nothing can be queued and the body would not be looked at: nothing is read
   * that would only be thrown away.
   */
  refuseUnread(head: RequestHead, queue: SignalQueue): Refusal | undefined {
    const { declaredBytes = 1 } = head;
    const { fullGraceMs, fullAnswer } = this.settings;
    const { input, counts } = queue;
    if (input.canHoldRequests(fullGraceMs)) return undefined;
    if (fullAnswer !== 'refuse' || this.#looks.hasLeft(this.#options.context.clock.monotonic()))
      return undefined;
    if (input.isStalled) return this.count(notAcknowledging, head);
    if (!input.isFull(declaredBytes)) return undefined;
    counts.takeNumber();
    this.drop(queue, { exports: 1, items: 0 });
    return queueFull;
  }

  /**
   * Turns away a body while nothing can be queued. Undefined: it may be prepared. A client must not send again what is invalid or has
   * nothing to record: such bodies get their own answer as long as the budget for looking at bodies lasts.
   */
  turnAway(queue: SignalQueue, body: RequestBody): ExportOutcome | undefined {
    const { input, counts } = queue;
    const isFull = this.settings.fullAnswer === 'refuse' && input.isFull(estimateBytes(body));
    if (!isFull && !input.isStalled) return undefined;
    const { preparation, context } = this.#options;
    let items: number | undefined = 0;
    if (this.#looks.spend(body.bytes.length, context.clock.monotonic())) {
      try {
        items = countItems(preparation, body, this.settings);
      } catch (thrown) {
        return refuseInvalid(thrown);
      }
    }
    if (items === undefined) return this.acceptEmpty();
    if (!isFull) return notAcknowledging;
    counts.takeNumber();
    return this.drop(queue, { exports: 1, items });
  }

  /** Drops exports that have their numbers already. */
  drop(queue: SignalQueue, { exports, items }: { exports: number; items: number }): ExportOutcome {
    const { log, context } = this.#options;
    const { fullAnswer } = this.settings;
    const { signal, counts } = queue;
    counts.countReceived(exports, items);
    counts.dropped.value += exports;
    log(
      signalEvents[signal].dropped,
      {
        reason: 'queue_full',
        answer: fullAnswer,
        queue_size: queue.size,
        queue_capacity: queue.memory.capacity,
        messages_dropped_total: counts.dropped.value,
      },
      'Queue full, dropping message',
    );
    const isRefused = fullAnswer === 'refuse';
    context.emit({ type: 'dropped', cause: 'queue_full', count: exports, refused: isRefused });
    if (isRefused) return queueFull;
    counts.itemsRejected.value += items;
    return { kind: 'accepted', partial: { rejected: items, message: 'queue full' } };
  }

  /** The answer to an export in which there is nothing to record. */
  acceptEmpty(): ExportOutcome {
    this.#options.context.metrics.counter('EmptyIgnored').value += 1;
    return accepted;
  }

  /** Counts and logs a refusal, unless the request was counted as dropped or its client is gone. */
  count(refusal: Refusal, head: RequestHead | undefined): Refusal {
    if (refusal === queueFull || refusal === clientGone) return refusal;
    const { context, log } = this.#options;
    context.metrics.counter(rejectedAttributes[refusal.reason]).value += 1;
    log('request_refused', {
      reason: refusal.reason,
      signal: head?.signal ?? null,
      transport: head?.transport ?? null,
      error: refusal.message,
    });
    return refusal;
  }

  #refuseHead(head: RequestHead): Refusal | undefined {
    if (this.#isStopping) return stopping;
    const { access, rateLimit, inFlight } = this.#options;
    const denied = access(head);
    if (denied !== undefined) return denied;
    if (!rateLimit(head.peer)) return tooMany;
    return entryRefusals[inFlight.enter(head.peer, head.declaredBytes ?? 0)];
  }
}

/**
 * How many bytes of bodies may be read while nothing can be queued. A body may be longer than what is left: then none is
 * read until that is paid off, so that large bodies get their turn, too.
 */
class LookBudget {
  #left = BYTES_PER_SECOND;
  #at = Number.NEGATIVE_INFINITY;

  /** Whether a body may be read now, in monotonic milliseconds. */
  hasLeft(now: number): boolean {
    const back = ((now - this.#at) / 1000) * BYTES_PER_SECOND;
    this.#left = Math.min(BYTES_PER_SECOND, this.#left + back);
    this.#at = now;
    return this.#left > 0;
  }

  /** Spends so many bytes; false, and nothing changes, when a body may not be read now. */
  spend(bytes: number, now: number): boolean {
    if (!this.hasLeft(now)) return false;
    this.#left -= bytes;
    return true;
  }
}
