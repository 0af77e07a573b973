import {
  type Clock,
  ConnectorError,
  type EventLog,
  type MetricGroup,
  type Secret,
} from '@levada/connect-runtime-core';
import { ReceivedMessage } from '../config/match-rule.ts';
import type { MessageTemplate } from '../config/message-template.ts';
import type { SessionPlan } from '../config/session-plan.ts';
import { Handshake, type SessionConnection } from './handshake.ts';
import { Heartbeat } from './heartbeat.ts';
import { MessageValues, type OwnValues } from './message-values.ts';
import type { ReadingTime } from './reading-time.ts';
import { Renewal } from './renewal.ts';
import type { SequenceGap, SequenceNumbers } from './sequence-numbers.ts';
import type { sessionEvents, sessionMetrics } from './session-events.ts';

/** What a session needs of its task. */
export interface SessionContext {
  readonly clock: Clock;
  readonly log: EventLog<typeof sessionEvents>;
  readonly metrics: Pick<MetricGroup<typeof sessionMetrics>, 'counter'>;
  /** Secrets in force. */
  readonly secrets: () => ReadonlyMap<string, Secret>;
  /** Resolves secrets again. Never rejects. */
  readonly refresh: () => Promise<void>;
  /** Numbers that were seen, over all connections of the task. */
  readonly sequence: SequenceNumbers | undefined;
  readonly onGap: (gap: SequenceGap) => void;
}

export interface SessionOptions extends SessionContext {
  readonly plan: SessionPlan;
  readonly send: (text: string) => void;
  readonly reading: ReadingTime;
  /** The handshake is over: what follows it can be sent. */
  readonly onReady: () => void;
  /** The connection is of no use any more. */
  readonly onFailed: (error: ConnectorError) => void;
  /** The connection is to be made again, though nothing is wrong with it. */
  readonly onExpiring: (error: ConnectorError) => void;
}

/** What is said on one open connection beside records: handshake, control messages, heartbeats, renewal, requests for missing numbers. */
export class Session {
  readonly #options: SessionOptions;
  readonly #connection: SessionConnection;
  readonly #handshake: Handshake;
  readonly #heartbeat: Heartbeat | undefined;
  readonly #renewal: Renewal | undefined;

  constructor(options: SessionOptions) {
    const { plan, clock, log, secrets, send, reading, onFailed } = options;
    const values = new MessageValues({ clock, secrets });
    this.#options = options;
    this.#connection = { clock, log, values, send, reading, fail: onFailed };
    this.#handshake = new Handshake({
      steps: plan.steps,
      connection: this.#connection,
      onReply: (reply) => this.#renewal?.learn(reply),
      onDone: () => this.#ready(),
    });
    if (plan.heartbeat !== undefined) this.#heartbeat = new Heartbeat(plan.heartbeat, this.#connection);
    if (plan.renewal !== undefined)
      this.#renewal = new Renewal(plan.renewal, { ...options, ...this.#connection });
  }

  /** The connection is open. */
  start(): void {
    this.#handshake.start();
  }

  /** Whether the message is part of the protocol, and no record. Called with each one, in order. */
  takes(data: Uint8Array): boolean {
    const message = new ReceivedMessage(data);
    this.#number(message);
    const taken =
      this.#handshake.takes(message) ||
      this.#heartbeat?.takes(message) === true ||
      this.#renewal?.takes(message) === true ||
      this.#controls(message);
    if (taken) this.#options.metrics.counter('ControlMessages').value += 1;
    return taken;
  }

  /** Texts that must not be shown. */
  hidden(): readonly string[] {
    return this.#connection.values.hidden();
  }

  /** The server closed the connection. True: before the handshake was over. */
  closed(shown: { readonly close_code: number; readonly close_reason: string }): boolean {
    return this.#handshake.closed(shown);
  }

  stop(): void {
    this.#handshake.stop();
    this.#heartbeat?.stop();
    this.#renewal?.stop();
  }
  #ready(): void {
    const { onReady, sequence, plan } = this.#options;
    onReady();
    this.#heartbeat?.start();
    this.#renewal?.start();
    const last = sequence?.last;
    if (last !== undefined && plan.sequence?.resume !== undefined) {
      this.#say(plan.sequence.resume, { last, from: last + 1 });
    }
  }

  #controls(message: ReceivedMessage): boolean {
    const { plan, log, onFailed } = this.#options;
    const rule = plan.controls.find(({ match }) => match(message));
    if (rule === undefined) return false;
    const missing = this.#say(rule.reply, { message: message.json });
    if (missing !== undefined) log('control_unanswered', { rule: rule.number, missing });
    if (rule.reconnect) {
      const text = `the server sent a message of control rule ${rule.number}, which asks for another connection`;
      onFailed(new ConnectorError('connection_lost', text));
    }
    return true;
  }

  #number(message: ReceivedMessage): void {
    const { sequence, plan, metrics, log, onGap } = this.#options;
    const passed = sequence?.passed(message);
    if (passed === undefined) return;
    const { kind, expected, received } = passed;
    if (kind === 'recovered') metrics.counter('SequenceRecovered').value += 1;
    else if (kind === 'restarted') log('sequence_restarted', { expected, received });
    else {
      const missing = received - expected;
      const range = { last: expected - 1, from: expected, to: received - 1, key: passed.key };
      const requested = passed.ask && this.#say(plan.sequence?.replay, range) === undefined;
      metrics.counter('SequenceMissing').value += missing;
      log('sequence_gap', { expected, received, missing, requested });
      onGap({ expected, received });
    }
  }

  /** Sends a message. Returns the placeholder that has no value, if there is one. */
  #say(template: MessageTemplate | undefined, own: OwnValues): string | undefined {
    if (template === undefined) return undefined;
    const { values, send } = this.#connection;
    const filled = values.fill(template, own);
    if (typeof filled !== 'string') return filled.missing;
    send(filled);
    return undefined;
  }
}
