import { CommandError } from '../terminal/command-error.ts';
import { exitCodes } from '../terminal/exit-codes.ts';

/** Longest that a worker may take to answer. */
const TIMEOUT_MS = 10_000;

/** Asks a worker through its REST interface. */
export interface WorkerClient {
  readonly url: string;
  /** The JSON answer to a GET. Throws a {@link CommandError} with the worker's own message. */
  get(path: string): Promise<unknown>;
  /** As {@link get}, but undefined for a 404. */
  find(path: string): Promise<unknown>;
}

/** A client of the worker at this base URL. */
export function workerClient(url: string, signal: AbortSignal): WorkerClient {
  const base = baseUrl(url);
  const ask = (path: string) => request(`${base}${path}`, base, signal);
  return {
    url: base,
    get: async (path) => body(await ask(path), base),
    find: async (path) => {
      const response = await ask(path);
      return response.status === 404 ? undefined : body(response, base);
    },
  };
}

function baseUrl(url: string): string {
  if (/^https?:\/\//i.test(url) && URL.canParse(url)) return url.replace(/\/+$/, '');
  throw new CommandError(exitCodes.usage, `"${url}" is no URL of a worker, expected http://host:port`);
}

async function request(address: string, base: string, signal: AbortSignal): Promise<Response> {
  try {
    return await fetch(address, {
      headers: { accept: 'application/json' },
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
  } catch (thrown) {
    const cause = thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause : thrown;
    const reason = (cause instanceof Error ? cause.message : String(cause)).trim();
    throw new CommandError(
      exitCodes.unreachable,
      `no worker answers at ${base}: ${reason}`,
      'start one with "levada worker dev", or name another with --url',
    );
  }
}

async function body(response: Response, base: string): Promise<unknown> {
  const text = await response.text();
  const value = parse(text);
  if (response.ok && value !== undefined) return value;
  if (response.ok)
    throw new CommandError(exitCodes.unreachable, `${base} answers, but it is no worker: found no JSON`);
  const message = (value as { message?: unknown } | undefined)?.message;
  throw new CommandError(
    exitCodes.problems,
    typeof message === 'string' ? message : `HTTP ${response.status}`,
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // not a worker's answer; the status says the rest
  }
}

/** State of a connector or task, as a worker's REST interface answers it. */
interface StateAnswer {
  readonly state?: string;
  readonly worker_id?: string;
  readonly trace?: string;
}

/** The connection of one task, as `expand=connection` answers it; null for what there is none of. */
interface ConnectionAnswer {
  readonly task: number;
  readonly state: string;
  readonly last_message_age_ms: number | null;
  readonly last_error: string | null;
  readonly attempt: number | null;
  readonly next_try_in_ms: number | null;
}

/** Status of a connector. */
export interface StatusAnswer {
  readonly name?: string;
  readonly type?: string;
  readonly connector?: StateAnswer;
  readonly tasks?: readonly (StateAnswer & { readonly id?: number })[];
  readonly connection?: readonly ConnectionAnswer[];
}

/** One entry of `GET /connectors?expand=...`. */
export interface ConnectorEntry {
  readonly status?: StatusAnswer;
  readonly info?: { readonly type?: string; readonly config?: Readonly<Record<string, string>> };
  readonly connection?: readonly ConnectionAnswer[];
}

/** Connections in a few words: `connected, last message 3.0 s ago`, `backing-off (attempt 4, next in 20 s): ECONNREFUSED`. */
export function connectionText(connections: readonly ConnectionAnswer[] | undefined): string {
  return connections === undefined || connections.length === 0
    ? '-'
    : connections.map(oneConnection).join('; ');
}

function oneConnection(connection: ConnectionAnswer): string {
  const { state, last_message_age_ms: age, attempt, next_try_in_ms: next, last_error: error } = connection;
  if (state === 'connected') {
    return age === null ? 'connected, no message yet' : `connected, last message ${seconds(age)} ago`;
  }
  const details = [
    attempt === null ? undefined : `attempt ${attempt}`,
    next === null ? undefined : `next in ${seconds(next)}`,
  ].filter((part) => part !== undefined);
  const text = details.length > 0 ? `${state} (${details.join(', ')})` : state;
  return error === null ? text : `${text}: ${error}`;
}

/** The first line of a trace. */
export function firstLine(text: string | undefined): string {
  return text?.split('\n', 1)[0] ?? '';
}

function seconds(ms: number): string {
  return ms < 10_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 1000)} s`;
}
