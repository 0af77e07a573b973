import { request as httpRequest, type IncomingMessage } from 'node:http';
import { type RequestOptions as HttpsRequestOptions, request as httpsRequest } from 'node:https';
import type { ConnectionOptions } from 'node:tls';

/** TLS of requests to other workers, as it is now: their certificates are checked by the worker's own trust. */
export type WorkerTls = () => ConnectionOptions;

/** A request to another worker. */
export interface ExchangeRequest {
  readonly method: string;
  /** Base URL of the other worker, with trailing slash. */
  readonly baseUrl: string;
  /** Path below it and query, sent as they are: a URL parser would resolve `..` in them, which may be the name of a connector. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Longest time until the end of the answer. */
  readonly timeoutMs: number;
  /** Longest answer. Default: {@link MAX_ANSWER_BYTES}. */
  readonly maxAnswerBytes?: number;
  /** Ends the request. */
  readonly signal?: AbortSignal | undefined;
  readonly tls?: WorkerTls | undefined;
}

/** What the other worker answered. */
export interface ExchangeAnswer {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
}

/**
 * Bodies above this size are sent only when the other worker asks for them. One that refuses a body closes the connection while it is
 * being sent, and its reason would be lost.
 */
const LONG_BODY_BYTES = 512 * 1024;

/** Longest answer: as much as the configuration of a connector with many tasks needs. */
export const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/**
 * One request over a connection of its own. Rejects with the error of the connection, or when it took too long or the answer is
 * too long or incomplete.
 */
export async function exchange(request: ExchangeRequest): Promise<ExchangeAnswer> {
  const { method, baseUrl, path, headers, body, timeoutMs, tls } = request;
  const { protocol, hostname, port, pathname } = workerUrl(baseUrl);
  const limit = AbortSignal.timeout(timeoutMs);
  const { signal, maxAnswerBytes = MAX_ANSWER_BYTES } = request;
  const isLong = body.length > LONG_BODY_BYTES;
  const options: HttpsRequestOptions = {
    ...(protocol === 'https:' ? tls?.() : {}),
    method,
    // Brackets belong to the URL of an IPv6 address, not to the address.
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port,
    path: `${pathname}${path}`,
    headers: {
      ...headers,
      ...(body.length > 0 ? { 'content-length': String(body.length) } : {}),
      ...(isLong ? { expect: '100-continue' } : {}),
    },
    agent: false,
    signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
  };
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const sent = (protocol === 'https:' ? httpsRequest : httpRequest)(options, resolve);
      sent.on('error', reject);
      if (isLong) sent.on('continue', () => sent.end(body)).flushHeaders();
      else sent.end(body);
    });
    const text = await textOf(response, maxAnswerBytes);
    return { status: response.statusCode ?? 0, headers: response.headers, body: text };
  } catch (thrown) {
    if (limit.aborted) throw new Error(`no answer within ${timeoutMs} ms`, { cause: thrown });
    throw thrown;
  }
}

/** URLs of workers come from members of the group, which may be anything. */
function workerUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.hostname !== '') return url;
  throw new Error(
    `the group says that the worker is at "${text.slice(0, 200)}", which is no http or https URL`,
  );
}

async function textOf(response: IncomingMessage, maxBytes: number): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    size += part.length;
    // Leaving the loop ends the connection.
    if (size > maxBytes) throw new Error(`the answer is longer than ${maxBytes} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}
