import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const compress = promisify(gzip);

/** Where telemetry is sent. */
export interface OtlpTarget {
  /** Base URL; `/v1/metrics` and `/v1/traces` are added. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Longest that one request may take, in milliseconds. */
  readonly timeoutMs: number;
}

/** How a request ended. `again`: the receiver may take it later; `refused`: it never will. */
export interface SendOutcome {
  readonly kind: 'sent' | 'again' | 'refused';
  /** Why it was not sent; undefined when it was. */
  readonly reason?: string;
}

/** Statuses after which OTLP asks for another attempt. */
const retriable = new Set([429, 502, 503, 504]);

/** Sends one body of OTLP/JSON, compressed. Never rejects. */
export async function sendOtlp(
  { endpoint, headers, timeoutMs }: OtlpTarget,
  signal: 'metrics' | 'traces',
  body: string,
): Promise<SendOutcome> {
  const url = `${endpoint.replace(/\/+$/, '')}/v1/${signal}`;
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body: await compress(body),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    await response.body?.cancel();
    if (response.ok) return { kind: 'sent' };
    const kind = retriable.has(response.status) ? 'again' : 'refused';
    return { kind, reason: `the receiver answered ${response.status}` };
  } catch (thrown) {
    return { kind: 'again', reason: reasonOf(thrown) };
  }
}

/** The cause is what says why: `fetch` itself only says that it failed. */
function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  return thrown.cause instanceof Error ? thrown.cause.message : thrown.message;
}
