import { type ConfigKey, Secret } from '@levada/connect-runtime-core';
import { atLeast, jsonPointer, type Validator } from '@levada/connect-runtime-core/config';
import { matchText } from './match-rule.ts';
import { messageText } from './message-template.ts';

/** How long a reply in the handshake is waited for where nothing else is configured, in milliseconds. */
export const HANDSHAKE_TIMEOUT_MS = 10_000;

/** An empty secret is most often a variable that was not set. */
const secretText: Validator = {
  allowed: 'text that is not empty',
  check: (value) =>
    value instanceof Secret && value.reveal() === '' ? 'Secret must be non-empty' : undefined,
};

const secrets = [
  {
    name: 'websocket.secret.',
    type: 'password',
    prefix: true,
    importance: 'medium',
    documentation:
      'A text that is shown nowhere, for messages: {{secret:name}} in a message is the secret of that name.',
    validator: secretText,
    group: 'Session',
    option: 'secrets',
    optionDocumentation:
      'Texts that are shown nowhere, for messages: {{secret:key}} in a message is the member key of this object.',
    perConnection: true,
    example: "{ key: process.env.API_KEY ?? '' }",
  },
] as const satisfies readonly ConfigKey[];

const handshake = [
  {
    name: 'websocket.handshake.<n>.message',
    type: 'string',
    default: null,
    prefix: true,
    importance: 'medium',
    documentation:
      'Message number n after each opening of the connection, sent when the reply to the one before arrived, if one is expected. It may hold {{secret:name}}, {{reply:/json/pointer}} of the last reply, {{reply.1:/json/pointer}} of the first one, {{time.ms}}, {{time.s}} and {{count}}. Never logged.',
    validator: messageText,
    trim: false,
    group: 'Session',
    option: 'handshake[].send',
    optionDocumentation:
      'Text to send, an object as its JSON; nothing is sent without it, only waited. It may hold {{secret:name}}, {{reply:/json/pointer}} of the last reply, {{reply.1:/json/pointer}} of the first one, {{time.ms}}, {{time.s}} and {{count}}. Never logged.',
    example: "{ op: 'login', key: '{{secret:key}}' }",
    accepts: ['json'],
  },
  {
    name: 'websocket.handshake.<n>.reply.match',
    type: 'string',
    default: null,
    prefix: true,
    importance: 'medium',
    documentation:
      'What the reply to message number n looks like: text it contains, =text for the whole message, ^text for its beginning, /json/pointer=value, or /json/pointer that exists. The next message waits for it. It is not a record.',
    validator: matchText,
    trim: false,
    group: 'Session',
    option: 'handshake[].expect',
    optionDocumentation:
      'What the reply looks like: text it contains, =text for the whole message, ^text for its beginning, /json/pointer=value, or /json/pointer that exists. The next object of the list waits for it. It is not a record.',
    example: "'/event=login'",
  },
  {
    name: 'websocket.handshake.<n>.reject.match',
    type: 'string',
    default: null,
    prefix: true,
    importance: 'low',
    documentation:
      'What a refusal of message number n looks like, looked for while its reply is expected, and before it. The connection is closed then, and made again.',
    validator: matchText,
    trim: false,
    group: 'Session',
    option: 'handshake[].reject',
    optionDocumentation:
      'What a refusal looks like, written as in handshake[].expect. Looked for while the reply is expected, and before it. The connection is closed then, and made again.',
    example: "'/event=error'",
  },
  {
    name: 'websocket.handshake.<n>.timeout.ms',
    type: 'long',
    default: HANDSHAKE_TIMEOUT_MS,
    prefix: true,
    importance: 'low',
    documentation:
      'How long the reply to message number n is waited for; then the connection is closed, and made again.',
    validator: atLeast(1),
    group: 'Session',
    option: 'handshake[].timeoutMs',
    optionDocumentation: 'How long the reply is waited for; then the connection is closed, and made again.',
    example: '5000',
  },
] as const satisfies readonly ConfigKey[];

const control = [
  {
    name: 'websocket.control.<n>.match',
    type: 'string',
    default: null,
    prefix: true,
    importance: 'medium',
    documentation:
      'Which messages are no records but part of the protocol, such as acknowledgements and pings of the server; written as in websocket.handshake.<n>.reply.match. They are counted as ControlMessages.',
    validator: matchText,
    trim: false,
    group: 'Session',
    option: 'control[].match',
    example: "'/event=ping'",
  },
  {
    name: 'websocket.control.<n>.reply',
    type: 'string',
    default: null,
    prefix: true,
    importance: 'low',
    documentation:
      'Message that answers those of websocket.control.<n>.match. It may hold {{message:/json/pointer}} of the message that it answers, beside what messages of the handshake may hold.',
    validator: messageText,
    trim: false,
    group: 'Session',
    option: 'control[].reply',
    optionDocumentation:
      'Text that answers messages of control[].match, an object as its JSON. It may hold {{message:/json/pointer}} of the message that it answers, beside what messages of the handshake may hold.',
    example: "{ event: 'pong', id: '{{message:/id}}' }",
    accepts: ['json'],
  },
  {
    name: 'websocket.control.<n>.reconnect',
    type: 'boolean',
    default: false,
    prefix: true,
    importance: 'low',
    documentation:
      'Whether messages of websocket.control.<n>.match mean that nothing more comes, such as the end of a channel: the connection is closed then, and made again.',
    group: 'Session',
    option: 'control[].reconnect',
    example: 'true',
  },
] as const satisfies readonly ConfigKey[];

const heartbeat = [
  {
    name: 'websocket.heartbeat.message',
    type: 'string',
    default: null,
    importance: 'low',
    documentation:
      'Message sent at an interval, as long as the connection lives, for servers that want to hear from their clients. It may hold what messages of the handshake may hold.',
    validator: messageText,
    trim: false,
    group: 'Session',
    dependents: [
      'websocket.heartbeat.interval.ms',
      'websocket.heartbeat.reply.match',
      'websocket.heartbeat.timeout.ms',
    ],
    option: 'heartbeat.send',
    optionDocumentation:
      'Text sent at an interval, an object as its JSON, for servers that want to hear from their clients. It may hold what messages of the handshake may hold.',
    example: "{ op: 'ping' }",
    accepts: ['json'],
  },
  {
    name: 'websocket.heartbeat.interval.ms',
    type: 'long',
    default: 30000,
    importance: 'low',
    documentation:
      'Time between heartbeats. The first is sent after this time, counted from the end of the handshake.',
    validator: atLeast(1),
    group: 'Session',
    needs: { key: 'websocket.heartbeat.message' },
    option: 'heartbeat.intervalMs',
    example: '15_000',
  },
  {
    name: 'websocket.heartbeat.reply.match',
    type: 'string',
    default: null,
    importance: 'low',
    documentation:
      'What the reply to a heartbeat looks like, written as in websocket.handshake.<n>.reply.match. Replies are not records; without one in time the connection is given up.',
    validator: matchText,
    trim: false,
    group: 'Session',
    option: 'heartbeat.expect',
    example: "'/op=pong'",
  },
  {
    name: 'websocket.heartbeat.timeout.ms',
    type: 'long',
    default: 10000,
    importance: 'low',
    documentation: 'How long the reply to a heartbeat is waited for.',
    validator: atLeast(1),
    group: 'Session',
    needs: { key: 'websocket.heartbeat.reply.match' },
    option: 'heartbeat.timeoutMs',
    example: '5000',
  },
] as const satisfies readonly ConfigKey[];

const renewal = [
  {
    name: 'websocket.renewal.message',
    type: 'string',
    default: null,
    importance: 'low',
    documentation:
      'Message that renews the session before it expires: secrets are resolved again before it is sent. It may hold what messages of the handshake may hold. Without it, but with a time of renewal, the connection is made again instead.',
    validator: messageText,
    trim: false,
    group: 'Session',
    option: 'renewal.send',
    optionDocumentation:
      'Text that renews the session before it expires, an object as its JSON; the functions in secrets and token are called before it. It may hold what messages of the handshake may hold. Without it, but with a time of renewal, the connection is made again instead.',
    example: "{ op: 'login', token: '{{secret:token}}' }",
    accepts: ['json'],
  },
  {
    name: 'websocket.renewal.interval.ms',
    type: 'long',
    default: 0,
    importance: 'low',
    documentation:
      'Time between renewals. 0: only at the time that follows from websocket.renewal.expires.pointer.',
    validator: atLeast(0),
    group: 'Session',
    option: 'renewal.intervalMs',
    example: '3_000_000',
  },
  {
    name: 'websocket.renewal.expires.pointer',
    type: 'string',
    default: null,
    importance: 'low',
    documentation:
      'Where replies of the handshake and of renewals say in how many seconds the session expires: a JSON pointer (RFC 6901). The last reply that says so counts, before websocket.renewal.interval.ms.',
    validator: jsonPointer,
    group: 'Session',
    option: 'renewal.expiresPointer',
    example: "'/result/expires_in'",
  },
  {
    name: 'websocket.renewal.lead.ms',
    type: 'long',
    default: 60000,
    importance: 'low',
    documentation:
      'How long before the session expires it is renewed, but not before half of its time has passed.',
    validator: atLeast(0),
    group: 'Session',
    needs: { key: 'websocket.renewal.expires.pointer' },
    option: 'renewal.leadMs',
    example: '30_000',
  },
  {
    name: 'websocket.renewal.reply.match',
    type: 'string',
    default: null,
    importance: 'low',
    documentation:
      'What the reply to a renewal looks like, written as in websocket.handshake.<n>.reply.match. It is not a record; without it in time the connection is made again.',
    validator: matchText,
    trim: false,
    group: 'Session',
    option: 'renewal.expect',
    example: "'/event=login'",
  },
  {
    name: 'websocket.renewal.reject.match',
    type: 'string',
    default: null,
    importance: 'low',
    documentation:
      'What a refusal of a renewal looks like, looked for while its reply is expected, and before it. The connection is made again then.',
    validator: matchText,
    trim: false,
    group: 'Session',
    option: 'renewal.reject',
    example: "'/event=error'",
  },
  {
    name: 'websocket.renewal.timeout.ms',
    type: 'long',
    default: 10000,
    importance: 'low',
    documentation: 'How long the reply to a renewal is waited for.',
    validator: atLeast(1),
    group: 'Session',
    needs: { key: 'websocket.renewal.reply.match' },
    option: 'renewal.timeoutMs',
    example: '5000',
  },
] as const satisfies readonly ConfigKey[];

const sequence = [
  {
    name: 'websocket.sequence.pointer',
    type: 'string',
    default: null,
    importance: 'low',
    documentation:
      'Where messages have a number that grows by one with each: a JSON pointer (RFC 6901). Missing numbers are counted, logged and emitted as gaps, also those between two connections. Each message is parsed for it.',
    validator: jsonPointer,
    group: 'Session',
    option: 'sequence.pointer',
    example: "'/sequence'",
  },
  {
    name: 'websocket.sequence.key.pointer',
    type: 'string',
    default: null,
    importance: 'low',
    documentation:
      'Where messages name what they are numbered by, such as a channel or a product: a JSON pointer (RFC 6901). Without it all messages have one sequence. The last number of at most 10,000 names is remembered, or of fewer if they are longer than 1 MiB together; a message with a name above 1 KiB counts as having no number.',
    validator: jsonPointer,
    group: 'Session',
    option: 'sequence.keyPointer',
    example: "'/product_id'",
  },
  {
    name: 'websocket.sequence.replay.message',
    type: 'string',
    default: null,
    importance: 'low',
    documentation:
      'Message that asks for missing numbers: {{from}} and {{to}} are the first and the last of them, {{last}} is the one before, {{key}} what they are numbered by. It may also hold what messages of the handshake may hold. What is sent again follows later in the topic, in the order of arrival.',
    validator: messageText,
    trim: false,
    group: 'Session',
    option: 'sequence.replay',
    optionDocumentation:
      'Text that asks for missing numbers, an object as its JSON: {{from}} and {{to}} are the first and the last of them, {{last}} is the one before, {{key}} what they are numbered by. It may also hold what messages of the handshake may hold. What is sent again follows later, in the order of arrival.',
    example: "{ op: 'replay', from: '{{from}}', to: '{{to}}' }",
    accepts: ['json'],
  },
  {
    name: 'websocket.sequence.replay.limit',
    type: 'long',
    default: 10000,
    importance: 'low',
    documentation: 'Longest gap that is asked for. Longer ones are only counted.',
    validator: atLeast(1),
    group: 'Session',
    needs: { key: 'websocket.sequence.replay.message' },
    option: 'sequence.replayLimit',
    example: '1000',
  },
  {
    name: 'websocket.sequence.resume.message',
    type: 'string',
    default: null,
    importance: 'low',
    documentation:
      'Message sent after the handshake and the subscription of each connection but the first, for servers that continue after a number: {{last}} is the last one received, {{from}} the next. Not together with websocket.sequence.key.pointer.',
    validator: messageText,
    trim: false,
    group: 'Session',
    option: 'sequence.resume',
    optionDocumentation:
      'Text sent after the handshake and the subscription of each connection but the first, an object as its JSON, for servers that continue after a number: {{last}} is the last one received, {{from}} the next. Not together with sequence.keyPointer.',
    example: "{ op: 'resume', after: '{{last}}' }",
    accepts: ['json'],
  },
] as const satisfies readonly ConfigKey[];

/** Keys of what is said on an open connection: handshake, control messages, heartbeats, renewal, sequence numbers. */
export const sessionKeys = [
  ...secrets,
  ...handshake,
  ...control,
  ...heartbeat,
  ...renewal,
  ...sequence,
] as const;
