import type { Timer } from '@levada/connect-runtime-core';
import { type MatchRule, ReceivedMessage } from '../config/match-rule.ts';
import type { ReadingTime } from '../session/reading-time.ts';

/** How a server answers a subscription. */
export interface SubscriptionRules {
  readonly ack: MatchRule | undefined;
  readonly reject: MatchRule | undefined;
  readonly timeoutMs: number;
}

/** Why a subscription counts as rejected while the connection is open. */
export type RejectionReason = 'matched' | 'not_acknowledged';

/** Watches the first messages after a subscription. Once it is settled it costs nothing. */
export class SubscriptionWatch {
  readonly #rules: SubscriptionRules;
  readonly #onRejected: (reason: RejectionReason) => void;
  #timer: Timer | undefined;
  #state: 'not sent' | 'watching' | 'settled' = 'not sent';
  #seen = 0;

  /** `onRejected` is called at most once. */
  constructor(rules: SubscriptionRules, onRejected: (reason: RejectionReason) => void) {
    this.#rules = rules;
    this.#onRejected = onRejected;
  }

  /** Whether messages need not be shown to {@link observe} any more. */
  get settled(): boolean {
    return this.#state !== 'watching';
  }

  /** The subscription was sent. */
  start(reading: ReadingTime): void {
    const { timeoutMs, ack } = this.#rules;
    this.#state = 'watching';
    this.#timer = reading.after(timeoutMs, () =>
      this.#settle(ack === undefined ? undefined : 'not_acknowledged'),
    );
  }

  /** A message arrived. */
  observe(data: Uint8Array): void {
    if (this.settled) return;
    this.#seen += 1;
    const { ack, reject } = this.#rules;
    const message = new ReceivedMessage(data);
    if (reject?.(message) === true) this.#settle('matched');
    else if (ack === undefined ? reject === undefined : ack(message)) this.#settle();
  }

  /** The server closed the connection. True: that is its refusal, because it said nothing before. */
  closed(): boolean {
    const refused = !this.settled && this.#seen === 0;
    this.#settle();
    return refused;
  }

  /** Nothing more will come. */
  stop(): void {
    this.#settle();
  }

  #settle(rejection?: RejectionReason): void {
    const watched = !this.settled;
    this.#state = 'settled';
    this.#timer?.cancel();
    if (!watched) return;
    if (rejection !== undefined) this.#onRejected(rejection);
  }
}
