import type { ConfigKey } from '@levada/connect-runtime-core';
import { atLeast } from '@levada/connect-runtime-core/config';
import { httpPath, originList } from './http-validators.ts';

/** What the HTTP receiver alone has. */
export const httpKeys = [
  {
    name: 'otlp.http.path.traces',
    type: 'string',
    default: '/v1/traces',
    importance: 'low',
    documentation: 'Path that traces are sent to.',
    validator: httpPath,
    group: 'HTTP',
    option: 'paths.traces',
    example: "'/otlp/traces'",
  },
  {
    name: 'otlp.http.path.metrics',
    type: 'string',
    default: '/v1/metrics',
    importance: 'low',
    documentation: 'Path that metrics are sent to.',
    validator: httpPath,
    group: 'HTTP',
    option: 'paths.metrics',
    example: "'/otlp/metrics'",
  },
  {
    name: 'otlp.http.path.logs',
    type: 'string',
    default: '/v1/logs',
    importance: 'low',
    documentation: 'Path that logs are sent to.',
    validator: httpPath,
    group: 'HTTP',
    option: 'paths.logs',
    example: "'/otlp/logs'",
  },
  {
    name: 'otlp.http.cors.allowed.origins',
    type: 'list',
    default: '',
    importance: 'low',
    documentation:
      'Origins of web pages that may send: https://shop.example, https://*.shop.example for all hosts below that one (with its scheme and port, and not that host itself), or * for all. Empty: none, and requests of web pages of other origins are refused.',
    validator: originList,
    group: 'HTTP',
    option: 'cors.origins',
    example: "['https://shop.example']",
  },
  {
    name: 'otlp.http.cors.allowed.headers',
    type: 'list',
    default: '',
    importance: 'low',
    documentation:
      'Request headers that web pages may set beside Content-Type, Content-Encoding and Authorization.',
    group: 'HTTP',
    option: 'cors.headers',
    example: "['x-tenant-id']",
  },
  {
    name: 'otlp.http.request.timeout.ms',
    type: 'long',
    default: 30_000,
    importance: 'low',
    documentation:
      'Longest time that a request may take to arrive; its headers get a third of it. Then: 408.',
    validator: atLeast(1000),
    group: 'HTTP',
    option: 'httpRequestTimeoutMs',
    example: '10_000',
  },
  {
    name: 'otlp.http.idle.timeout.ms',
    type: 'long',
    default: 65_000,
    importance: 'low',
    documentation: 'A connection without a request for so long is closed.',
    validator: atLeast(1000),
    group: 'HTTP',
    option: 'httpIdleTimeoutMs',
    example: '30_000',
  },
] as const satisfies readonly ConfigKey[];
