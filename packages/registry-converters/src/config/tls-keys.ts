import type { ConfigKey } from '@levada/connect-runtime-core';
import { oneOfIgnoringCase } from '@levada/connect-runtime-core/config';

/** TLS keys for the registry: those of Kafka's clients with the prefix `schema.registry.`. */
export const tlsKeys = [
  {
    name: 'schema.registry.ssl.truststore.location',
    type: 'string',
    default: null,
    importance: 'medium',
    documentation:
      'File with the certificates of trusted authorities, PEM or PKCS12. Default: those of Node.',
  },
  {
    name: 'schema.registry.ssl.truststore.certificates',
    type: 'password',
    default: null,
    importance: 'medium',
    documentation: 'The same certificates as text, PEM.',
  },
  {
    name: 'schema.registry.ssl.truststore.type',
    type: 'string',
    default: 'JKS',
    importance: 'medium',
    documentation: 'Type of the truststore. The file decides; PEM and PKCS12 can be read.',
  },
  {
    name: 'schema.registry.ssl.truststore.password',
    type: 'password',
    default: null,
    importance: 'medium',
    documentation: 'Password of a PKCS12 truststore.',
  },
  {
    name: 'schema.registry.ssl.keystore.location',
    type: 'string',
    default: null,
    importance: 'medium',
    documentation: 'File with key and certificates of this client, PEM or PKCS12.',
  },
  {
    name: 'schema.registry.ssl.keystore.type',
    type: 'string',
    default: 'JKS',
    importance: 'medium',
    documentation: 'Type of the keystore. The file decides; PEM and PKCS12 can be read.',
  },
  {
    name: 'schema.registry.ssl.keystore.password',
    type: 'password',
    default: null,
    importance: 'medium',
    documentation: 'Password of a PKCS12 keystore.',
  },
  {
    name: 'schema.registry.ssl.keystore.key',
    type: 'password',
    default: null,
    importance: 'medium',
    documentation: 'Private key of this client as text, PEM.',
  },
  {
    name: 'schema.registry.ssl.keystore.certificate.chain',
    type: 'password',
    default: null,
    importance: 'medium',
    documentation: 'Certificates of this client as text, PEM.',
  },
  {
    name: 'schema.registry.ssl.key.password',
    type: 'password',
    default: null,
    importance: 'medium',
    documentation: 'Password of the private key, if it differs from that of the keystore or the key is PEM.',
  },
  {
    name: 'schema.registry.ssl.endpoint.identification.algorithm',
    type: 'string',
    default: 'https',
    importance: 'low',
    documentation: 'https: the certificate must match the host of the registry. Blank: any host.',
    validator: oneOfIgnoringCase('https', ''),
  },
] as const satisfies readonly ConfigKey[];
