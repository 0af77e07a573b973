import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import { RestError } from '../rest/message/rest-error.ts';
import type { RestRequest } from '../rest/message/rest-message.ts';

/** Most header lines of one request. */
const MAX_HEADERS = 100;
/** Longest request target, in characters. */
const MAX_TARGET = 8192;

/** Headers by lower-case name, repeated ones joined. Throws for too many headers and for a second `Host`. */
export function readHeaders(request: IncomingMessage): ReadonlyMap<string, string> {
  const raw = request.rawHeaders;
  if (raw.length > MAX_HEADERS * 2) throw new RestError(431, `More than ${MAX_HEADERS} header lines`);
  const headers = new Map<string, string>();
  for (let i = 0; i < raw.length; i += 2) {
    const name = (raw[i] as string).toLowerCase();
    const before = headers.get(name);
    if (before !== undefined && name === 'host') throw new RestError(400, 'More than one Host header');
    headers.set(name, before === undefined ? (raw[i + 1] as string) : `${before}, ${raw[i + 1]}`);
  }
  return headers;
}

/** The request as the handler sees it. */
export function toRestRequest(
  request: IncomingMessage,
  headers: ReadonlyMap<string, string>,
  body: Uint8Array,
): RestRequest {
  const target = request.url ?? '/';
  if (target.length > MAX_TARGET) throw new RestError(414, `The URL is longer than ${MAX_TARGET} characters`);
  const baseUrl = `${schemeOf(request)}://${headers.get('host') ?? 'localhost'}`;
  return {
    method: request.method ?? 'GET',
    target,
    headers,
    body,
    baseUrl,
    client: request.socket.remoteAddress ?? '',
  };
}

/** How the request came, which its target does not say. */
export function schemeOf({ socket }: IncomingMessage): 'http' | 'https' {
  return socket instanceof TLSSocket ? 'https' : 'http';
}
