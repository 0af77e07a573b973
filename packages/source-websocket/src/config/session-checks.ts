import type { ConfigIssue } from '@levada/connect-runtime-core';
import type { WebSocketConfig } from './config.ts';
import { messageTemplate, type Placeholder, placeholderText } from './message-template.ts';
import { stepNumbers } from './session-plan.ts';

type TextKey = {
  [K in keyof WebSocketConfig]: WebSocketConfig[K] extends string | null ? K : never;
}[keyof WebSocketConfig];

/** Which placeholders a message may have. */
interface Scope {
  readonly secrets: ReadonlySet<string>;
  /** Numbers of the earlier messages whose replies are expected. */
  readonly replies: readonly number[];
  /** Beside those of all messages. */
  readonly more: readonly string[];
}

/** Rules over several keys of what is said on an open connection. Empty when all is well. */
export function sessionProblems(config: WebSocketConfig): readonly ConfigIssue[] {
  return [
    ...subscriptionProblems(config),
    ...handshakeProblems(config),
    ...controlProblems(config),
    ...heartbeatProblems(config),
    ...renewalProblems(config),
    ...sequenceProblems(config),
  ];
}

/** The subscription is sent as it is written. */
function subscriptionProblems(config: WebSocketConfig): readonly ConfigIssue[] {
  const key = 'websocket.subscription.message';
  const filled = messageTemplate(config[key] ?? '').placeholders.find(({ name }) =>
    /^(?:secret|reply(?:\.\d+)?|time\.m?s|count)$/.test(name),
  );
  if (filled === undefined) return [];
  const problem = `cannot hold ${placeholderText(filled)}, which belongs to a message of the handshake`;
  return [{ key, message: `Invalid value [hidden] for configuration ${key}: ${problem}` }];
}

function handshakeProblems(config: WebSocketConfig): readonly ConfigIssue[] {
  const messages = config['websocket.handshake.<n>.message'];
  const replies = config['websocket.handshake.<n>.reply.match'];
  const only = ['reject.match', 'timeout.ms'] as const;
  const alone = only.flatMap((part) =>
    [...config[`websocket.handshake.<n>.${part}`].keys()]
      .filter((number) => !replies.has(number))
      .map((number) =>
        needed(`websocket.handshake.${number}.${part}`, `websocket.handshake.${number}.reply.match`),
      ),
  );
  const placeholders = [...messages].flatMap(([number, text]) =>
    messageProblems(config, `websocket.handshake.${number}.message`, { text, before: Number(number) }),
  );
  return [...alone, ...placeholders];
}

function controlProblems(config: WebSocketConfig): readonly ConfigIssue[] {
  const matches = config['websocket.control.<n>.match'];
  const alone = (['reply', 'reconnect'] as const).flatMap((part) =>
    [...config[`websocket.control.<n>.${part}`].keys()]
      .filter((number) => !matches.has(number))
      .map((number) => needed(`websocket.control.${number}.${part}`, `websocket.control.${number}.match`)),
  );
  const placeholders = [...config['websocket.control.<n>.reply']].flatMap(([number, text]) =>
    messageProblems(config, `websocket.control.${number}.reply`, { text, more: ['message'] }),
  );
  return [...alone, ...placeholders];
}

function heartbeatProblems(config: WebSocketConfig): readonly ConfigIssue[] {
  const key = 'websocket.heartbeat.message';
  return [
    ...neededWith(config, 'websocket.heartbeat.reply.match', key),
    ...messageProblems(config, key, { text: config[key] }),
  ];
}

function renewalProblems(config: WebSocketConfig): readonly ConfigIssue[] {
  const key = 'websocket.renewal.message';
  const reply = 'websocket.renewal.reply.match';
  const interval = 'websocket.renewal.interval.ms';
  const expires = 'websocket.renewal.expires.pointer';
  const never = config[interval] === 0 && config[expires] === null;
  const replies = stepNumbers(config['websocket.handshake.<n>.reply.match']).length > 0;
  const unsaid = config[expires] !== null && !replies && config[reply] === null;
  const again = !never && config[key] === null && !config['websocket.reconnect.enabled'];
  return [
    ...(unsaid ? [needed(expires, `websocket.handshake.1.reply.match or ${reply}`)] : []),
    ...(again
      ? [needed(config[expires] === null ? interval : expires, `${key} or websocket.reconnect.enabled`)]
      : []),
    ...neededWith(config, reply, key),
    ...neededWith(config, 'websocket.renewal.reject.match', reply),
    ...(never && config[key] !== null ? [needed(key, `${interval} or ${expires}`)] : []),
    ...messageProblems(config, key, { text: config[key] }),
  ];
}

function sequenceProblems(config: WebSocketConfig): readonly ConfigIssue[] {
  const pointer = 'websocket.sequence.pointer';
  const byKey = 'websocket.sequence.key.pointer';
  const replay = 'websocket.sequence.replay.message';
  const resume = 'websocket.sequence.resume.message';
  const range = ['last', 'from', 'to', ...(config[byKey] === null ? [] : ['key'])];
  const both = config[resume] !== null && config[byKey] !== null;
  const message = `Invalid value [hidden] for configuration ${resume}: It has no single last number with ${byKey}; ask for gaps with ${replay} instead`;
  return [
    ...neededWith(config, byKey, pointer),
    ...neededWith(config, replay, pointer),
    ...neededWith(config, resume, pointer),
    ...(both ? [{ key: resume, message }] : []),
    ...messageProblems(config, replay, { text: config[replay], more: range }),
    ...messageProblems(config, resume, { text: config[resume], more: ['last', 'from'] }),
  ];
}

function neededWith(config: WebSocketConfig, given: TextKey, wanted: TextKey): readonly ConfigIssue[] {
  return config[given] !== null && config[wanted] === null ? [needed(given, wanted)] : [];
}

function needed(given: string, wanted: string): ConfigIssue {
  return { key: given, message: `${wanted} is required with ${given}` };
}

function messageProblems(
  config: WebSocketConfig,
  key: string,
  {
    text,
    before = Number.POSITIVE_INFINITY,
    more = [],
  }: { readonly text: string | null; readonly before?: number; readonly more?: readonly string[] },
): readonly ConfigIssue[] {
  if (text === null) return [];
  const replies = stepNumbers(config['websocket.handshake.<n>.reply.match']).filter((each) => each < before);
  const scope = { secrets: new Set(config['websocket.secret.'].keys()), replies, more };
  const wrong = messageTemplate(text).placeholders.find((placeholder) => !isKnown(placeholder, scope));
  if (wrong === undefined) return [];
  const problem = `cannot hold ${placeholderText(wrong)}, only ${offered(scope).join(', ')}`;
  return [{ key, message: `Invalid value [hidden] for configuration ${key}: ${problem}` }];
}

function isKnown({ name, argument }: Placeholder, { secrets, replies, more }: Scope): boolean {
  // Without any they may come from a function that was not asked yet; a connection that misses one says so.
  if (name === 'secret') return argument !== undefined && (secrets.size === 0 || secrets.has(argument));
  if (name === 'reply') return replies.length > 0;
  if (name.startsWith('reply.')) return replies.includes(Number(name.slice('reply.'.length)));
  if (name === 'message') return more.includes(name);
  return argument === undefined && [...always, ...more].includes(name);
}

const always = ['time.ms', 'time.s', 'count'];

function offered({ secrets, replies, more }: Scope): readonly string[] {
  return [
    ...[...secrets].map((name) => `{{secret:${name}}}`),
    ...(replies.length > 0 ? ['{{reply:/json/pointer}}'] : []),
    ...replies.map((number) => `{{reply.${number}:/json/pointer}}`),
    ...more.map((name) => (name === 'message' ? '{{message:/json/pointer}}' : `{{${name}}}`)),
    ...always.map((name) => `{{${name}}}`),
  ];
}
