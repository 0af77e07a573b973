import { createSecureContext, type SecureContextOptions } from 'node:tls';
import { ConnectorError } from '@levada/connect-runtime-core';
import { readRegularFile } from '@levada/connect-runtime-core/source-kit';
import type { TlsSettings } from '../config/registry-settings.ts';

/** Largest file of keys or certificates. */
const MAX_BYTES = 4 * 1024 * 1024;

/** What Node's TLS takes. */
export interface TlsOptions extends SecureContextOptions {
  /** Present when certificates for other hosts are accepted. */
  readonly checkServerIdentity?: () => undefined;
}

/** Reads the files and proves that they fit together. Throws `file_unreadable` or `config_invalid`, naming the key. */
export function readTls({ trusted, client, checkHostName }: TlsSettings): TlsOptions {
  return {
    minVersion: 'TLSv1.2',
    ...(trusted === undefined ? {} : trustedOptions(trusted)),
    ...(client === undefined ? {} : clientOptions(client)),
    ...(checkHostName ? {} : { checkServerIdentity: () => undefined }),
  };
}

function trustedOptions(trusted: NonNullable<TlsSettings['trusted']>): SecureContextOptions {
  const inline = 'text' in trusted;
  const key = inline ? 'truststore.certificates' : 'truststore.location';
  const bytes = inline ? Buffer.from(trusted.text.reveal()) : read(key, trusted.file);
  if (!bytes.includes('-----BEGIN CERTIFICATE-----')) {
    throw wrong(
      key,
      'only PEM can be read: export the certificates (keytool -exportcert -rfc) into a .pem file',
    );
  }
  return proved(key, { ca: bytes.toString() });
}

function clientOptions(client: NonNullable<TlsSettings['client']>): SecureContextOptions {
  if ('key' in client) {
    const { key, chain, password } = client;
    return proved('keystore.key', {
      key: key.reveal(),
      cert: chain.reveal(),
      ...(password === null ? {} : { passphrase: password.reveal() }),
    });
  }
  const bytes = read('keystore.location', client.file);
  const isPem = bytes.includes('-----BEGIN ');
  if (!isPem && bytes[0] !== 0x30) {
    throw wrong(
      'keystore.location',
      'PEM or PKCS12 is expected: convert it (keytool -importkeystore -deststoretype PKCS12)',
    );
  }
  const password = isPem ? client.keyPassword : client.storePassword;
  return proved('keystore.location', {
    ...(isPem ? { key: bytes, cert: bytes } : { pfx: bytes }),
    ...(password === null ? {} : { passphrase: password.reveal() }),
  });
}

function read(key: string, file: string): Buffer {
  try {
    return readRegularFile(file, MAX_BYTES);
  } catch (thrown) {
    const name = `schema.registry.ssl.${key}`;
    const message = `file of ${name} cannot be read: ${ConnectorError.from(thrown).message}`;
    throw new ConnectorError('file_unreadable', message, {
      cause: thrown,
      issues: [{ key: name, message }],
    });
  }
}

function proved(key: string, options: SecureContextOptions): SecureContextOptions {
  try {
    createSecureContext(options);
    return options;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw wrong(key, `key, certificates and password do not fit together (${reason})`, cause);
  }
}

function wrong(key: string, problem: string, cause?: unknown): ConnectorError {
  const name = `schema.registry.ssl.${key}`;
  const message = `Invalid configuration ${name}: ${problem}`;
  return new ConnectorError('config_invalid', message, { cause, issues: [{ key: name, message }] });
}
