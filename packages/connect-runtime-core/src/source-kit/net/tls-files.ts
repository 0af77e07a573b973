import { createSecureContext, type SecureContextOptions } from 'node:tls';
import { ConnectorError } from '../../diagnostics/connector-error.ts';
import { pemCertificates } from './pem-certificates.ts';
import { readRegularFile } from './regular-file.ts';

const prefix = 'Cannot read TLS certificate:';

/** Largest certificate or key file. */
const MAX_BYTES = 1024 * 1024;

/** Where one part of a secure context comes from. */
export interface TlsFile {
  /** `ca`: authorities that are trusted; `cert`: the chain shown to the peer; `key`: its private key, not encrypted. */
  readonly option: 'ca' | 'cert' | 'key';
  /** Configuration key, for errors. */
  readonly key: string;
  /** Path of a PEM file, or PEM text itself: whatever has a `-----BEGIN`. Null: not configured. */
  readonly value: string | null;
  /** True: the value is PEM text only, and a secret; it is never taken for a path. Default false. */
  readonly secret?: boolean;
}

/**
 * Reads the TLS files of a configuration and checks that they fit together. Of two rows for one option the later one counts.
 * Throws a `file_unreadable` ConnectorError that names the key, also in `issues`, and the path, never a content. Reads regular files of at most
 * 1 MiB only, so that it cannot block.
 */
export function readTlsFiles(files: readonly TlsFile[]): SecureContextOptions {
  const given = files.filter(({ value }) => value !== null);
  const options: SecureContextOptions = {};
  for (const file of given) options[file.option] = readPem(file, file.value ?? '');
  try {
    createSecureContext(options);
  } catch (cause) {
    const named = given.find(({ option }) => option === 'cert') ?? given[0];
    throw unreadable(named?.key ?? '', given.map(({ key }) => key).join(', '), cause);
  }
  return options;
}

function readPem({ option, key, secret }: TlsFile, value: string): Buffer {
  const isText = secret === true || value.includes('-----BEGIN');
  const bytes = isText ? Buffer.from(value) : readFile(key, value);
  const shown = isText ? key : `${key} "${value}"`;
  if (!bytes.includes('-----BEGIN ')) throw unreadable(key, shown, new Error('holds no PEM block'));
  try {
    if (option === 'ca') checkAuthorities(bytes);
  } catch (cause) {
    throw unreadable(key, shown, cause);
  }
  return bytes;
}

/** Node reads authorities up to the first that it cannot read, silently, and trusts none of the rest. */
function checkAuthorities(bytes: Buffer): void {
  if (pemCertificates(bytes.toString('latin1')).length === 0) throw new Error('holds no certificate');
}

function readFile(key: string, path: string): Buffer {
  try {
    return readRegularFile(path, MAX_BYTES);
  } catch (cause) {
    const { message } = ConnectorError.from(cause);
    throw failure(key, `${prefix} ${key} ${message}`, cause);
  }
}

function unreadable(key: string, what: string, cause: unknown): ConnectorError {
  const detail = cause instanceof Error ? cause.message : String(cause);
  return failure(key, `${prefix} ${what}: ${detail}`, cause);
}

function failure(key: string, message: string, cause: unknown): ConnectorError {
  return new ConnectorError('file_unreadable', message, { cause, issues: [{ key, message }] });
}
