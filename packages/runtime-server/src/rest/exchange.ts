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
  readonly tls?: WorkerTls | undefined;
}

/** What the other worker answered. */
export interface ExchangeAnswer {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
}

/** Longest answer: as much as the configuration of a connector with many tasks needs. */
export const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/** There was no connection, or it ended before the other worker answered anything. */
export class NoAnswer extends Error {}

/**
 * One request over a connection of its own. Rejects with {@link NoAnswer}, or with what went wrong later: it took too long, the
 * answer is too long or incomplete.
 */
export async function exchange(request: ExchangeRequest): Promise<ExchangeAnswer> {
  const { method, baseUrl, path, headers, body, timeoutMs, tls } = request;
  const { protocol, hostname, port, pathname } = workerUrl(baseUrl);
  const limit = AbortSignal.timeout(timeoutMs);
  const options: HttpsRequestOptions = {
    ...(protocol === 'https:' ? tls?.() : {}),
    method,
    // Brackets belong to the URL of an IPv6 address, not to the address.
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port,
    path: `${pathname}${path}`,
    headers: body.length > 0 ? { ...headers, 'content-length': String(body.length) } : headers,
    agent: false,
    signal: limit,
  };
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const sent = (protocol === 'https:' ? httpsRequest : httpRequest)(options, resolve);
      sent.on('error', (error: NodeJS.ErrnoException) =>
        // A certificate that is refused will be refused the next time as well
        reject(
          limit.aborted || !isOfConnection(error) ? error : new NoAnswer(error.message, { cause: error }),
        ),
      );
      sent.end(body);
    });
    return { status: response.statusCode ?? 0, headers: response.headers, body: await textOf(response) };
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

async function textOf(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    size += part.length;
    // Leaving the loop ends the connection.
    if (size > MAX_ANSWER_BYTES) throw new Error(`the answer is longer than ${MAX_ANSWER_BYTES} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

function isOfConnection({ code = '' }: NodeJS.ErrnoException): boolean {
  return /^(?:ECONN|EPIPE|EHOST|ENET|EAI_|ENOTFOUND|ETIMEDOUT)/.test(code);
}
