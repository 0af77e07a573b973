import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';

/** Longest answer that is read, in bytes: that of a worker with some 100,000 connectors. */
const MAX_ANSWER_BYTES = 256 * 1024 * 1024;

/** One request. */
export interface HttpQuestion {
  readonly method: string;
  /** Base URL of the server, without user information, query and trailing slash. */
  readonly base: URL;
  /** Sent as it is written, so that names such as `..` stay what they are. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly tls: TlsMaterial;
  readonly body?: string | undefined;
  readonly signal: AbortSignal;
}

/** PEM text for a TLS connection. */
export interface TlsMaterial {
  /** Authorities to trust instead of those of Node. */
  readonly ca?: string | undefined;
  /** The client's certificate, with its chain. */
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  /** Of the key. */
  readonly passphrase?: string | undefined;
}

/** A whole answer. */
export interface HttpReply {
  readonly status: number;
  readonly location: string | undefined;
  readonly text: string;
}

/**
 * Sends a request and reads its answer. Redirects are not followed, since they would carry credentials elsewhere. `fetch` takes no
 * certificates. Rejects with the error of the connection.
 */
export function exchange({ base, path, tls, body, ...question }: HttpQuestion): Promise<HttpReply> {
  const { promise, resolve, reject } = Promise.withResolvers<HttpReply>();
  const options: RequestOptions = {
    method: question.method,
    host: base.hostname.replace(/^\[|\]$/g, ''),
    port: base.port === '' ? undefined : base.port,
    path: `${base.pathname.replace(/\/+$/, '')}${path}`,
    signal: question.signal,
    // One connection for each request: a command sends a few, and the server may close an idle one at any moment.
    headers: { ...question.headers, connection: 'close', ...bodyHeaders(body) },
  };
  const request = base.protocol === 'https:' ? httpsRequest({ ...options, ...tls }) : httpRequest(options);
  request.on('error', reject);
  request.on('response', (response) => {
    read(response).then(resolve, reject);
  });
  request.end(body);
  return promise;
}

function bodyHeaders(body: string | undefined): Readonly<Record<string, string | number>> {
  return body === undefined
    ? {}
    : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
}

async function read(response: IncomingMessage): Promise<HttpReply> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MAX_ANSWER_BYTES) {
      response.destroy();
      throw new Error(`the answer is longer than ${MAX_ANSWER_BYTES} bytes`);
    }
    parts.push(part);
  }
  return {
    status: response.statusCode ?? 0,
    location: response.headers.location,
    text: Buffer.concat(parts).toString('utf8'),
  };
}
