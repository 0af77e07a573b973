import { createSecureContext, type SecureContextOptions } from 'node:tls';
import { ConnectorError } from '@levada/connect-runtime-core';
import { readRegularFile } from '@levada/connect-runtime-core/source-kit';
import { type ClientKey, type PemSource, type TlsSettings, trustStoreFix } from './tls-settings.ts';

/** What Node's TLS takes. */
export interface TlsOptions extends SecureContextOptions {
  /** Present when certificates for other hosts are accepted. */
  readonly checkServerIdentity?: () => undefined;
}

/** Largest store, certificate or key file. */
const MAX_BYTES = 1024 * 1024;

const keyStoreFix =
  'convert it (keytool -importkeystore -deststoretype PKCS12) and set ssl.keystore.type=PKCS12, or use PEM';

/** Reads the files and proves that they fit together. Rejects with `file_unreadable` or `config_invalid`, naming key and file. */
export async function loadTls(settings: TlsSettings): Promise<TlsOptions> {
  const [trusted, client] = await Promise.all([
    settings.trusted === undefined ? undefined : loadTrusted(settings.trusted),
    settings.clientKey === undefined ? undefined : loadClientKey(settings.clientKey),
  ]);
  return {
    ...(trusted === undefined ? {} : { ca: trusted }),
    ...client,
    minVersion: settings.minVersion,
    maxVersion: settings.maxVersion,
    ...(settings.checkHostName ? {} : { checkServerIdentity: () => undefined }),
  };
}

async function loadTrusted(source: PemSource): Promise<string> {
  const inline = 'text' in source;
  const key = inline ? 'ssl.truststore.certificates' : 'ssl.truststore.location';
  const bytes = inline ? Buffer.from(source.text.reveal()) : read(key, source.file);
  const place = inline ? 'the text' : `file "${source.file}"`;
  const format = formatOf(bytes);
  if (format !== 'PEM') throw wrong(key, `${place} is ${format}; ${trustStoreFix}`);
  const text = bytes.toString();
  check(key, { ca: text }, `no certificate can be read from ${place}`);
  if (!text.includes('-----BEGIN CERTIFICATE-----')) throw wrong(key, `${place} holds no certificate`);
  return text;
}

async function loadClientKey(source: ClientKey): Promise<SecureContextOptions> {
  if (source.kind === 'texts') {
    const key = 'ssl.keystore.key';
    const { password } = source;
    const options = {
      key: source.key.reveal(),
      cert: source.chain.reveal(),
      ...(password === undefined ? {} : { passphrase: password.reveal() }),
    };
    check(key, options, 'key, certificate chain and password do not fit together');
    return options;
  }
  return await loadKeyFile(source);
}

async function loadKeyFile(source: Extract<ClientKey, { kind: 'file' }>): Promise<SecureContextOptions> {
  const key = 'ssl.keystore.location';
  const { file } = source;
  const bytes = read(key, file);
  const format = formatOf(bytes);
  if (format === 'JKS') throw wrong(key, `file "${file}" is JKS, which cannot be read here; ${keyStoreFix}`);
  if (format === 'unknown') throw wrong(key, `file "${file}" is neither PEM nor PKCS12`);
  const pem = format === 'PEM';
  const password = pem ? source.keyPassword : source.storePassword;
  const options: SecureContextOptions = {
    ...(pem ? { key: bytes, cert: bytes } : { pfx: bytes }),
    ...(password === undefined ? {} : { passphrase: password.reveal() }),
  };
  const passwordKey = pem ? 'ssl.key.password' : 'ssl.keystore.password';
  check(key, options, `${format} file "${file}" cannot be opened with the ${passwordKey} given`);
  return options;
}

type StoreFormat = 'PEM' | 'PKCS12' | 'JKS' | 'unknown';

/** Detected from the first bytes: with Java, a store of type JKS may well be PKCS12. */
function formatOf(bytes: Buffer): StoreFormat {
  if (bytes.includes('-----BEGIN ')) return 'PEM';
  const magic = bytes.length < 4 ? 0 : bytes.readUInt32BE(0);
  if (magic === 0xfeed_feed || magic === 0xcece_cece) return 'JKS';
  return bytes[0] === 0x30 ? 'PKCS12' : 'unknown';
}

function read(key: string, file: string): Buffer {
  try {
    return readRegularFile(file, MAX_BYTES);
  } catch (cause) {
    const message = `Cannot read the file of ${key} ${ConnectorError.from(cause).message}`;
    throw new ConnectorError('file_unreadable', message, { cause, issues: [{ key, message }] });
  }
}

function check(key: string, options: SecureContextOptions, problem: string): void {
  try {
    createSecureContext(options);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw wrong(key, `${problem} (${reason})`, error);
  }
}

function wrong(key: string, problem: string, cause?: unknown): ConnectorError {
  const message = `Invalid configuration ${key}: ${problem}`;
  return new ConnectorError('config_invalid', message, { cause, issues: [{ key, message }] });
}
