import type { Timer } from '@levada/connect-runtime-core';
import type { ReceivedMessage } from '../config/match-rule.ts';
import type { ExpectedReply } from '../config/session-plan.ts';
import type { ReadingTime } from './reading-time.ts';

/** How waiting for a reply ended. */
export type ReplyOutcome =
  | { readonly kind: 'matched' | 'refused'; readonly message: ReceivedMessage }
  | { readonly kind: 'late' };

export interface ReplyWaitOptions {
  readonly reply: ExpectedReply;
  /** While reading is paused on purpose, no reply can arrive. */
  readonly reading: Pick<ReadingTime, 'after'>;
  readonly onOutcome: (outcome: ReplyOutcome) => void;
}

/**
 * How long a late reply is waited for again, in milliseconds. When this process did not run for a while, its timers fire before it
 * reads what arrived meanwhile.
 */
const SECOND_LOOK_MS = 50;

/** Waits for the reply to a message that was sent. */
export class ReplyWait {
  readonly #options: ReplyWaitOptions;
  #timer: Timer | undefined;

  constructor(options: ReplyWaitOptions) {
    this.#options = options;
  }

  /** Begins to wait. While it waits already, the first message counts. */
  begin(): void {
    if (this.#timer === undefined) this.#schedule(this.#options.reply.timeoutMs, 'first');
  }

  /** Whether the message is a reply; if so, waiting is over. Replies that are not waited for are replies, too. */
  takes(message: ReceivedMessage): boolean {
    const { reply, onOutcome } = this.#options;
    const kind = reply.reject?.(message) === true ? 'refused' : 'matched';
    if (kind === 'refused' ? this.#timer === undefined : !reply.match(message)) return false;
    const waited = this.#timer !== undefined;
    this.stop();
    if (waited) onOutcome({ kind, message });
    return true;
  }

  stop(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #schedule(delayMs: number, look: 'first' | 'second'): void {
    this.#timer = this.#options.reading.after(delayMs, () => this.#late(look));
  }

  #late(look: 'first' | 'second'): void {
    if (look === 'first') this.#schedule(SECOND_LOOK_MS, 'second');
    else {
      this.stop();
      this.#options.onOutcome({ kind: 'late' });
    }
  }
}
