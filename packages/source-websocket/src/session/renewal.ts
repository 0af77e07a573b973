import { ConnectorError, type Timer } from '@levada/connect-runtime-core';
import type { ReceivedMessage } from '../config/match-rule.ts';
import type { RenewalPlan } from '../config/session-plan.ts';
import type { SessionConnection } from './handshake.ts';
import { type ReplyOutcome, ReplyWait } from './reply-wait.ts';

export interface RenewalConnection extends SessionConnection {
  /** Resolves secrets again. Never rejects. */
  readonly refresh: () => Promise<void>;
  /** The connection is to be made again, though nothing is wrong with it. */
  readonly onExpiring: (error: ConnectorError) => void;
}

/** Shortest time between renewals, whatever a reply says. */
const MIN_DELAY_MS = 1000;

/** Renews a session before it expires: by a message, or by another connection. */
export class Renewal {
  readonly #plan: RenewalPlan;
  readonly #connection: RenewalConnection;
  readonly #wait: ReplyWait | undefined;
  #expiresInMs: number | undefined;
  #learntAt = 0;
  #timer: Timer | undefined;
  #stopped = false;

  constructor(plan: RenewalPlan, connection: RenewalConnection) {
    this.#plan = plan;
    this.#connection = connection;
    if (plan.reply === undefined) return;
    this.#wait = new ReplyWait({
      ...connection,
      reply: plan.reply,
      onOutcome: (outcome) => this.#replied(outcome),
    });
  }

  /** A reply may say when the session expires. */
  learn(reply: ReceivedMessage): void {
    const seconds = Number(this.#plan.expiresIn(reply.json) ?? Number.NaN);
    if (!(seconds > 0)) return;
    this.#expiresInMs = seconds * 1000;
    this.#learntAt = this.#connection.clock.monotonic();
  }

  start(): void {
    if (this.#schedule() === undefined) this.#connection.log('session_expiry_unknown');
  }

  /** Whether the message is a reply to a renewal. */
  takes(message: ReceivedMessage): boolean {
    return this.#wait?.takes(message) === true;
  }

  stop(): void {
    this.#stopped = true;
    this.#timer?.cancel();
    this.#wait?.stop();
  }

  /** Returns the time to the next renewal; undefined when none is scheduled. */
  #schedule(): number | undefined {
    const delayMs = this.#delayMs();
    if (delayMs !== undefined && !this.#stopped) {
      this.#timer = this.#connection.clock.after(delayMs, () => void this.#renew());
    }
    return delayMs;
  }

  #delayMs(): number | undefined {
    const { intervalMs, leadMs } = this.#plan;
    const expiresInMs = this.#expiresInMs;
    if (expiresInMs === undefined) return intervalMs === 0 ? undefined : intervalMs;
    const passedMs = this.#connection.clock.monotonic() - this.#learntAt;
    return Math.max(MIN_DELAY_MS, Math.max(expiresInMs - leadMs, expiresInMs / 2) - passedMs);
  }

  async #renew(): Promise<void> {
    const { log, values, send, refresh, onExpiring } = this.#connection;
    const { send: template } = this.#plan;
    if (template === undefined) {
      log('session_expiring');
      onExpiring(
        new ConnectorError('connection_lost', 'the connection is made again before the session expires'),
      );
      return;
    }
    await refresh();
    if (this.#stopped) return;
    const filled = values.fill(template);
    if (typeof filled !== 'string') {
      this.#failed('no_value', filled);
      return;
    }
    this.#wait?.begin();
    send(filled);
    if (this.#wait === undefined) this.#renewed();
  }

  #replied(outcome: ReplyOutcome): void {
    if (outcome.kind !== 'matched') {
      this.#failed(outcome.kind === 'late' ? 'no_reply' : 'matched');
      return;
    }
    this.#connection.values.keep(outcome.message);
    this.learn(outcome.message);
    this.#renewed();
  }

  /** What an earlier reply said of the time to live is over with it: without a later one the same time counts again. */
  #renewed(): void {
    this.#learntAt = this.#connection.clock.monotonic();
    this.#connection.log('session_renewed', { next_ms: this.#schedule() ?? null });
  }

  #failed(reason: string, more: { readonly missing?: string } = {}): void {
    this.#connection.log('session_renewal_failed', { reason, ...more });
    this.#connection.fail(
      new ConnectorError('handshake_rejected', `the session was not renewed (${reason})`),
    );
  }
}
