import { pointerValue } from '@levada/connect-runtime-core/source-kit';
import type { WebSocketConfig } from './config.ts';
import { type MatchRule, matchRule } from './match-rule.ts';
import { type MessageTemplate, messageTemplate } from './message-template.ts';
import { HANDSHAKE_TIMEOUT_MS } from './session-keys.ts';

/** What a sent message is answered with. */
export interface ExpectedReply {
  readonly match: MatchRule;
  readonly reject: MatchRule | undefined;
  readonly timeoutMs: number;
}

/** One message of the handshake, one reply, or both. */
export interface HandshakeStep {
  readonly number: number;
  readonly send: MessageTemplate | undefined;
  readonly reply: ExpectedReply | undefined;
}

/** Messages that are no records, and what they are answered with. */
export interface ControlRule {
  readonly number: number;
  readonly match: MatchRule;
  readonly reply: MessageTemplate | undefined;
  /** Nothing more comes on this connection. */
  readonly reconnect: boolean;
}

export interface HeartbeatPlan {
  readonly send: MessageTemplate;
  readonly intervalMs: number;
  readonly reply: ExpectedReply | undefined;
}

export interface RenewalPlan {
  /** Undefined: the connection is made again. */
  readonly send: MessageTemplate | undefined;
  /** 0: only where a reply says when the session expires. */
  readonly intervalMs: number;
  /** Seconds to live, as a reply says; undefined where it does not. */
  readonly expiresIn: (reply: unknown) => unknown;
  readonly leadMs: number;
  readonly reply: ExpectedReply | undefined;
}

export interface SequencePlan {
  readonly numberOf: (message: unknown) => unknown;
  /** Undefined: all messages have one sequence. */
  readonly keyOf: ((message: unknown) => unknown) | undefined;
  readonly replay: MessageTemplate | undefined;
  readonly replayLimit: number;
  readonly resume: MessageTemplate | undefined;
}

/** What is said on an open connection, beside the subscription. */
export interface SessionPlan {
  readonly steps: readonly HandshakeStep[];
  readonly controls: readonly ControlRule[];
  readonly heartbeat: HeartbeatPlan | undefined;
  readonly renewal: RenewalPlan | undefined;
  readonly sequence: SequencePlan | undefined;
}

/** The numbers that the keys of a list have, in order. REST may give a key without a value, which counts as absent. */
export function stepNumbers(...parts: readonly ReadonlyMap<string, unknown>[]): readonly number[] {
  const given = parts.flatMap((part) => [...part].filter(([, value]) => value !== null));
  const numbers = new Set(given.map(([number]) => Number(number)));
  return [...numbers].sort((one, other) => one - other);
}

/** The plan that a configuration without problems has. Undefined: nothing of it is configured, and messages are only received. */
export function sessionPlan(config: WebSocketConfig): SessionPlan | undefined {
  const plan: SessionPlan = {
    steps: handshakeSteps(config),
    controls: controlRules(config),
    heartbeat: heartbeatPlan(config),
    renewal: renewalPlan(config),
    sequence: sequencePlan(config),
  };
  const { steps, controls, heartbeat, renewal, sequence } = plan;
  const some = steps.length + controls.length > 0 || (heartbeat ?? renewal ?? sequence) !== undefined;
  return some ? plan : undefined;
}

function handshakeSteps(config: WebSocketConfig): readonly HandshakeStep[] {
  const messages = config['websocket.handshake.<n>.message'];
  const replies = config['websocket.handshake.<n>.reply.match'];
  const refusals = config['websocket.handshake.<n>.reject.match'];
  const timeouts = config['websocket.handshake.<n>.timeout.ms'];
  return stepNumbers(messages, replies).map((number) => {
    const name = String(number);
    return {
      number,
      send: template(messages.get(name)),
      reply: expected(replies.get(name), refusals.get(name), timeouts.get(name) ?? HANDSHAKE_TIMEOUT_MS),
    };
  });
}

function controlRules(config: WebSocketConfig): readonly ControlRule[] {
  const matches = config['websocket.control.<n>.match'];
  const replies = config['websocket.control.<n>.reply'];
  const ends = config['websocket.control.<n>.reconnect'];
  return stepNumbers(matches).map((number) => {
    const name = String(number);
    return {
      number,
      match: matchRule(matches.get(name) ?? ''),
      reply: template(replies.get(name)),
      reconnect: ends.get(name) ?? false,
    };
  });
}

function heartbeatPlan(config: WebSocketConfig): HeartbeatPlan | undefined {
  const send = template(config['websocket.heartbeat.message']);
  if (send === undefined) return undefined;
  const match = config['websocket.heartbeat.reply.match'];
  return {
    send,
    intervalMs: config['websocket.heartbeat.interval.ms'],
    reply: expected(match, null, config['websocket.heartbeat.timeout.ms']),
  };
}

function renewalPlan(config: WebSocketConfig): RenewalPlan | undefined {
  const intervalMs = config['websocket.renewal.interval.ms'];
  const pointer = config['websocket.renewal.expires.pointer'];
  if (intervalMs === 0 && pointer === null) return undefined;
  return {
    send: template(config['websocket.renewal.message']),
    intervalMs,
    expiresIn: pointer === null ? () => undefined : pointerValue(pointer),
    leadMs: config['websocket.renewal.lead.ms'],
    reply: expected(
      config['websocket.renewal.reply.match'],
      config['websocket.renewal.reject.match'],
      config['websocket.renewal.timeout.ms'],
    ),
  };
}

function sequencePlan(config: WebSocketConfig): SequencePlan | undefined {
  const pointer = config['websocket.sequence.pointer'];
  if (pointer === null) return undefined;
  const key = config['websocket.sequence.key.pointer'];
  return {
    numberOf: pointerValue(pointer),
    keyOf: key === null ? undefined : pointerValue(key),
    replay: template(config['websocket.sequence.replay.message']),
    replayLimit: config['websocket.sequence.replay.limit'],
    resume: template(config['websocket.sequence.resume.message']),
  };
}

function template(text: string | null | undefined): MessageTemplate | undefined {
  return text === null || text === undefined ? undefined : messageTemplate(text);
}

function expected(
  match: string | null | undefined,
  reject: string | null | undefined,
  timeoutMs: number,
): ExpectedReply | undefined {
  if (match === null || match === undefined) return undefined;
  return { match: matchRule(match), reject: reject ? matchRule(reject) : undefined, timeoutMs };
}
