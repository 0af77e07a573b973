import { atLeast, type ConfigKey } from '@levada/connect-runtime-core';
import { hostList, tokenList } from '../security-lists.ts';

/** Transport security, and who may send. */
export const securityKeys = [
  {
    name: 'otlp.tls.enabled',
    type: 'boolean',
    default: false,
    importance: 'high',
    documentation: 'Whether both receivers use TLS, 1.2 at least. There is no fallback to plaintext.',
    group: 'TLS',
    dependents: ['otlp.tls.cert.path', 'otlp.tls.key.path', 'otlp.tls.client.ca.path'],
    option: 'tls',
  },
  {
    name: 'otlp.tls.cert.path',
    type: 'string',
    default: null,
    importance: 'medium',
    documentation: 'PEM file with the certificate chain of the receivers. Required with TLS.',
    group: 'TLS',
    option: 'tlsCertPath',
  },
  {
    name: 'otlp.tls.key.path',
    type: 'string',
    default: null,
    importance: 'medium',
    documentation: 'PEM file with its private key, not encrypted. Required with TLS.',
    group: 'TLS',
    option: 'tlsKeyPath',
  },
  {
    name: 'otlp.tls.client.ca.path',
    type: 'string',
    default: null,
    importance: 'medium',
    documentation:
      'PEM file with the authorities of clients. With it clients must show a certificate (mutual TLS).',
    group: 'TLS',
    option: 'tlsClientCaPath',
  },
  {
    name: 'otlp.tls.reload.interval.ms',
    type: 'long',
    default: 60_000,
    importance: 'low',
    documentation:
      'How often the TLS files are read anew; new connections use what has changed. 0: only at the start.',
    validator: atLeast(0),
    group: 'TLS',
    option: 'tlsReloadIntervalMs',
  },
  {
    name: 'otlp.auth.tokens',
    type: 'password',
    default: null,
    importance: 'medium',
    documentation:
      'Bearer tokens, separated by commas. With any, each request must carry one of them (Authorization: Bearer).',
    validator: tokenList,
    group: 'Access',
    option: 'tokens',
  },
  {
    name: 'otlp.allowed.hosts',
    type: 'list',
    default: '',
    importance: 'low',
    documentation:
      'Names that clients may address the receivers by, in Host or :authority, without port. Empty: any. IP addresses and localhost are always allowed.',
    validator: hostList,
    group: 'Access',
    option: 'allowedHosts',
  },
] as const satisfies readonly ConfigKey[];
