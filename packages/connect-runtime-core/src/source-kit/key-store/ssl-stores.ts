import type { SecureContextOptions, SecureVersion } from 'node:tls';
import type { Secret } from '../../config/secret.ts';
import { type ConfigIssue, ConnectorError } from '../../diagnostics/connector-error.ts';
import { readRegularFile } from '../net/regular-file.ts';
import { openKeyStore, openTrustStore, type StoreBytes } from './key-store.ts';

/** Largest store, certificate or key, in a file or a text. */
const MAX_BYTES = 1024 * 1024;

/** The `ssl.*` keys of Kafka that say what is trusted and what is shown. Null or blank: not given. */
export interface SslStores {
  readonly 'ssl.truststore.location': string | null;
  readonly 'ssl.truststore.password': Secret | null;
  readonly 'ssl.truststore.certificates': Secret | null;
  readonly 'ssl.keystore.location': string | null;
  readonly 'ssl.keystore.password': Secret | null;
  readonly 'ssl.keystore.key': Secret | null;
  readonly 'ssl.keystore.certificate.chain': Secret | null;
  readonly 'ssl.key.password': Secret | null;
}

/** With the keys that say how connections are made. */
export interface SslValues extends SslStores {
  readonly 'ssl.enabled.protocols': readonly string[];
  readonly 'ssl.endpoint.identification.algorithm': string;
}

/** What Node's TLS takes. */
export interface ClientTls extends SecureContextOptions {
  /** Present when certificates for other hosts are accepted. */
  readonly checkServerIdentity?: () => undefined;
}

type StoreKey = keyof SslStores;

/** Problems of these keys taken together; no file is read. `prefix` is before their names. */
export function sslProblems(isGiven: (key: StoreKey) => boolean, prefix = ''): readonly ConfigIssue[] {
  const issues: ConfigIssue[] = [];
  const complain = (key: StoreKey, problem: string): void => {
    issues.push({ key: prefix + key, message: `Invalid configuration ${prefix}${key}: ${problem}` });
  };
  if (isGiven('ssl.truststore.location') && isGiven('ssl.truststore.certificates')) {
    complain('ssl.truststore.location', 'ssl.truststore.certificates is given too; one of them is expected');
  }
  if (isGiven('ssl.keystore.key') !== isGiven('ssl.keystore.certificate.chain')) {
    const missing = isGiven('ssl.keystore.key') ? 'ssl.keystore.certificate.chain' : 'ssl.keystore.key';
    complain(missing, 'ssl.keystore.key and ssl.keystore.certificate.chain are expected together');
  } else if (isGiven('ssl.keystore.location') && isGiven('ssl.keystore.key')) {
    complain('ssl.keystore.location', 'ssl.keystore.key is given too; one of them is expected');
  }
  return issues;
}

/**
 * Reads the files, opens the stores, and checks that what is in them fits together. Throws `file_unreadable` or `config_invalid` with the key in
 * `issues`, with its prefix; no text shows a content or a password.
 */
export function readSsl(values: SslValues, prefix = ''): ClientTls {
  const [problem] = sslProblems((key) => textOf(values[key]) !== '', prefix);
  if (problem !== undefined) {
    throw new ConnectorError('config_invalid', problem.message, { issues: [problem] });
  }
  const versions = values['ssl.enabled.protocols'];
  const version = (tls12: boolean): SecureVersion => (tls12 ? 'TLSv1.2' : 'TLSv1.3');
  return {
    ...readTrustStore(values, prefix),
    ...readKeyStore(values, prefix),
    minVersion: version(versions.includes('TLSv1.2')),
    maxVersion: version(!versions.includes('TLSv1.3')),
    ...(values['ssl.endpoint.identification.algorithm'] === ''
      ? { checkServerIdentity: () => undefined }
      : {}),
  };
}

function readTrustStore(values: SslStores, prefix: string): SecureContextOptions {
  const text = textOf(values['ssl.truststore.certificates']);
  const file = textOf(values['ssl.truststore.location']);
  if (text === '' && file === '') return {};
  const key = text === '' ? 'ssl.truststore.location' : 'ssl.truststore.certificates';
  const password = textOf(values['ssl.truststore.password']);
  const passwordKey = `${prefix}ssl.truststore.password`;
  return { ca: openTrustStore({ ...readStore(prefix + key, file, text), password, passwordKey }) };
}

function readKeyStore(values: SslStores, prefix: string): SecureContextOptions {
  const keyText = textOf(values['ssl.keystore.key']);
  const text = keyText === '' ? '' : `${keyText}\n${textOf(values['ssl.keystore.certificate.chain'])}`;
  const file = textOf(values['ssl.keystore.location']);
  if (text === '' && file === '') return {};
  const key = text === '' ? 'ssl.keystore.location' : 'ssl.keystore.key';
  const password = textOf(values['ssl.keystore.password']);
  const passwordKey = `${prefix}ssl.keystore.password`;
  const own = { password: textOf(values['ssl.key.password']), passwordKey: `${prefix}ssl.key.password` };
  return openKeyStore({ ...readStore(prefix + key, file, text), password, passwordKey }, own);
}

/** The bytes of a text, or of a file where there is none. */
function readStore(key: string, file: string, text: string): Pick<StoreBytes, 'bytes' | 'place' | 'refuse'> {
  const refuse = (problem: string, cause?: unknown): ConnectorError => {
    const message = `Invalid configuration ${key}: ${problem}`;
    return new ConnectorError('config_invalid', message, { cause, issues: [{ key, message }] });
  };
  if (text !== '') {
    const bytes = Buffer.from(text);
    if (bytes.length > MAX_BYTES) throw refuse(`the text is larger than ${MAX_BYTES} bytes`);
    return { bytes, place: 'the text', refuse };
  }
  try {
    return { bytes: readRegularFile(file, MAX_BYTES), place: `file "${file}"`, refuse };
  } catch (cause) {
    const message = `Cannot read the file of ${key} ${ConnectorError.from(cause).message}`;
    throw new ConnectorError('file_unreadable', message, { cause, issues: [{ key, message }] });
  }
}

function textOf(value: string | Secret | null): string {
  if (value === null) return '';
  return typeof value === 'string' ? value : value.reveal();
}
