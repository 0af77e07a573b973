import type { ConfigKey } from '@levada/connect-runtime-core';
import { atLeast, between } from '@levada/connect-runtime-core/config';

/** What clients may ask for. */
export const limitKeys = [
  {
    name: 'otlp.max.request.size',
    type: 'int',
    default: 16 * 1024 * 1024,
    importance: 'medium',
    documentation:
      'Largest body of a request in bytes, also after inflation. Larger ones: 413, RESOURCE_EXHAUSTED without RetryInfo.',
    validator: between(1024, 256 * 1024 * 1024),
    group: 'Limits',
    option: 'maxRequestSize',
  },
  {
    name: 'otlp.max.compressed.size',
    type: 'int',
    default: 4 * 1024 * 1024,
    importance: 'low',
    documentation: 'Largest compressed body in bytes.',
    validator: between(1024, 256 * 1024 * 1024),
    group: 'Limits',
    option: 'maxCompressedSize',
  },
  {
    name: 'otlp.max.inflight.requests',
    type: 'int',
    default: 4096,
    importance: 'low',
    documentation:
      'Most requests that are read or wait for their acknowledgement at once. Further ones: UNAVAILABLE, 503.',
    validator: between(1, 1_000_000),
    group: 'Limits',
    option: 'maxInFlightRequests',
  },
  {
    name: 'otlp.max.inflight.bytes',
    type: 'long',
    default: 64 * 1024 * 1024,
    importance: 'low',
    documentation: 'Most bytes of these requests together.',
    validator: atLeast(1024),
    group: 'Limits',
    option: 'maxInFlightBytes',
  },
  {
    name: 'otlp.max.inflight.share.percent',
    type: 'int',
    default: 75,
    importance: 'low',
    documentation:
      'Largest share of otlp.max.inflight.requests and otlp.max.inflight.bytes that one client address (of IPv6 one /64 network) may take, in percent, but always one request. Further ones: 429, RESOURCE_EXHAUSTED with RetryInfo. 100 where all clients come through one proxy.',
    validator: between(1, 100),
    group: 'Limits',
    option: 'maxInFlightSharePercent',
  },
  {
    name: 'otlp.max.connections',
    type: 'int',
    default: 10_000,
    importance: 'low',
    documentation: 'Most connections of each receiver. Further ones are closed.',
    validator: between(1, 1_000_000),
    group: 'Limits',
    option: 'maxConnections',
  },
  {
    name: 'otlp.max.connection.age.ms',
    type: 'long',
    default: 0,
    importance: 'low',
    documentation:
      'Age at which a connection is to end, so that clients spread over receivers behind a load balancer; up to a tenth more or less. gRPC: GOAWAY; HTTP: Connection: close with the next answer. 0: none.',
    validator: atLeast(0),
    group: 'Limits',
    option: 'maxConnectionAgeMs',
  },
  {
    name: 'otlp.max.connection.age.grace.ms',
    type: 'long',
    default: 30_000,
    importance: 'low',
    documentation: 'Time that a connection has after that for its requests; then it is cut.',
    validator: atLeast(0),
    group: 'Limits',
    option: 'maxConnectionAgeGraceMs',
  },
  {
    name: 'otlp.rate.limit',
    type: 'int',
    default: 0,
    importance: 'low',
    documentation:
      'Most requests per second of one client address; twice as many at once. Further ones: 429, RESOURCE_EXHAUSTED with RetryInfo. 0: no limit.',
    validator: between(0, 1_000_000),
    group: 'Limits',
    option: 'rateLimit',
  },
] as const satisfies readonly ConfigKey[];
