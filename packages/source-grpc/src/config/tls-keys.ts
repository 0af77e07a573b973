import type { ConfigKey } from '@levada/connect-runtime-core';

/** Transport security. */
export const tlsKeys = [
  {
    name: 'grpc.tls.enabled',
    type: 'boolean',
    default: false,
    importance: 'high',
    documentation: 'Whether the connection uses TLS. There is no fallback to plaintext.',
    group: 'TLS',
    dependents: ['grpc.tls.ca.cert', 'grpc.tls.client.cert', 'grpc.tls.client.key', 'grpc.tls.verify'],
    option: 'tls',
  },
  {
    name: 'grpc.tls.ca.cert',
    type: 'string',
    default: null,
    importance: 'medium',
    documentation:
      'The authorities that are trusted in place of the built-in ones: a PEM file, or the PEM text itself.',
    group: 'TLS',
    option: 'tlsCaCert',
  },
  {
    name: 'grpc.tls.client.cert',
    type: 'string',
    default: null,
    importance: 'medium',
    documentation:
      'The certificate chain that this side shows (mutual TLS): a PEM file, or the PEM text itself. Needs a key.',
    dependents: ['grpc.tls.client.key', 'grpc.tls.client.key.pem'],
    group: 'TLS',
    option: 'tlsClientCert',
  },
  {
    name: 'grpc.tls.client.key',
    type: 'string',
    default: null,
    importance: 'medium',
    documentation: 'PEM file with the private key of grpc.tls.client.cert, not encrypted.',
    group: 'TLS',
    option: 'tlsClientKey',
  },
  {
    name: 'grpc.tls.client.key.pem',
    type: 'password',
    default: null,
    importance: 'low',
    documentation: 'The private key as PEM text, in place of the file in grpc.tls.client.key.',
    group: 'TLS',
    option: 'tlsClientKeyPem',
  },
  {
    name: 'grpc.tls.verify',
    type: 'boolean',
    default: true,
    importance: 'low',
    documentation: 'Whether the certificate of the server must be valid. Only for tests to be switched off.',
    group: 'TLS',
    option: 'tlsVerify',
  },
] as const satisfies readonly ConfigKey[];
