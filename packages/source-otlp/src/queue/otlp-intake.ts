import type { Clock, EventLog, MetricGroup } from '@levada/connect-runtime-core';
import type { otlpEvents } from '../model/events.ts';
import type { otlpMetrics } from '../model/metrics.ts';
import type { Access } from '../receive/admission/access.ts';
import type { Admission, BodyForm, ExportIntake, RequestHead } from '../receive/admission/export-intake.ts';
import {
  type ExportOutcome,
  type Refusal,
  type RefusalReason,
  refused,
} from '../receive/admission/export-outcome.ts';
import type { Entry, InFlight } from '../receive/admission/in-flight.ts';
import type { RateLimit } from '../receive/admission/rate-limit.ts';
import type { Arrival, ExportTaker } from './export-taker.ts';
import { clientGone, queueFull } from './queue-full.ts';
import type { WaitEnd } from './room-waits.ts';

export interface OtlpIntakeOptions {
  readonly access: Access;
  readonly rateLimit: RateLimit;
  readonly inFlight: InFlight;
  readonly taker: ExportTaker;
  readonly metrics: MetricGroup<typeof otlpMetrics>;
  readonly log: EventLog<typeof otlpEvents>;
  readonly clock: Clock;
}

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

const stopping = refused('unavailable', 'the receiver is stopping');
const tooMany = refused('rate_limited', 'too many requests from this address');
const faulty = refused('unavailable', 'the export could not be handled');
/** What is answered where there is no room. */
const entryRefusals = {
  entered: undefined,
  full: refused('unavailable', 'too many requests are under way'),
  share: refused('rate_limited', 'too many requests of this address are under way'),
} as const satisfies Readonly<Record<Entry, Refusal | undefined>>;

/** Lets requests in or not, hands their bodies on, and counts those that are refused. Between the receivers and the queues. */
export class OtlpIntake implements ExportIntake {
  readonly #options: OtlpIntakeOptions;
  #stopping = false;

  constructor(options: OtlpIntakeOptions) {
    this.#options = options;
  }

  /** Nothing is admitted from now on. */
  stop(): void {
    this.#stopping = true;
  }

  admit(head: RequestHead): Admission | Refusal {
    const refusal = this.#refusal(head);
    if (refusal !== undefined) return this.refuse(refusal, head);
    const { taker, inFlight } = this.#options;
    const unread = taker.refuseUnread(head);
    if (unread === undefined) return new AdmittedRequest(this.#options, { head, intake: this });
    inFlight.leave(head.peer, 0);
    return this.counted(unread, head);
  }

  refusedEarly(refusal: Refusal): void {
    this.refuse(refusal, undefined);
  }

  /** Counts and logs a refusal, unless it is one of those that are counted where they happen. */
  counted(refusal: Refusal, head: RequestHead): Refusal {
    return refusal === queueFull || refusal === clientGone ? refusal : this.refuse(refusal, head);
  }

  /** Counts and logs a refusal. */
  refuse(refusal: Refusal, head: RequestHead | undefined): Refusal {
    const { metrics, log } = this.#options;
    metrics.counter(rejectedAttributes[refusal.reason]).value += 1;
    log('request_refused', {
      reason: refusal.reason,
      signal: head?.signal ?? null,
      transport: head?.transport ?? null,
      error: refusal.message,
    });
    return refusal;
  }

  #refusal(head: RequestHead): Refusal | undefined {
    if (this.#stopping) return stopping;
    const { access, rateLimit, inFlight } = this.#options;
    const denied = access(head);
    if (denied !== undefined) return denied;
    if (!rateLimit(head.peer)) return tooMany;
    return entryRefusals[inFlight.enter(head.peer, head.declaredBytes ?? 0)];
  }
}

/** What an admission knows. */
interface Admitted {
  readonly head: RequestHead;
  readonly intake: OtlpIntake;
}

class AdmittedRequest implements Admission {
  readonly #options: OtlpIntakeOptions;
  readonly #admitted: Admitted;
  /** Monotonic time at which the client gives up, if it said so. */
  #dueAt: number | undefined;
  #held = 0;
  #turn: Arrival['turn'] = 'new';
  #endHold: (() => void) | undefined;

  constructor(options: OtlpIntakeOptions, admitted: Admitted) {
    this.#options = options;
    this.#admitted = admitted;
    const { timeoutMs } = admitted.head;
    this.#dueAt = timeoutMs === undefined ? undefined : options.clock.monotonic() + timeoutMs;
  }

  hold(bytes: number): boolean {
    const more = bytes - this.#held;
    if (more <= 0) return true;
    if (!this.#options.inFlight.hold(this.#admitted.head.peer, more)) return false;
    this.#held = bytes;
    return true;
  }

  take(body: Uint8Array, form: BodyForm): ExportOutcome | Promise<ExportOutcome> {
    try {
      const outcome = this.#options.taker.take(this.#arrival(), body, form);
      if (!(outcome instanceof Promise)) return this.#counted(outcome);
      return outcome.then(
        (settled) => this.#counted(settled),
        (thrown) => this.#faulty(thrown),
      );
    } catch (thrown) {
      return this.#faulty(thrown);
    }
  }

  untilRoom(): Promise<Refusal | undefined> | undefined {
    const { taker, clock } = this.#options;
    const held = taker.hold(this.#arrival());
    this.#turn = 'known';
    if (held === undefined) return undefined;
    // what it waits here is taken from what it may wait with its body
    this.#dueAt ??= clock.monotonic() + taker.settings.maxHoldMs;
    return held.then((end) => this.#heldUnread(end));
  }

  #heldUnread(end: WaitEnd): Refusal | undefined {
    if (end === 'gone') return clientGone;
    if (end === 'late') this.#turn = 'late';
    const { head, intake } = this.#admitted;
    const refusal = this.#options.taker.refuseUnread(head);
    return refusal && intake.counted(refusal, head);
  }

  release(): void {
    this.#endHold?.();
    const { inFlight, taker } = this.#options;
    inFlight.leave(this.#admitted.head.peer, this.#held);
    taker.over(this.#admitted.head);
  }

  #arrival(): Arrival {
    return {
      head: this.#headNow(),
      turn: this.#turn,
      onHeld: (endHold) => {
        this.#endHold = endHold;
      },
    };
  }

  /** To read and to inflate the body took some of the client's time. */
  #headNow(): RequestHead {
    const { head } = this.#admitted;
    if (this.#dueAt === undefined) return head;
    return { ...head, timeoutMs: Math.max(0, this.#dueAt - this.#options.clock.monotonic()) };
  }

  /** A fault of ours: the client may send it again, and one export does not end the task. */
  #faulty(thrown: unknown): Refusal {
    const { head, intake } = this.#admitted;
    const error = thrown instanceof Error ? thrown.message : String(thrown);
    this.#options.log('receiver_error', { protocol: head.transport, error });
    return intake.refuse(faulty, head);
  }

  #counted(outcome: ExportOutcome): ExportOutcome {
    const { head, intake } = this.#admitted;
    return outcome.kind === 'refused' ? intake.counted(outcome, head) : outcome;
  }
}
