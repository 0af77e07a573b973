import { CommandError } from './command-error.ts';
import { exitCodes } from './exit-codes.ts';

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
