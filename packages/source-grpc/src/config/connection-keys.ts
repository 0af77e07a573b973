import type { ConfigKey } from '@levada/connect-runtime-core';
import { atLeast, between, oneOf, optional } from '@levada/connect-runtime-core/config';
import { authorityName, endpointList } from '../model/endpoints.ts';
import { statusList } from './status-list.ts';

/** How the connection is made, watched and bounded. */
export const connectionKeys = [
  {
    name: 'grpc.connection.timeout.ms',
    type: 'long',
    default: 30000,
    importance: 'medium',
    documentation:
      'Longest time from the start of an attempt until calls can be made: name lookup, TCP, TLS and HTTP/2. 0: no limit.',
    validator: atLeast(0),
    group: 'Connection',
    option: 'connectionTimeoutMs',
    example: '5000',
  },
  {
    name: 'grpc.keepalive.time.ms',
    type: 'long',
    default: 30000,
    importance: 'medium',
    documentation:
      'Time without anything received after which a ping is sent. 0: none are sent. Doubled, up to 5 minutes, when the server complains of too many.',
    validator: atLeast(0),
    group: 'Connection',
    option: 'keepalive.timeMs',
    example: '60_000',
  },
  {
    name: 'grpc.keepalive.timeout.ms',
    type: 'long',
    default: 10000,
    importance: 'medium',
    documentation: 'A connection that does not answer a ping within this time is given up.',
    validator: atLeast(1),
    group: 'Connection',
    option: 'keepalive.timeoutMs',
    example: '20_000',
  },
  {
    name: 'grpc.max.inbound.message.size',
    type: 'int',
    default: 4 * 1024 * 1024,
    importance: 'medium',
    documentation:
      'Longest message in bytes, after decompression. A longer one is skipped, counted and logged, and the stream continues.',
    validator: between(1, 1024 * 1024 * 1024),
    group: 'Messages',
    option: 'maxMessageBytes',
    example: '16 * 1024 * 1024',
  },
  {
    name: 'grpc.stream.idle.timeout.ms',
    type: 'long',
    default: 0,
    importance: 'low',
    documentation:
      'A stream without a message for this long is given up, even when the connection answers pings. 0: never.',
    validator: atLeast(0),
    group: 'Connection',
    option: 'idleTimeoutMs',
    example: '300_000',
  },
  {
    name: 'grpc.server.endpoints',
    type: 'list',
    default: '',
    importance: 'low',
    documentation:
      'Further servers, host:port, of the same service. After each failed attempt the next one is tried, and its name is looked up again.',
    validator: endpointList,
    group: 'Connection',
    option: 'endpoints',
    example: "['feed-2.example:443']",
  },
  {
    name: 'grpc.authority',
    type: 'string',
    default: null,
    importance: 'low',
    documentation:
      'Name that the server is addressed by: sent as :authority, and with TLS the name that its certificate must have. Default: host and port.',
    validator: optional(authorityName),
    group: 'Connection',
    option: 'authority',
    example: "'feed.internal'",
  },
  {
    name: 'grpc.compression',
    type: 'string',
    default: 'identity',
    importance: 'low',
    documentation:
      'How the request is compressed. Answers are read in identity, gzip and deflate whatever this says.',
    validator: oneOf('identity', 'gzip'),
    recommend: () => ['identity', 'gzip'],
    group: 'Connection',
    option: 'compression',
    example: "'gzip'",
  },
] as const satisfies readonly ConfigKey[];

/** How the end of a stream is handled, apart from reconnecting. */
export const endKeys = [
  {
    name: 'grpc.fail.on.status',
    type: 'list',
    default: 'UNIMPLEMENTED',
    importance: 'low',
    documentation:
      'Status codes, by name or number, that fail the task when the server answers them. After any other the connector reconnects.',
    validator: statusList,
    group: 'Reconnect',
    option: 'failOnStatus',
    optionDocumentation:
      'Status codes, by name or number, that end the source with an error when the server answers them. After any other it reconnects.',
    example: "['UNIMPLEMENTED', 'PERMISSION_DENIED']",
    accepts: ['numbers'],
  },
  {
    name: 'grpc.completion.policy',
    type: 'string',
    default: 'reconnect',
    importance: 'low',
    documentation:
      'What the end of the stream with status OK means: reconnect calls again, stop ends the task when everything is delivered, fail fails it.',
    validator: oneOf('reconnect', 'stop', 'fail'),
    recommend: () => ['reconnect', 'stop', 'fail'],
    group: 'Reconnect',
    option: 'completion',
    example: "'stop'",
  },
] as const satisfies readonly ConfigKey[];
