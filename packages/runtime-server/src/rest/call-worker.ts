import type { RequestSignature, WorkerRequest } from '@levada/connect-worker';
import { type ExchangeRequest, exchange, type WorkerTls } from './exchange.ts';
import { encodeSegment, splitTarget } from './message/match-path.ts';
import { RestError } from './message/rest-error.ts';
import type { RestRequest, RestResponse } from './message/rest-message.ts';

/** Longest that another worker may take to answer: more than one of its commands may. */
const CALL_TIMEOUT_MS = 35_000;
/** Longest that it may take when it may ask a further one. */
const FORWARDING_TIMEOUT_MS = 45_000;
/** Longest answer of a worker that is asked about itself: a list of some thousand plugins. */
const MAX_ASKED_BYTES = 1024 * 1024;
const SIGNATURE = 'x-connect-authorization';
const ALGORITHM = 'x-connect-request-signature-algorithm';
const JSON_TYPE = 'application/json';
/** Kafka Connect passes no other header of a client on. */
const forwardedHeaders = ['authorization', SIGNATURE, ALGORITHM];

/** Headers of a request that a worker makes itself and signs. */
export const signatureHeaders: readonly string[] = [SIGNATURE, ALGORITHM];

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

/** How requests are forwarded. */
export interface Forwarding {
  readonly tls?: WorkerTls | undefined;
  /** There was no answer, for this reason. */
  readonly onFailure?: ((target: string, reason: string) => void) | undefined;
}

/**
 * Hands a request to the worker that carries it out, and its answer back. As in Kafka Connect, a request is forwarded at most twice, which
 * `forward` in the query counts: absent, `true`, `false`.
 */
export async function forward(
  request: RestRequest,
  target: string | undefined,
  { tls, onFailure }: Forwarding = {},
): Promise<RestResponse> {
  const { path, query } = splitTarget(request.target);
  const hops = query.get('forward');
  if (hops !== null && hops.toLowerCase() !== 'true') throw conflict();
  if (target === undefined) {
    throw new RestError(
      409,
      'Cannot complete request momentarily due to no known leader URL, likely because a rebalance was underway.',
    );
  }
  const params = new URLSearchParams(query);
  params.set('forward', hops === null ? 'true' : 'false');
  const headers: Record<string, string> = { accept: JSON_TYPE, 'user-agent': 'kafka-connect' };
  for (const name of forwardedHeaders) {
    const value = request.headers.get(name);
    if (value !== undefined) headers[name] = value;
  }
  if (request.body.length > 0) headers['content-type'] = JSON_TYPE;
  const sent: ExchangeRequest = {
    method: request.method,
    baseUrl: target,
    path: `${path.replace(/^\/+/, '')}?${params.toString()}`,
    headers,
    body: request.body,
    timeoutMs: hops === null ? FORWARDING_TIMEOUT_MS : CALL_TIMEOUT_MS,
    tls,
  };
  try {
    return await answerOf(sent);
  } catch (thrown) {
    onFailure?.(target, reasonOf(thrown));
    throw thrown;
  }
}

function conflict(): RestError {
  const text = 'Cannot complete request because of a conflicting operation (e.g. worker rebalance)';
  return new RestError(409, text);
}

async function answerOf(request: ExchangeRequest): Promise<RestResponse> {
  try {
    const { status, headers, body } = await exchange(request);
    const kept = ['content-type', 'location', 'retry-after'].flatMap((name) => {
      const value = headers[name];
      return typeof value === 'string' ? [[name, value] as const] : [];
    });
    return { status, headers: Object.fromEntries(kept), body };
  } catch (thrown) {
    throw new RestError(500, `IO Error trying to forward REST request: ${reasonOf(thrown)}`);
  }
}

/** As Java words it, which scripts look for. */
const connectionErrors: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'java.net.ConnectException: Connection refused',
  EHOSTUNREACH: 'java.net.NoRouteToHostException: No route to host',
};

function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return oneLine(String(thrown));
  const { code, hostname } = thrown as NodeJS.ErrnoException & { readonly hostname?: string };
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `java.net.UnknownHostException: ${hostname ?? ''}`;
  return connectionErrors[code ?? ''] ?? oneLine(messageOf(thrown));
}

/** Longest reason: it becomes part of a line. */
const MAX_REASON_LENGTH = 500;

/** Messages of TLS end with a line break. */
function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_REASON_LENGTH);
}

/** Of a failure at each of several addresses, Node has no message. */
function messageOf(error: Error): string {
  if (error instanceof AggregateError && error.message === '') {
    return error.errors.map((each) => (each instanceof Error ? each.message : String(each))).join('; ');
  }
  return error.message === '' ? error.name : error.message;
}

/** An answer of another worker to a question. */
export interface AskedAnswer {
  readonly status: number;
  /** Undefined unless it is JSON. */
  readonly body: unknown;
}

/** Asks another worker for what it says of itself. Rejects when it cannot be reached, with the reason in a few words. */
export async function askWorker(
  { baseUrl, path, timeoutMs, signal }: Pick<ExchangeRequest, 'baseUrl' | 'path' | 'timeoutMs' | 'signal'>,
  tls?: WorkerTls,
): Promise<AskedAnswer> {
  const headers = { accept: JSON_TYPE, 'user-agent': 'kafka-connect' };
  checkAdvertised(baseUrl);
  try {
    const answer = await exchange({
      method: 'GET',
      baseUrl,
      path,
      headers,
      body: new Uint8Array(),
      timeoutMs,
      maxAnswerBytes: MAX_ASKED_BYTES,
      signal,
      tls,
    });
    return { status: answer.status, body: jsonOf(answer.body) };
  } catch (thrown) {
    throw new Error(reasonOf(thrown), { cause: thrown });
  }
}

/** Any member of the group may claim any URL, which is asked without a cause: it must be one that a worker can advertise. */
function checkAdvertised(baseUrl: string): void {
  if (!URL.canParse(baseUrl)) return; // the request itself says so
  const { pathname, search, username, password } = new URL(baseUrl);
  if (pathname !== '/' || search !== '' || username !== '' || password !== '')
    throw new Error('it advertises a URL with a path, a query or credentials, which no worker has');
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Sends a request of this worker itself to another one. Rejects unless the answer is a success. */
export async function callWorker(
  { method, baseUrl, path, body, signature }: WorkerRequest,
  tls?: WorkerTls,
): Promise<void> {
  const headers: Record<string, string> = {
    accept: JSON_TYPE,
    'content-type': JSON_TYPE,
    'user-agent': 'kafka-connect',
  };
  if (signature !== undefined) {
    headers[SIGNATURE] = Buffer.from(signature.signature).toString('base64');
    headers[ALGORITHM] = signature.algorithm;
  }
  const answer = await answerOf({
    method,
    baseUrl,
    path: `${path.map(encodedName).join('/')}?forward=true`,
    headers,
    body: new TextEncoder().encode(body),
    timeoutMs: FORWARDING_TIMEOUT_MS,
    tls,
  });
  if (answer.status < 300) return;
  throw new RestError(
    answer.status,
    `the leader at ${baseUrl} answered ${answer.status}: ${answer.body.slice(0, 1_000)}`,
  );
}

/** A segment that no server between here and there takes for a relative path. */
function encodedName(name: string): string {
  return name === '.' || name === '..' ? name.replaceAll('.', '%2E') : encodeSegment(name);
}

/** What signs a request of another worker; undefined when it is not signed. Throws Connect's 400 for what is no Base64. */
export function signatureOf(headers: ReadonlyMap<string, string>): RequestSignature | undefined {
  const signature = headers.get(SIGNATURE);
  const algorithm = headers.get(ALGORITHM);
  if (signature === undefined || algorithm === undefined) return undefined;
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(signature)) throw new RestError(400, 'Illegal base64 character');
  return { algorithm, signature: Buffer.from(signature, 'base64') };
}
