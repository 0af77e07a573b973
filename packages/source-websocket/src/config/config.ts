import { type ConfigKey, configDef, type ParsedConfig } from '@levada/connect-runtime-core';
import { atLeast, between, oneOf, topicName, type Validator } from '@levada/connect-runtime-core/config';
import { proxyKeys, reconnectKeys } from '@levada/connect-runtime-core/source-kit';
import { closeCodes } from './close-codes.ts';
import { bearerToken, headerText, headerValue } from './handshake-headers.ts';
import { matchText } from './match-rule.ts';
import { queueKeys } from './queue-keys.ts';
import { sessionKeys } from './session-keys.ts';
import { webSocketUrl } from './websocket-url.ts';

/** Longest subscription message. */
const MAX_SUBSCRIPTION_BYTES = 1024 * 1024;

const subscriptionText: Validator = {
  allowed: 'text of at most 1 MiB',
  check: (value) =>
    typeof value === 'string' && Buffer.byteLength(value) > MAX_SUBSCRIPTION_BYTES
      ? `Subscription message is longer than ${MAX_SUBSCRIPTION_BYTES} bytes`
      : undefined,
};

const subprotocolList: Validator = {
  allowed: 'names without repetition',
  check: (value) => {
    const names = Array.isArray(value) ? value : [];
    if (new Set(names).size < names.length) return 'Subprotocols must not repeat';
    return names.every((name) => /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name))
      ? undefined
      : 'Subprotocols must be tokens of RFC 9110';
  },
};

const endpoint = [
  {
    name: 'websocket.url',
    type: 'string',
    importance: 'high',
    documentation: 'Endpoint to read, ws:// or wss://. User info in it is sent as basic authorization.',
    validator: webSocketUrl,
    group: 'Connection',
    option: 'url',
    example: "'wss://feed.example/prices'",
    accepts: ['url'],
  },
  {
    name: 'platform.topic',
    type: 'string',
    importance: 'high',
    documentation:
      'Topic that records go to. A change holds for messages received after it, without a new connection.',
    validator: topicName,
    update: 'live',
    aliases: ['kafka.topic'],
    group: 'Output',
    option: 'topic',
    example: "'prices'",
  },
] as const satisfies readonly ConfigKey[];

const subscription = [
  {
    name: 'websocket.subscription.message',
    type: 'string',
    default: null,
    importance: 'medium',
    documentation:
      'Text sent immediately after each opening of the connection, exactly as given: white space and control characters around it are sent, too. Never logged.',
    validator: subscriptionText,
    trim: false,
    group: 'Subscription',
    dependents: [
      'websocket.subscription.ack.match',
      'websocket.subscription.reject.match',
      'websocket.subscription.ack.timeout.ms',
    ],
    option: 'subscription.message',
    optionDocumentation:
      'Text sent immediately after each opening of the connection, exactly as given; an object is sent as its JSON. Never logged.',
    example: "{ op: 'subscribe', channel: 'prices' }",
    accepts: ['json'],
  },
  {
    name: 'websocket.subscription.ack.match',
    type: 'string',
    default: null,
    importance: 'low',
    documentation:
      'What the acknowledgement of the subscription looks like: text it contains, or /json/pointer=value, or /json/pointer that exists. Without it within the timeout, the subscription counts as rejected.',
    validator: matchText,
    group: 'Subscription',
    needs: { key: 'websocket.subscription.message' },
    option: 'subscription.ackMatch',
    example: "'/event=subscribed'",
  },
  {
    name: 'websocket.subscription.reject.match',
    type: 'string',
    default: null,
    importance: 'low',
    documentation:
      'What a refusal of the subscription looks like, written as in websocket.subscription.ack.match. Looked for until the acknowledgement or the timeout.',
    validator: matchText,
    group: 'Subscription',
    needs: { key: 'websocket.subscription.message' },
    option: 'subscription.rejectMatch',
    example: "'/event=error'",
  },
  {
    name: 'websocket.subscription.ack.timeout.ms',
    type: 'long',
    default: 10000,
    importance: 'low',
    documentation:
      'How long acknowledgement and refusal are looked for. A server that closes within it without having sent anything has rejected the subscription.',
    validator: atLeast(1),
    group: 'Subscription',
    needs: { key: 'websocket.subscription.message' },
    option: 'subscription.ackTimeoutMs',
    example: '5000',
  },
] as const satisfies readonly ConfigKey[];

const authentication = [
  {
    name: 'websocket.auth.token',
    type: 'password',
    default: null,
    importance: 'medium',
    documentation:
      'Bearer token: sent as header "Authorization: Bearer <token>", in place of any other authorization.',
    validator: bearerToken,
    group: 'Authentication',
    option: 'token',
    perConnection: true,
    example: 'process.env.TOKEN',
  },
  {
    name: 'websocket.headers',
    type: 'password',
    default: null,
    importance: 'medium',
    documentation:
      'Headers of the handshake: name:value,name:value, or a JSON object of strings when values hold commas.',
    validator: headerText,
    group: 'Authentication',
  },
  {
    name: 'websocket.headers.',
    type: 'password',
    prefix: true,
    importance: 'medium',
    documentation:
      'One header of the handshake, named by the rest of the key. Wins over the same name in websocket.headers.',
    validator: headerValue,
    group: 'Authentication',
    option: 'headers',
    optionDocumentation: 'Headers of the handshake, by name.',
    perConnection: true,
    example: "{ 'X-Api-Key': 'key' }",
  },
] as const satisfies readonly ConfigKey[];

const intake = [
  {
    name: 'websocket.max.message.size',
    type: 'int',
    default: 16 * 1024 * 1024,
    importance: 'low',
    documentation:
      'Longest message in bytes, after decompression. A longer one ends the connection with code 1009.',
    validator: between(1, 1024 * 1024 * 1024),
    group: 'Messages',
    option: 'maxMessageBytes',
    example: '1024 * 1024',
  },
  {
    name: 'websocket.binary.mode',
    type: 'string',
    default: 'drop',
    importance: 'low',
    documentation:
      'How binary messages are handled: drop (counted), base64 (text), utf8 (taken as text, dropped when it is none) or bytes (schema BYTES).',
    validator: oneOf('drop', 'base64', 'utf8', 'bytes'),
    recommend: () => ['drop', 'base64', 'utf8', 'bytes'],
    group: 'Messages',
    option: 'binaryMode',
    example: "'bytes'",
  },
] as const satisfies readonly ConfigKey[];

const connection = [
  {
    name: 'websocket.connection.timeout.ms',
    type: 'long',
    default: 30000,
    importance: 'medium',
    documentation:
      'Longest time from the start of an attempt to the open connection: name lookup, TCP, TLS and handshake. 0: no limit.',
    validator: atLeast(0),
    group: 'Connection',
    option: 'connectionTimeoutMs',
    example: '5000',
  },
  {
    name: 'websocket.ping.interval.ms',
    type: 'long',
    default: 30000,
    importance: 'low',
    documentation:
      'Time between pings that check the connection and keep proxies from closing it. 0: none are sent.',
    validator: atLeast(0),
    group: 'Connection',
    option: 'ping.intervalMs',
    example: '10_000',
  },
  {
    name: 'websocket.ping.timeout.ms',
    type: 'long',
    default: 10000,
    importance: 'low',
    documentation:
      'A connection over which nothing at all arrives for this long after a ping is given up. May be longer than the interval.',
    validator: atLeast(1),
    group: 'Connection',
    needs: { key: 'websocket.ping.interval.ms' },
    option: 'ping.timeoutMs',
    example: '5000',
  },
  {
    name: 'websocket.idle.timeout.ms',
    type: 'long',
    default: 0,
    importance: 'low',
    documentation:
      'A connection without a message for this long is given up, even when it answers pings. 0: never.',
    validator: atLeast(0),
    group: 'Connection',
    option: 'idleTimeoutMs',
    example: '60_000',
  },
  {
    name: 'websocket.subprotocols',
    type: 'list',
    default: '',
    importance: 'low',
    documentation: 'Subprotocols to offer, most wanted first. The server must choose one of them.',
    validator: subprotocolList,
    group: 'Connection',
    option: 'subprotocols',
    example: "['prices.v1']",
  },
  {
    name: 'websocket.compression',
    type: 'boolean',
    default: false,
    importance: 'low',
    documentation:
      'Whether to offer permessage-deflate (RFC 7692). Compressed messages cost many times the CPU.',
    group: 'Connection',
    option: 'compression',
    example: 'true',
  },
  {
    name: 'websocket.close.codes.slow',
    type: 'list',
    default: '1008,1012,1013',
    importance: 'low',
    documentation: 'Close codes and ranges after which reconnecting waits at least four times the interval.',
    validator: closeCodes,
    group: 'Reconnect',
    option: 'closeCodes.slow',
    example: '[1008, 1013]',
    accepts: ['numbers'],
  },
  {
    name: 'websocket.close.codes.fail',
    type: 'list',
    default: '',
    importance: 'low',
    documentation: 'Close codes and ranges, such as 1008,4000-4999, after which the task fails.',
    validator: closeCodes,
    group: 'Reconnect',
    option: 'closeCodes.fail',
    example: "['4000-4999']",
    accepts: ['numbers'],
  },
] as const satisfies readonly ConfigKey[];

const secureUrl = { key: 'websocket.url', value: /^wss:/i, wanted: 'wss://' } as const;

const tls = [
  {
    name: 'websocket.tls.ca.cert',
    type: 'string',
    default: null,
    importance: 'medium',
    documentation:
      'The authorities that are trusted in place of the built-in ones: a PEM file, or the PEM text itself.',
    group: 'TLS',
    needs: secureUrl,
    option: 'tls.ca',
    example: "'/etc/ssl/feed-ca.pem'",
    accepts: ['file', 'pem'],
  },
  {
    name: 'websocket.tls.client.cert',
    type: 'string',
    default: null,
    importance: 'medium',
    documentation:
      'The certificate chain that this side shows: a PEM file, or the PEM text itself. Needs websocket.tls.client.key.',
    dependents: ['websocket.tls.client.key'],
    group: 'TLS',
    needs: secureUrl,
    option: 'tls.cert',
    example: "'/etc/ssl/client.pem'",
    accepts: ['file', 'pem'],
  },
  {
    name: 'websocket.tls.client.key',
    type: 'string',
    default: null,
    importance: 'medium',
    documentation:
      'The private key of websocket.tls.client.cert, not encrypted: a PEM file, or a reference to a secret that is the PEM text.',
    group: 'TLS',
    needs: secureUrl,
    option: 'tls.key',
    example: "'/etc/ssl/client-key.pem'",
    accepts: ['file', 'pem'],
  },
  {
    name: 'websocket.tls.verify',
    type: 'boolean',
    default: true,
    importance: 'low',
    documentation: 'Whether the certificate of the server must be valid. Only for tests to be switched off.',
    group: 'TLS',
    needs: secureUrl,
    option: 'tls.verify',
    example: 'false',
  },
  {
    name: 'websocket.tls.servername',
    type: 'string',
    default: null,
    importance: 'low',
    documentation:
      'Name that the certificate of the server must have, and that is sent as SNI. Default: the host of the URL.',
    group: 'TLS',
    needs: secureUrl,
    option: 'tls.servername',
    example: "'feed.example'",
  },
] as const satisfies readonly ConfigKey[];

/** The keys of a WebSocket connector, in the order of documentation. */
export const webSocketConfig = configDef([
  ...endpoint,
  ...subscription,
  ...sessionKeys,
  ...reconnectKeys('websocket'),
  ...authentication,
  ...queueKeys,
  ...intake,
  ...connection,
  ...tls,
  ...proxyKeys('websocket'),
]);

type Rows = typeof webSocketConfig.keys;

/** Parsed configuration of a WebSocket connector. */
export type WebSocketConfig = ParsedConfig<Rows>;
