import type { OutgoingHttpHeaders } from 'node:http2';
import { ConnectorError } from '@levada/connect-runtime-core';
import { acceptedEncodings, binaryHeader } from '@levada/grpc-wire';
import type { CallOptions, MetadataEntry } from './channel.ts';
import { readableByClient } from './inbound-messages.ts';

/** Names that metadata cannot set: they belong to HTTP/2 or to gRPC itself. */
const reserved = new Set([
  'connection',
  'content-length',
  'content-type',
  'host',
  'keep-alive',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
  'user-agent',
]);

/** Node sends headers of 64 KiB at most, and reports longer ones as a refusal by the server. */
const MAX_METADATA_BYTES = 60 * 1024;
/** What a field counts for beside its name and value (RFC 9113, section 6.5.2). */
const FIELD_BYTES = 32;

/** How this client names itself. */
export const userAgent = 'levada-grpc/0.1.0';

/** The headers of a call. Entries with reserved names are left out; one that no server could read throws. */
export function requestHeaders(
  options: Pick<CallOptions, 'path' | 'metadata' | 'compression'>,
  authority: string,
  scheme: 'http' | 'https',
): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = Object.assign(Object.create(null), {
    ':method': 'POST',
    ':scheme': scheme,
    ':authority': authority,
    ':path': options.path,
    te: 'trailers',
    'content-type': 'application/grpc',
    'user-agent': userAgent,
    'grpc-accept-encoding': acceptedEncodings(readableByClient),
    ...(options.compression === 'identity' ? {} : { 'grpc-encoding': options.compression }),
  });
  for (const [name, values] of sentMetadata(options.metadata)) headers[name] = values;
  return headers;
}

/**
 * The metadata that is sent, without what belongs to gRPC: the values of each name, as a name may come several times, those of
 * binary names in base64. Throws for entries that no server could read, and when it is too much.
 */
export function sentMetadata(metadata: readonly MetadataEntry[]): ReadonlyMap<string, string[]> {
  const groups = new Map<string, string[]>();
  let bytes = 0;
  for (const [name, entry] of metadata) {
    if (isReserved(name)) continue;
    const values = groups.get(name) ?? [];
    const value = headerValue(name, entry);
    values.push(value);
    groups.set(name, values);
    bytes += name.length + value.length + FIELD_BYTES;
  }
  if (bytes <= MAX_METADATA_BYTES) return groups;
  throw new ConnectorError(
    'config_invalid',
    `metadata of ${bytes} bytes, expected at most ${MAX_METADATA_BYTES}`,
  );
}

function isReserved(name: string): boolean {
  return name.startsWith(':') || name.startsWith('grpc-') || reserved.has(name);
}

function headerValue(name: string, value: string | Uint8Array): string {
  if (!/^[0-9a-z_.-]+$/.test(name)) {
    throw new ConnectorError(
      'config_invalid',
      `metadata name ${JSON.stringify(name)} holds characters other than 0-9 a-z _ - .`,
    );
  }
  // Base64 in either form arrives; without padding is what the protocol wants to be sent.
  if (name.endsWith('-bin'))
    return typeof value === 'string' ? value.replace(/=+$/, '') : binaryHeader(value);
  if (typeof value === 'string' && /^[\x20-\x7e]*$/.test(value)) return value;
  throw new ConnectorError('config_invalid', `metadata "${name}" is no printable ASCII text`);
}
