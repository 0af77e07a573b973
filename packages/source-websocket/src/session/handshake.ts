import { type Clock, ConnectorError, type EventLog } from '@levada/connect-runtime-core';
import type { ReceivedMessage } from '../config/match-rule.ts';
import type { HandshakeStep } from '../config/session-plan.ts';
import type { MessageValues } from './message-values.ts';
import type { ReadingTime } from './reading-time.ts';
import { type ReplyOutcome, ReplyWait } from './reply-wait.ts';
import type { sessionEvents } from './session-events.ts';

/** The connection as the parts of a session see it. */
export interface SessionConnection {
  readonly clock: Clock;
  readonly log: EventLog<typeof sessionEvents>;
  readonly values: MessageValues;
  readonly send: (text: string) => void;
  readonly reading: ReadingTime;
  /** The connection is of no use any more. */
  readonly fail: (error: ConnectorError) => void;
}

export interface HandshakeOptions {
  readonly steps: readonly HandshakeStep[];
  readonly connection: SessionConnection;
  /** Called with each reply. */
  readonly onReply: (reply: ReceivedMessage) => void;
  /** Called when the last message was sent and its reply arrived. */
  readonly onDone: () => void;
}

/** Sends the messages of the handshake one after another, each when the reply to the one before arrived. */
export class Handshake {
  readonly #options: HandshakeOptions;
  readonly #connection: SessionConnection;
  #next = 0;
  #waiting: { readonly step: HandshakeStep; readonly wait: ReplyWait } | undefined;
  #stopped = false;
  #startedAt = 0;

  constructor(options: HandshakeOptions) {
    this.#options = options;
    this.#connection = options.connection;
  }

  start(): void {
    this.#startedAt = this.#connection.clock.monotonic();
    this.#continue();
  }

  /** Whether the message is the reply that is waited for. */
  takes(message: ReceivedMessage): boolean {
    return this.#waiting?.wait.takes(message) === true;
  }

  /** The server closed the connection. True: before the handshake was over. */
  closed(shown: { readonly close_code: number; readonly close_reason: string }): boolean {
    if (this.#waiting === undefined) return false;
    const { number } = this.#waiting.step;
    this.#connection.log('handshake_rejected', { step: number, reason: 'closed', ...shown });
    this.stop();
    return true;
  }

  stop(): void {
    this.#waiting?.wait.stop();
    this.#waiting = undefined;
    this.#stopped = true;
  }

  /** Sends until a reply is waited for. */
  #continue(): void {
    const { steps, onDone } = this.#options;
    for (let step = steps[this.#next]; step !== undefined; step = steps[this.#next]) {
      this.#next += 1;
      if (this.#stopped || !this.#send(step) || this.#wait(step)) return;
    }
    const { clock, log } = this.#connection;
    if (steps.length > 0) {
      const duration_ms = Math.round(clock.monotonic() - this.#startedAt);
      log('handshake_completed', { steps: steps.length, duration_ms });
    }
    onDone();
  }

  #send({ number, send }: HandshakeStep): boolean {
    if (send === undefined) return true;
    const filled = this.#connection.values.fill(send);
    if (typeof filled === 'string') this.#connection.send(filled);
    else this.#reject(number, 'no_value', filled);
    return typeof filled === 'string';
  }

  #wait(step: HandshakeStep): boolean {
    if (step.reply === undefined) return false;
    const wait = new ReplyWait({
      ...this.#connection,
      reply: step.reply,
      onOutcome: (outcome) => this.#replied(step, outcome),
    });
    this.#waiting = { step, wait };
    wait.begin();
    return true;
  }

  #replied({ number }: HandshakeStep, outcome: ReplyOutcome): void {
    this.#waiting = undefined;
    if (outcome.kind === 'matched') {
      this.#connection.values.keep(outcome.message, number);
      this.#options.onReply(outcome.message);
      this.#continue();
    } else this.#reject(number, outcome.kind === 'late' ? 'no_reply' : 'matched');
  }

  #reject(number: number, reason: string, more: { readonly missing?: string } = {}): void {
    this.stop();
    const { log, fail } = this.#connection;
    log('handshake_rejected', { step: number, reason, ...more });
    const because = more.missing === undefined ? reason : `${reason}: ${more.missing}`;
    fail(new ConnectorError('handshake_rejected', `step ${number} of the handshake failed (${because})`));
  }
}
