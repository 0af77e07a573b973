import { type Clock, systemClock } from '@levada/connect-runtime-core';
import { CommandError, CommandExit, exitCodes } from '../output/command-error.ts';
import { visible } from '../output/render.ts';
import type { Terminal } from '../output/terminal.ts';
import { type Connection, type ConnectionOptions, connectionOf } from './connection.ts';
import { exchange, type HttpReply } from './http-exchange.ts';
import { withoutRepeats } from './worker-answers.ts';

/** Longest that a worker may take to answer a question, in milliseconds. */
const READ_TIMEOUT_MS = 10_000;
/** Longest that a worker may take for a change: Kafka Connect gives up after 90 s. */
const CHANGE_TIMEOUT_MS = 100_000;
/** Longest that a request is repeated while the worker's group rebalances (409), has no leader that answers (500), or the worker starts (503). */
const BUSY_MS = 30_000;
/** Between two tries, in milliseconds. */
const BUSY_PAUSE_MS = 300;

/** An answer of a worker, whatever its status. */
export interface WorkerAnswer {
  readonly status: number;
  /** Undefined when there was no JSON. */
  readonly body: unknown;
  /** Whether the request said who asks. */
  readonly hasCredentials: boolean;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Asks a worker through its REST interface. Everything throws a {@link CommandError} when no worker answers. */
export interface WorkerClient {
  /** Base URL, without credentials. */
  readonly url: string;
  /** The JSON answer to a GET. Throws with the worker's own message. */
  get(path: string): Promise<unknown>;
  /** The answer to a GET of plain text, such as `/metrics`; undefined when there is no such text. */
  text(path: string): Promise<string | undefined>;
  /** As {@link get}, but undefined for a 404. */
  find(path: string): Promise<unknown>;
  /** Changes something; the JSON answer, or undefined when there is none. Throws with the worker's own message. */
  change(method: Method, path: string, body?: unknown): Promise<unknown>;
  /** Resolves with the answer of any status. Repeats the request for up to 30 s while the worker is busy: 409, 503, or 500 without a leader. */
  ask(method: Method, path: string, body?: unknown): Promise<WorkerAnswer>;
}

/** Path of a connector. The names `.` and `..` are encoded too, since they mean something else in a path. */
export function connectorPath(name: string): string {
  const segment = /^\.{1,2}$/.test(name) ? name.replaceAll('.', '%2E') : encodeURIComponent(name);
  return `/connectors/${segment}`;
}

/** A client of the worker that options, environment and contexts name. */
export async function connectToWorker(
  options: ConnectionOptions,
  terminal: Terminal,
  how?: ClientOptions,
): Promise<WorkerClient> {
  return workerClient(await connectionOf(options, terminal), terminal, how);
}

/** How a client differs from the usual one. */
export interface ClientOptions {
  readonly clock?: Clock;
  /** Longest that requests are repeated while the worker is busy, in milliseconds. Default: 30,000. */
  readonly busyMs?: number;
}

/** A client on this connection. */
export function workerClient(
  connection: Connection,
  { signal, err }: Pick<Terminal, 'signal' | 'err'>,
  { clock = systemClock, busyMs = BUSY_MS }: ClientOptions = {},
): WorkerClient {
  const { url } = connection;
  const reply = async (question: Question): Promise<HttpReply> => {
    const { method, path, body, accept } = question;
    const limit = AbortSignal.timeout(method === 'GET' ? READ_TIMEOUT_MS : CHANGE_TIMEOUT_MS);
    const request = {
      ...connection,
      method,
      path,
      body: body === undefined ? undefined : JSON.stringify(body),
      headers: { accept, ...connection.headers },
      signal: AbortSignal.any([signal, limit]),
    };
    try {
      return await exchange(request);
    } catch (thrown) {
      if (signal.aborted) throw new CommandExit(exitCodes.interrupted);
      if (thrown instanceof CommandError) throw thrown;
      throw unreachable(limit.aborted ? timeoutText(method) : reasonOf(thrown), { connection, thrown });
    }
  };
  const once = async (method: Method, path: string, body?: unknown): Promise<WorkerAnswer> =>
    answerOf(await reply({ method, path, body, accept: 'application/json' }), connection);
  let known = false;
  /** Other services answer so as well: a worker says who it is. */
  const checkWorker = async ({ status }: WorkerAnswer): Promise<void> => {
    if (known || (status !== 404 && status !== 405)) return;
    // An admin listener has no root.
    if (!isWorker(await once('GET', '/')) && !isHealth(await once('GET', '/health'))) throw noWorker(url);
    known = true;
  };
  const ask: WorkerClient['ask'] = async (method, path, body) => {
    const end = clock.monotonic() + busyMs;
    for (let tries = 0; ; tries++) {
      const answer = await once(method, path, body);
      // The health of a worker that starts is an answer.
      if (!isTransient(answer) || path === '/health' || clock.monotonic() >= end) {
        await checkWorker(answer);
        return answer;
      }
      if (tries === 0)
        err(`the worker is busy (${messageOf(answer)}), trying again for up to ${busyMs / 1000} s\n`);
      await clock.sleep(BUSY_PAUSE_MS, signal).catch(() => {
        throw new CommandExit(exitCodes.interrupted);
      });
    }
  };
  return {
    url,
    ask,
    get: async (path) => json(await ask('GET', path), url),
    text: async (path) => {
      const { status, text } = await reply({ method: 'GET', path, body: undefined, accept: 'text/plain' });
      return status === 200 ? text : undefined;
    },
    find: async (path) => {
      const answer = await ask('GET', path);
      return answer.status === 404 ? undefined : json(answer, url);
    },
    change: async (method, path, body) => success(await ask(method, path, body), url).body,
  };
}

interface Question {
  readonly method: Method;
  readonly path: string;
  readonly body: unknown;
  readonly accept: string;
}

/** Whether the same request may succeed soon, unlike a conflict with a connector that exists. */
function isTransient(answer: WorkerAnswer): boolean {
  const message = messageOf(answer);
  // Nothing was sent: the leader of the group has ended, and the group does not know yet.
  if (answer.status === 500) return /forward REST request: .*Connection refused/.test(message);
  return answer.status === 503
    ? /starting up/i.test(message)
    : answer.status === 409 && !/already exists/i.test(message);
}

/** The worker's own message of a failure, without anything that steers the terminal. */
export function messageOf({ status, body }: WorkerAnswer): string {
  const message = (body as { message?: unknown } | null | undefined)?.message;
  if (typeof message !== 'string' || message === '') return `HTTP ${status}`;
  return oncePerValue(message.trimEnd().split('\n')).map(visible).join('\n');
}

/** Lines of a message about a configuration, one for each wrong value. */
function oncePerValue(lines: readonly string[]): readonly string[] {
  const kept = withoutRepeats(lines);
  const less = lines.length - kept.length;
  return kept.map((line) =>
    line.replace(
      /(contains the following )(\d+)( error)/,
      (_, before, count, after) => `${before}${count - less}${after}`,
    ),
  );
}

/** The answer, unless it is a failure. */
export function success(answer: WorkerAnswer, url: string): WorkerAnswer {
  const { status, hasCredentials } = answer;
  if (status >= 200 && status < 300) return answer;
  const message = messageOf(answer);
  if (status === 401 || status === 403) {
    throw new CommandError(
      exitCodes.problems,
      `the worker at ${url} refuses the request (${status}): ${message}`,
      hasCredentials
        ? 'the credentials that were sent are wrong there, or may not do this: check --user, --token, LEVADA_* and the context'
        : 'give credentials with --user, --token, --cert and --key, or a context ("levada context set")',
    );
  }
  if (status === 409) {
    throw new CommandError(exitCodes.problems, message, conflictHint(message));
  }
  throw new CommandError(exitCodes.problems, message);
}

function conflictHint(message: string): string | undefined {
  return /already exists/i.test(message)
    ? '"levada connector apply" changes a connector that exists'
    : 'the worker answered so for 30 s; "levada doctor" shows how it is';
}

/** The JSON of an answer. Throws when it is a failure, or there is none. */
export function json(answer: WorkerAnswer, url: string): unknown {
  const { body } = success(answer, url);
  if (body !== undefined) return body;
  throw noWorker(url);
}

/** A caller who may not ask gets no identity either. */
function isWorker({ status, body }: WorkerAnswer): boolean {
  if (status !== 200) return status === 401 || status === 403 || status === 503;
  const { version, kafka_cluster_id: cluster } = (body ?? {}) as Readonly<Record<string, unknown>>;
  return typeof version === 'string' && typeof cluster === 'string';
}

function isHealth({ body }: WorkerAnswer): boolean {
  const { status, message } = (body ?? {}) as Readonly<Record<string, unknown>>;
  return /^(?:starting|healthy|unhealthy)$/.test(String(status)) && typeof message === 'string';
}

function noWorker(url: string): CommandError {
  return new CommandError(
    exitCodes.unreachable,
    `${url} answers, but it is no worker`,
    'name the URL of the REST interface of a worker: /connectors is below it',
  );
}

function answerOf({ status, text, location }: HttpReply, { url, headers, tls }: Connection): WorkerAnswer {
  const body = parse(text);
  if (status >= 300 && status < 400) {
    throw new CommandError(
      exitCodes.unreachable,
      `${url} answers with a redirect${location === undefined ? '' : ` to ${withoutCredentials(location)}`}`,
      'redirects are not followed: name the URL of the worker itself',
    );
  }
  if (status >= 500 && body === undefined) {
    throw new CommandError(
      exitCodes.unreachable,
      `${url} answers HTTP ${status} without a worker's message`,
      'a proxy in between may be unable to reach the worker',
    );
  }
  return { status, body, hasCredentials: 'authorization' in headers || tls.cert !== undefined };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // not a worker's answer; the status says the rest
  }
}

/** URL without what could be a secret in it: user information and query. */
export function withoutCredentials(url: string): string {
  return url.replace(/^([a-z][a-z0-9+.-]*:\/\/)?.*@/is, '$1***@').replace(/[?#].*$/s, '');
}

function timeoutText(method: Method): string {
  const seconds = (method === 'GET' ? READ_TIMEOUT_MS : CHANGE_TIMEOUT_MS) / 1000;
  return `no answer within ${seconds} s${method === 'GET' ? '' : ', so whether the change was made cannot be determined'}`;
}

function reasonOf(thrown: unknown): string {
  if (thrown instanceof AggregateError) return thrown.errors.map(reasonOf).join(', ');
  return (thrown instanceof Error ? thrown.message : String(thrown)).trim().split('\n', 1)[0] ?? '';
}

function unreachable(
  reason: string,
  { connection, thrown }: { readonly connection: Connection; readonly thrown: unknown },
): CommandError {
  const code = (thrown as { readonly code?: string }).code ?? '';
  return new CommandError(
    exitCodes.unreachable,
    `no worker answers at ${connection.url}: ${reason}`,
    tlsHint(`${code} ${reason}`, connection) ??
      (connection.context === undefined
        ? 'start one with "levada worker dev", or name another with --url'
        : `this is the URL of the context "${connection.context}"; name another with --context or --url`),
  );
}

/** What to do about a failure of TLS, if it is one. */
function tlsHint(text: string, { url }: Connection): string | undefined {
  if (/certificate.required|bad.certificate|handshake.failure/i.test(text))
    return 'the worker may want a client certificate: --cert and --key';
  if (/ALTNAME/.test(text)) return 'its certificate is for another name: use the name it was issued for';
  if (/SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET)/.test(text))
    return 'its certificate is not signed by a known authority: name the file of the authority with --ca';
  if (/CERT_HAS_EXPIRED/.test(text)) return 'its certificate has expired';
  if (/EPROTO|WRONG_VERSION|wrong version number/i.test(text) && url.startsWith('https:'))
    return 'it may serve http, not https';
  return undefined;
}
