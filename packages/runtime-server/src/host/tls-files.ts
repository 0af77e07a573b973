import { X509Certificate } from 'node:crypto';
import { createSecureContext, type SecureContextOptions, type TlsOptions } from 'node:tls';
import { ConnectorError } from '@levada/connect-runtime-core';
import { readRegularFile } from '@levada/connect-runtime-core/source-kit';
import type Forge from 'node-forge';
import type { RestTls } from '../config/rest-tls.ts';

/** Largest file of certificates or keys. */
const MAX_BYTES = 1024 * 1024;

/** TLS of listeners, and of requests from this worker to others, as Node takes it. */
export interface LoadedTls {
  readonly server: TlsOptions;
  readonly client: ClientTls;
}

/** For requests to other workers. */
export interface ClientTls extends SecureContextOptions {
  /** Present when certificates for other hosts are accepted. */
  readonly checkServerIdentity?: () => undefined;
}

/** The files that a configuration names. */
export function tlsFilesOf({ values }: RestTls): readonly string[] {
  return [values['ssl.keystore.location'], values['ssl.truststore.location']].filter((file) => file !== null);
}

/**
 * Reads the files and proves that they fit together. Rejects with `file_unreadable` or `config_invalid` with the key in `issues`; no text shows a
 * content.
 */
export async function loadRestTls(tls: RestTls): Promise<LoadedTls> {
  const { values } = tls;
  const trusted = await loadTrusted(tls);
  const own = loadKey(tls);
  const allowed = values['ssl.enabled.protocols'];
  const shared: SecureContextOptions = {
    ...own,
    ...(trusted === undefined ? {} : { ca: trusted }),
    minVersion: allowed.includes('TLSv1.2') ? 'TLSv1.2' : 'TLSv1.3',
    maxVersion: allowed.includes('TLSv1.3') ? 'TLSv1.3' : 'TLSv1.2',
  };
  const clientAuth = values['ssl.client.auth'].toLowerCase();
  return {
    server: { ...shared, requestCert: clientAuth !== 'none', rejectUnauthorized: clientAuth === 'required' },
    client: {
      ...shared,
      ...(values['ssl.endpoint.identification.algorithm'] === ''
        ? { checkServerIdentity: () => undefined }
        : {}),
    },
  };
}

async function loadTrusted({ prefix, values }: RestTls): Promise<string | undefined> {
  const text = values['ssl.truststore.certificates'];
  const file = values['ssl.truststore.location'];
  if (text === null && file === null) return undefined;
  const key = `${prefix}ssl.truststore.${text === null ? 'location' : 'certificates'}`;
  if (text !== null && file !== null)
    throw wrong(key, 'ssl.truststore.location is given too; one is expected');
  const pem = text === null ? await trustedPem(key, file as string, values) : text.reveal();
  if (!pem.includes('-----BEGIN CERTIFICATE-----')) throw wrong(key, 'it holds no certificate');
  try {
    // Node takes authorities that it cannot read for an empty list, and then trusts no peer, silently.
    new X509Certificate(pem);
  } catch (cause) {
    throw wrong(key, `its certificates cannot be read (${reasonOf(cause)})`, cause);
  }
  return pem;
}

async function trustedPem(key: string, file: string, values: RestTls['values']): Promise<string> {
  const bytes = read(key, file);
  if (bytes.includes('-----BEGIN ')) return bytes.toString('latin1');
  if (bytes[0] !== 0x30) {
    throw wrong(
      key,
      'the file is neither PEM nor PKCS12; convert it with keytool -importkeystore -deststoretype PKCS12',
    );
  }
  // Loaded when it is wanted: Node itself reads PKCS12 only with a key in it.
  const { default: forge } = await import('node-forge');
  try {
    return pkcs12Certificates(forge, bytes, values['ssl.truststore.password']?.reveal() ?? '');
  } catch (cause) {
    throw wrong(
      key,
      `the PKCS12 file cannot be opened with the ssl.truststore.password given (${reasonOf(cause)})`,
      cause,
    );
  }
}

/** The certificates of a PKCS12 file as PEM. Takes about a second, because the keys of such files are made to be slow. */
function pkcs12Certificates(forge: typeof Forge, bytes: Buffer, password: string): string {
  const store = forge.pkcs12.pkcs12FromAsn1(forge.asn1.fromDer(bytes.toString('binary')), password);
  const bags = store.safeContents.flatMap(({ safeBags }) => safeBags);
  return bags
    .filter(({ type }) => type === forge.pki.oids['certBag'])
    .map(({ cert, asn1 }) => {
      // The library understands RSA certificates, and hands others on as they are.
      const encoded = cert === undefined || cert === null ? asn1 : forge.pki.certificateToAsn1(cert);
      const base64 = Buffer.from(forge.asn1.toDer(encoded).getBytes(), 'binary').toString('base64');
      const lines = base64.match(/.{1,64}/g) ?? [];
      return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
    })
    .join('');
}

function loadKey({ prefix, values }: RestTls): SecureContextOptions {
  const key = values['ssl.keystore.key'];
  const chain = values['ssl.keystore.certificate.chain'];
  const file = values['ssl.keystore.location'];
  if ((key === null) !== (chain === null)) {
    throw wrong(
      `${prefix}ssl.keystore.${key === null ? 'key' : 'certificate.chain'}`,
      'ssl.keystore.key and ssl.keystore.certificate.chain are expected together',
    );
  }
  const where = `${prefix}ssl.keystore.${key === null ? 'location' : 'key'}`;
  if (key !== null && chain !== null) {
    if (file !== null) throw wrong(where, 'ssl.keystore.location is given too; one is expected');
    const options = { key: key.reveal(), cert: chain.reveal(), ...passphrase(values['ssl.key.password']) };
    return checked(where, options, 'key, certificate chain and ssl.key.password do not fit together');
  }
  if (file === null) {
    throw wrong(where, 'an https listener needs a file with its key and certificates, or ssl.keystore.key');
  }
  const bytes = read(where, file);
  if (bytes.includes('-----BEGIN ')) {
    const options = { key: bytes, cert: bytes, ...passphrase(values['ssl.key.password']) };
    return checked(where, options, 'key and certificates cannot be read with the ssl.key.password given');
  }
  if (bytes[0] !== 0x30) {
    throw wrong(
      where,
      'the file is neither PEM nor PKCS12; convert it with keytool -importkeystore -deststoretype PKCS12',
    );
  }
  const options = { pfx: bytes, ...passphrase(values['ssl.keystore.password']) };
  return checked(where, options, 'the PKCS12 file cannot be opened with the ssl.keystore.password given');
}

function passphrase(password: { reveal(): string } | null): SecureContextOptions {
  return password === null ? {} : { passphrase: password.reveal() };
}

function checked(key: string, options: SecureContextOptions, problem: string): SecureContextOptions {
  try {
    createSecureContext(options);
    return options;
  } catch (cause) {
    throw wrong(key, `${problem} (${reasonOf(cause)})`, cause);
  }
}

function read(key: string, file: string): Buffer {
  try {
    return readRegularFile(file, MAX_BYTES);
  } catch (cause) {
    const message = `Invalid configuration ${key}: the file cannot be read: ${reasonOf(cause)}`;
    throw new ConnectorError('file_unreadable', message, { cause, issues: [{ key, message }] });
  }
}

function wrong(key: string, problem: string, cause?: unknown): ConnectorError {
  const message = `Invalid configuration ${key}: ${problem}`;
  return new ConnectorError('config_invalid', message, { cause, issues: [{ key, message }] });
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
