import type { ConfigKey } from '@levada/connect-runtime-core';
import { configDef, type ParsedConfig, type RawConfig } from '@levada/connect-runtime-core';
import { oneOfIgnoringCase, type Validator } from '@levada/connect-runtime-core/config';

/** The versions of TLS that are served. */
const versions = ['TLSv1.2', 'TLSv1.3'] as const;
const storeTypes = oneOfIgnoringCase('PEM', 'PKCS12', 'JKS');

const tlsVersions: Validator = {
  allowed: `one or more of ${versions.join(', ')}`,
  check: (value) =>
    Array.isArray(value) && value.length > 0 && value.every((item) => versions.some((one) => one === item))
      ? undefined
      : `expected one or more of ${versions.join(', ')}`,
};

/** Keys of TLS listeners, as they are after their prefix. */
export const restTlsKeys = [
  {
    name: 'ssl.keystore.location',
    type: 'string',
    default: null,
    importance: 'high',
    documentation:
      'File with the key of the listener and its certificates: PEM, or PKCS12. Read again when it changes.',
  },
  {
    name: 'ssl.keystore.type',
    type: 'string',
    default: 'JKS',
    importance: 'medium',
    documentation:
      'Format of that file, which its first bytes show anyway. `PEM` and `PKCS12` can be read; Java stores files of type `JKS` as PKCS12 too.',
    validator: storeTypes,
  },
  {
    name: 'ssl.keystore.password',
    type: 'password',
    default: null,
    importance: 'high',
    documentation: 'Password of a PKCS12 file.',
  },
  {
    name: 'ssl.keystore.key',
    type: 'password',
    default: null,
    importance: 'high',
    documentation: 'Key of the listener as PEM text, in place of a file.',
  },
  {
    name: 'ssl.keystore.certificate.chain',
    type: 'password',
    default: null,
    importance: 'high',
    documentation: 'Certificate of the listener and those that signed it as PEM text, in place of a file.',
  },
  {
    name: 'ssl.key.password',
    type: 'password',
    default: null,
    importance: 'high',
    documentation: 'Password of the key, where it differs from that of the store, or is in PEM.',
  },
  {
    name: 'ssl.truststore.location',
    type: 'string',
    default: null,
    importance: 'high',
    documentation:
      'PEM or PKCS12 file of the authorities that sign certificates of clients, and of the workers to which requests are forwarded. Default: those that Node knows. Read again when it changes.',
  },
  {
    name: 'ssl.truststore.type',
    type: 'string',
    default: 'JKS',
    importance: 'medium',
    documentation: 'Format of that file, which its first bytes show anyway.',
    validator: storeTypes,
  },
  {
    name: 'ssl.truststore.password',
    type: 'password',
    default: null,
    importance: 'high',
    documentation: 'Password of a PKCS12 file.',
  },
  {
    name: 'ssl.truststore.certificates',
    type: 'password',
    default: null,
    importance: 'high',
    documentation: 'These authorities as PEM text, in place of a file.',
  },
  {
    name: 'ssl.client.auth',
    type: 'string',
    default: 'none',
    importance: 'medium',
    documentation:
      'Certificates of clients: `none`; `requested`, where a client may have none, but not an untrusted one; `required`.',
    validator: oneOfIgnoringCase('none', 'requested', 'required'),
  },
  {
    name: 'ssl.enabled.protocols',
    type: 'list',
    default: ['TLSv1.2', 'TLSv1.3'],
    importance: 'medium',
    documentation: 'TLS versions that are served.',
    validator: tlsVersions,
  },
  {
    name: 'ssl.endpoint.identification.algorithm',
    type: 'string',
    default: 'https',
    importance: 'low',
    documentation:
      'Whether the certificate of a worker to which requests are forwarded must be for its advertised host: `https`, or empty for no check.',
    validator: {
      allowed: '[https, empty]',
      check: (value) => (/^(https)?$/i.test(String(value ?? '')) ? undefined : 'expected https, or nothing'),
    },
  },
] as const satisfies readonly ConfigKey[];

const restTlsDef = configDef(restTlsKeys);

/** Prefixes of keys for listeners alone. */
export type TlsPrefix = 'listeners.https.' | 'admin.listeners.https.';

/** TLS of listeners as it is configured; no file read yet. */
export interface RestTls {
  /** What is before the names of its keys: {@link TlsPrefix}, or nothing. */
  readonly prefix: string;
  readonly values: ParsedConfig<typeof restTlsKeys>;
}

/**
 * The TLS keys of listeners. As in Kafka Connect, those with the prefix count when there is any; otherwise those without prefix, which the Kafka
 * clients share. Throws `config_invalid`; the keys of its issues have no prefix.
 */
export function readRestTls(raw: RawConfig, prefix: TlsPrefix): RestTls {
  const own = Object.entries(raw).filter(([name]) => name.startsWith(prefix));
  if (own.length === 0) return { prefix: '', values: restTlsDef.parse(ownKeys(raw)) };
  return {
    prefix,
    values: restTlsDef.parse(
      ownKeys(Object.fromEntries(own.map(([name, value]) => [name.slice(prefix.length), value]))),
    ),
  };
}

/** The prefix under which {@link readRestTls} finds the keys. */
export function tlsPrefix(raw: RawConfig, prefix: TlsPrefix): string {
  return Object.keys(raw).some((name) => name.startsWith(prefix)) ? prefix : '';
}

/** True for the name of a TLS key after its prefix. */
export function isRestTlsKey(name: string): boolean {
  return restTlsDef.find(name) !== undefined;
}

/** An empty text is no value, but for the check of host names. */
function ownKeys(raw: RawConfig): RawConfig {
  return Object.fromEntries(
    Object.entries(raw).filter(
      ([name, value]) => isRestTlsKey(name) && (value !== '' || name.endsWith('.algorithm')),
    ),
  );
}
