import type { ConfigKey } from '@levada/connect-runtime-core';
import { atLeast, type Validator } from '@levada/connect-runtime-core/config';
import { brokerAddress } from '../wire/link-options.ts';

/** Kafka's security protocols. */
export const securityProtocols = ['PLAINTEXT', 'SSL', 'SASL_PLAINTEXT', 'SASL_SSL'] as const;

/** Supported SASL mechanisms. */
export const saslMechanisms = ['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512'] as const;

const storeTypes = ['JKS', 'PKCS12', 'PEM'] as const;

function oneOfAnyCase(allowed: readonly string[]): Validator {
  return {
    allowed: `[${allowed.join(', ')}]`,
    check: (value) =>
      typeof value === 'string' && allowed.includes(value.toUpperCase())
        ? undefined
        : `String must be one of (case insensitive): ${allowed.join(', ')}`,
  };
}

const hostAndPorts: Validator = {
  allowed: 'host:port, more separated by commas',
  check: (value) => {
    if (!Array.isArray(value)) return undefined;
    if (value.length === 0) return 'at least one host:port is expected';
    const wrong = value.find((address) => brokerAddress(address) === undefined);
    return wrong === undefined ? undefined : `"${wrong}" is not host:port`;
  },
};

const tlsVersions: Validator = {
  allowed: '[TLSv1.2, TLSv1.3]',
  check: (value) => {
    const versions: readonly unknown[] = Array.isArray(value) ? value : [value];
    const wrong = versions.find((version) => version !== 'TLSv1.2' && version !== 'TLSv1.3');
    return wrong === undefined && versions.length > 0 ? undefined : 'expected TLSv1.2, TLSv1.3 or both';
  },
};

const connectionKeys = [
  {
    name: 'bootstrap.servers',
    type: 'list',
    importance: 'high',
    documentation: 'Brokers to ask for the others. Each is tried in turn.',
    validator: hostAndPorts,
  },
  {
    name: 'client.id',
    type: 'string',
    default: '',
    importance: 'medium',
    documentation: 'Names this client in logs and quotas of the brokers; put before the name of each use.',
  },
  {
    name: 'request.timeout.ms',
    type: 'int',
    default: 40_000,
    importance: 'low',
    documentation: 'A broker that does not answer a request for this long is given up, in milliseconds.',
    validator: atLeast(1),
  },
  {
    name: 'socket.connection.setup.timeout.ms',
    type: 'long',
    default: 10_000,
    importance: 'low',
    documentation: 'A connection that is not made within this time is given up, in milliseconds.',
    validator: atLeast(1),
  },
  {
    name: 'default.api.timeout.ms',
    type: 'int',
    default: 60_000,
    importance: 'low',
    documentation: 'Longest that work on topics (creating, describing) is tried, in milliseconds.',
    validator: atLeast(1),
  },
  {
    name: 'retry.backoff.ms',
    type: 'long',
    default: 100,
    importance: 'low',
    documentation:
      'Delay before the first retry of a request that failed, in milliseconds. It doubles with each further one.',
    validator: atLeast(1),
  },
  {
    name: 'retry.backoff.max.ms',
    type: 'long',
    default: 1000,
    importance: 'low',
    documentation: 'Upper bound of the delay between retries, in milliseconds.',
    validator: atLeast(1),
  },
] as const satisfies readonly ConfigKey[];

const tlsKeys = [
  {
    name: 'security.protocol',
    type: 'string',
    default: 'PLAINTEXT',
    importance: 'medium',
    documentation: 'Whether to use TLS (`SSL`), to authenticate (`SASL_PLAINTEXT`), or both (`SASL_SSL`).',
    validator: oneOfAnyCase(securityProtocols),
  },
  {
    name: 'ssl.truststore.type',
    type: 'string',
    default: 'JKS',
    importance: 'medium',
    documentation: 'Format of the trusted certificates. The file decides; PEM and PKCS12 can be read.',
    validator: oneOfAnyCase(storeTypes),
  },
  {
    name: 'ssl.truststore.location',
    type: 'string',
    default: null,
    importance: 'high',
    documentation: 'PEM or PKCS12 file of trusted certificates. Default: the authorities that Node knows.',
  },
  {
    name: 'ssl.truststore.password',
    type: 'password',
    default: null,
    importance: 'high',
    documentation: 'Password of a PKCS12 trust store.',
  },
  {
    name: 'ssl.truststore.certificates',
    type: 'password',
    default: null,
    importance: 'high',
    documentation: 'Trusted certificates as PEM text, in place of a file.',
  },
  {
    name: 'ssl.keystore.type',
    type: 'string',
    default: 'JKS',
    importance: 'medium',
    documentation: 'Format of the client key and certificate. The file decides; PEM and PKCS12 can be read.',
    validator: oneOfAnyCase(storeTypes),
  },
  {
    name: 'ssl.keystore.location',
    type: 'string',
    default: null,
    importance: 'high',
    documentation: 'PEM or PKCS12 file with the client key and its certificates.',
  },
  {
    name: 'ssl.keystore.password',
    type: 'password',
    default: null,
    importance: 'high',
    documentation: 'Password of a PKCS12 key store.',
  },
  {
    name: 'ssl.keystore.certificate.chain',
    type: 'password',
    default: null,
    importance: 'high',
    documentation: 'Client certificate and those that signed it as PEM text, in place of a file.',
  },
  {
    name: 'ssl.keystore.key',
    type: 'password',
    default: null,
    importance: 'high',
    documentation: 'Client key as PEM text, in place of a file.',
  },
  {
    name: 'ssl.key.password',
    type: 'password',
    default: null,
    importance: 'high',
    documentation: 'Password of the client key, where it differs from that of the store, or is in PEM.',
  },
  {
    name: 'ssl.enabled.protocols',
    type: 'list',
    default: ['TLSv1.2', 'TLSv1.3'],
    importance: 'medium',
    documentation: 'TLS versions that may be used.',
    validator: tlsVersions,
  },
  {
    name: 'ssl.endpoint.identification.algorithm',
    type: 'string',
    default: 'https',
    importance: 'low',
    documentation:
      'Whether the certificate must be for the host that was dialled: `https`, or empty for no check.',
    validator: {
      allowed: '[https, empty]',
      check: (value) => (/^(https)?$/i.test(String(value ?? '')) ? undefined : 'expected https, or nothing'),
    },
  },
] as const satisfies readonly ConfigKey[];

const saslKeys = [
  {
    name: 'sasl.mechanism',
    type: 'string',
    default: 'GSSAPI',
    importance: 'medium',
    documentation: 'How to authenticate: `PLAIN`, `SCRAM-SHA-256` or `SCRAM-SHA-512`.',
  },
  {
    name: 'sasl.jaas.config',
    type: 'password',
    default: null,
    importance: 'medium',
    documentation:
      'User and password as Java writes them: `org.apache.kafka.common.security.scram.ScramLoginModule required username="..." password="...";`',
  },
] as const satisfies readonly ConfigKey[];

const fetchKeys = [
  {
    name: 'fetch.max.wait.ms',
    type: 'int',
    default: 2000,
    importance: 'low',
    documentation:
      'Consumer: a broker without news answers after this time, in milliseconds (Java: 500). News come at once.',
    validator: atLeast(0),
  },
  {
    name: 'fetch.max.bytes',
    type: 'int',
    default: 8_388_608,
    importance: 'medium',
    documentation: 'Consumer: bytes of one answer. A larger batch of records comes alone.',
    validator: atLeast(1024),
  },
  {
    name: 'max.partition.fetch.bytes',
    type: 'int',
    default: 1_048_576,
    importance: 'medium',
    documentation: 'Consumer: bytes of one answer for each partition.',
    validator: atLeast(1024),
  },
] as const satisfies readonly ConfigKey[];

/** Every key for connections and for reading compacted logs, in the order of documentation. */
export const clientKeyRows = [...connectionKeys, ...tlsKeys, ...saslKeys, ...fetchKeys] as const;
