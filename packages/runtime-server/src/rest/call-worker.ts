import { request as httpsRequest } from 'node:https';
import { text as readText } from 'node:stream/consumers';
import type { ConnectionOptions } from 'node:tls';
import type { RequestSignature, WorkerRequest } from '@levada/connect-runtime-core/runtime';
import { encodeSegment, splitTarget } from './match-path.ts';
import { RestError } from './rest-error.ts';
import type { RestRequest, RestResponse } from './rest-message.ts';

/** Longest that another worker may take to answer, as long as one of its commands may. */
const CALL_TIMEOUT_MS = 30_000;
const SIGNATURE = 'x-connect-authorization';
const ALGORITHM = 'x-connect-request-signature-algorithm';
const JSON_TYPE = 'application/json';
/** Kafka Connect passes no other header of a client on. */
const forwardedHeaders = ['authorization', SIGNATURE, ALGORITHM];

/** A refusal of the herder whose request another worker carries out, if it is known which. */
interface Elsewhere extends Error {
  readonly kind: 'elsewhere';
  readonly target: string | undefined;
}

// By name, because a plugin may bring its own copy of the core.
export function isElsewhere(thrown: unknown): thrown is Elsewhere {
  return (
    thrown instanceof Error &&
    thrown.name === 'HerderError' &&
    'kind' in thrown &&
    thrown.kind === 'elsewhere'
  );
}

/** TLS of requests to other workers, as it is now: their certificates are checked by the worker's own trust. */
export type WorkerTls = () => ConnectionOptions;

/**
 * Hands a request to the worker that carries it out, and its answer back. As in Kafka Connect, a request is forwarded at most twice, which
 * `forward` in the query counts: absent, `true`, `false`.
 */
export async function forward(
  request: RestRequest,
  target: string | undefined,
  tls?: WorkerTls,
): Promise<RestResponse> {
  if (target === undefined) {
    throw new RestError(
      409,
      'Cannot complete request momentarily due to no known leader URL, likely because a rebalance was underway.',
    );
  }
  const { path, query } = splitTarget(request.target);
  // Appended, not resolved: whatever the path is, the request goes to that worker.
  const url = new URL(`${target}${path.replace(/^\/+/, '')}`);
  for (const [name, value] of query) url.searchParams.append(name, value);
  const hops = url.searchParams.get('forward');
  if (hops !== null && hops.toLowerCase() !== 'true') {
    throw conflict();
  }
  url.searchParams.set('forward', hops === null ? 'true' : 'false');
  const headers = new Headers({ accept: JSON_TYPE, 'user-agent': 'kafka-connect' });
  for (const name of forwardedHeaders) {
    const value = request.headers.get(name);
    if (value !== undefined) headers.set(name, value);
  }
  if (request.body.length > 0) headers.set('content-type', JSON_TYPE);
  return await answerOf(url, { method: request.method, headers, body: request.body, tls });
}

function conflict(): RestError {
  const text = 'Cannot complete request because of a conflicting operation (e.g. worker rebalance)';
  return new RestError(409, text);
}

interface SentRequest {
  readonly method: string;
  readonly headers: Headers;
  readonly body: Uint8Array;
  readonly tls: WorkerTls | undefined;
}

async function answerOf(url: URL, request: SentRequest): Promise<RestResponse> {
  try {
    const { status, headers, text } = await (url.protocol === 'https:' ? sendSecure : send)(url, request);
    const kept = ['content-type', 'location', 'retry-after'].flatMap((name) => {
      const value = headers.get(name);
      return value === null ? [] : [[name, value] as const];
    });
    return { status, headers: Object.fromEntries(kept), body: text };
  } catch (thrown) {
    const cause = thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause : undefined;
    // The other worker has died, and the group does not know yet: clients try again, and after the rebalance it works.
    if (cause !== undefined) throw conflict();
    throw new RestError(500, `IO Error trying to forward REST request: ${String(thrown)}`);
  }
}

interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

async function send(url: URL, { method, headers, body }: SentRequest): Promise<Answered> {
  const response = await fetch(url, {
    method,
    headers,
    redirect: 'manual',
    signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
    ...(body.length > 0 ? { body } : {}),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** `fetch` knows no trust other than Node's. A connection that fails has a `cause`, as there; a certificate that is refused has none. */
async function sendSecure(url: URL, { method, headers, body, tls }: SentRequest): Promise<Answered> {
  const sent = Promise.withResolvers<Answered>();
  const options = {
    ...tls?.(),
    agent: false,
    method,
    headers: {
      ...Object.fromEntries(headers),
      ...(body.length > 0 ? { 'content-length': body.length } : {}),
    },
    signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
  };
  const request = httpsRequest(url, options, (response) => {
    const received = new Headers();
    for (const [name, value] of Object.entries(response.headers)) received.set(name, String(value));
    readText(response).then(
      (text) => sent.resolve({ status: response.statusCode ?? 500, headers: received, text }),
      sent.reject,
    );
  });
  request.on('error', (error: NodeJS.ErrnoException) => {
    const refused = /^(ECONN|EPIPE|EHOST|ENET|ENOTFOUND)/.test(error.code ?? '');
    sent.reject(refused ? new Error('no connection', { cause: error }) : error);
  });
  request.end(body);
  return await sent.promise;
}

/** Sends a request of this worker itself to another one. Rejects unless the answer is a success. */
export async function callWorker(
  { method, baseUrl, path, body, signature }: WorkerRequest,
  tls?: WorkerTls,
): Promise<void> {
  const url = new URL(path.map(encodeSegment).join('/'), baseUrl);
  url.searchParams.set('forward', 'true');
  const headers = new Headers({
    accept: JSON_TYPE,
    'content-type': JSON_TYPE,
    'user-agent': 'kafka-connect',
  });
  if (signature !== undefined) {
    headers.set(SIGNATURE, Buffer.from(signature.signature).toString('base64'));
    headers.set(ALGORITHM, signature.algorithm);
  }
  const answer = await answerOf(url, { method, headers, body: new TextEncoder().encode(body), tls });
  if (answer.status < 300) return;
  throw new RestError(
    answer.status,
    `the leader at ${baseUrl} answered ${answer.status}: ${answer.body.slice(0, 1_000)}`,
  );
}

/** What signs a request of another worker; undefined when it is not signed. */
export function signatureOf(headers: ReadonlyMap<string, string>): RequestSignature | undefined {
  const signature = headers.get(SIGNATURE);
  const algorithm = headers.get(ALGORITHM);
  if (signature === undefined || algorithm === undefined) return undefined;
  return { algorithm, signature: Buffer.from(signature, 'base64') };
}
