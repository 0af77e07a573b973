import { ConnectorError, type Timer } from '@levada/connect-runtime-core';
import type { ReceivedMessage } from '../config/match-rule.ts';
import type { HeartbeatPlan } from '../config/session-plan.ts';
import type { SessionConnection } from './handshake.ts';
import { ReplyWait } from './reply-wait.ts';

/** Sends a message at an interval, and gives the connection up when a reply is expected and does not arrive. */
export class Heartbeat {
  readonly #plan: HeartbeatPlan;
  readonly #connection: SessionConnection;
  readonly #wait: ReplyWait | undefined;
  #timer: Timer | undefined;

  constructor(plan: HeartbeatPlan, connection: SessionConnection) {
    this.#plan = plan;
    this.#connection = connection;
    if (plan.reply === undefined) return;
    this.#wait = new ReplyWait({
      ...connection,
      reply: plan.reply,
      onOutcome: ({ kind }) => {
        if (kind === 'late') this.#missed();
      },
    });
  }

  start(): void {
    this.#schedule();
  }

  /** Whether the message is a reply to a heartbeat. */
  takes(message: ReceivedMessage): boolean {
    return this.#wait?.takes(message) === true;
  }

  stop(): void {
    this.#timer?.cancel();
    this.#wait?.stop();
  }

  #schedule(): void {
    this.#timer = this.#connection.clock.after(this.#plan.intervalMs, () => this.#beat());
  }

  #beat(): void {
    this.#schedule();
    const { values, send, fail } = this.#connection;
    const filled = values.fill(this.#plan.send);
    if (typeof filled !== 'string') {
      fail(new ConnectorError('protocol_error', `the heartbeat has no value for ${filled.missing}`));
      return;
    }
    this.#wait?.begin();
    send(filled);
  }

  #missed(): void {
    const timeoutMs = this.#plan.reply?.timeoutMs ?? 0;
    this.#connection.log('heartbeat_missed', { timeout_ms: timeoutMs });
    this.#connection.fail(new ConnectorError('timeout', `no reply to a heartbeat within ${timeoutMs} ms`));
  }
}
