import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { type Clock, ConnectorError } from '@levada/connect-runtime-core';
import {
  type ClientTls,
  guardedLookup,
  type HttpProxy,
  tlsFailure,
  tunnelledConnection,
  tunnelTarget,
} from '@levada/connect-runtime-core/source-kit';

/** Maximum size of an answer, in bytes. */
const MAX_ANSWER = 16 * 1024 * 1024;

export interface HttpCall {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly tls: ClientTls;
  readonly proxy: HttpProxy | undefined;
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

export interface HttpAnswer {
  readonly status: number;
  readonly text: string;
}

/**
 * Makes one request on a separate connection, so that none stays open. Rejects with `connection_failed`, `timeout` or `aborted`;
 * the first two are retriable.
 */
export function httpCall(call: HttpCall): Promise<HttpAnswer> {
  const { method, headers, body, timeoutMs, clock, signal } = call;
  const url = new URL(call.url);
  const over = new AbortController();
  const connectionError = (reason: string, cause?: unknown): ConnectorError =>
    new ConnectorError('connection_failed', reason, { cause });
  return new Promise<HttpAnswer>((resolve, reject) => {
    const timer = clock.after(timeoutMs, () =>
      over.abort(new ConnectorError('timeout', `no answer within ${timeoutMs} ms`)),
    );
    const abort = (): void => over.abort(new ConnectorError('aborted', 'the request was cancelled'));
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
    const settle = (): void => {
      timer.cancel();
      signal.removeEventListener('abort', abort);
    };
    const refuse = (error: ConnectorError): void => {
      settle();
      reject(over.signal.aborted ? ConnectorError.from(over.signal.reason) : error);
    };
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
      method,
      headers,
      lookup: guardedLookup,
      signal: over.signal,
      ...call.tls,
      ...connection(call, url, over.signal),
    });
    request.on('response', (response) => {
      readAll(response).then(
        (text) => {
          settle();
          resolve({ status: response.statusCode ?? 0, text });
        },
        (error: unknown) => {
          request.destroy();
          refuse(connectionError(messageOf(error), error));
        },
      );
    });
    request.on('error', (error) => refuse(connectionError(meaningOf(error), error)));
    request.end(body);
  });
}

/** A connection for this request alone; with a proxy, the socket of its tunnel. */
function connection({ proxy, tls }: HttpCall, url: URL, signal: AbortSignal): Partial<RequestOptions> {
  if (proxy === undefined) return { agent: false };
  const target = tunnelTarget(url);
  const inside = target.secure ? tls : undefined;
  const createConnection = tunnelledConnection({ proxy, target, ca: tls.ca, signal }, inside);
  return { createConnection: createConnection as NonNullable<RequestOptions['createConnection']> };
}

async function readAll(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response) {
    chunks.push(chunk as Buffer);
    length += (chunk as Buffer).length;
    if (length > MAX_ANSWER) throw new Error(`its answer has more than ${MAX_ANSWER} bytes`);
  }
  return Buffer.concat(chunks).toString();
}

const advice = {
  ca: 'schema.registry.ssl.truststore.location',
  clientCertificate: 'schema.registry.ssl.keystore.location',
  name: 'schema.registry.url',
  withTls: 'https:// in schema.registry.url',
  withoutTls: 'http:// in schema.registry.url',
};

function meaningOf(error: Error): string {
  return tlsFailure(error, advice) ?? messageOf(error);
}

/** Several addresses of one name were tried: the first failure represents all. */
function messageOf(error: unknown): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  if (!(first instanceof Error)) return String(first);
  return first.message === '' && 'code' in first ? String(first.code) : first.message;
}
