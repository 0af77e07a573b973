import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import { ConnectorError } from '@levada/connect-runtime-core';
import type { WebSocketConfig } from './config.ts';

/** Largest certificate or key file. */
const MAX_BYTES = 1024 * 1024;

const fileKeys = {
  ca: 'websocket.tls.ca.cert',
  cert: 'websocket.tls.client.cert',
  key: 'websocket.tls.client.key',
} as const;

/**
 * Reads the TLS files of a configuration and checks that they fit together. Throws a `file_unreadable` ConnectorError that
 * names the key and the path, never a content. Reads regular files of at most 1 MiB only, so that it cannot block.
 */
export function readTlsFiles(config: WebSocketConfig): SecureContextOptions {
  const files: SecureContextOptions = {};
  for (const [option, key] of Object.entries(fileKeys)) {
    const path = config[key];
    if (path !== null) files[option as keyof typeof fileKeys] = readPem(key, path);
  }
  try {
    createSecureContext(files);
  } catch (cause) {
    const named = Object.values(fileKeys).filter((key) => config[key] !== null);
    const detail = cause instanceof Error ? cause.message : String(cause);
    throw unreadable(`${named.join(', ')}: ${detail}`, cause);
  }
  return files;
}

function readPem(key: string, path: string): Buffer {
  let descriptor: number | undefined;
  try {
    // Non-blocking, because opening a pipe would otherwise wait for its writer.
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stat = fstatSync(descriptor);
    if (!stat.isFile()) throw new Error('not a regular file');
    if (stat.size > MAX_BYTES) throw new Error(`larger than ${MAX_BYTES} bytes`);
    const bytes = Buffer.alloc(stat.size);
    const read = readSync(descriptor, bytes, 0, bytes.length, 0);
    if (!bytes.includes('-----BEGIN ')) throw new Error('holds no PEM block');
    return bytes.subarray(0, read);
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    throw unreadable(`${key} "${path}": ${code ?? message}`, cause);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function unreadable(detail: string, cause: unknown): ConnectorError {
  return new ConnectorError('file_unreadable', `Cannot read TLS certificate: ${detail}`, { cause });
}
