import { type Clock, ConnectorError } from '@levada/connect-runtime-core';
import { type BackoffPolicy, backoffDelay } from '@levada/connect-runtime-core/platform';

export interface RetryOptions {
  readonly clock: Clock;
  readonly policy: BackoffPolicy;
  /** Stops the attempts; the rejection is `aborted`, or the reason if that is a ConnectorError. */
  readonly signal?: AbortSignal;
  /** Time after which the last failure is final, in milliseconds. A rejected login is final at once. Default: unlimited. */
  readonly withinMs?: number;
  /** Called with each failure that is followed by another attempt. */
  readonly onFailure?: (error: ConnectorError) => void;
}

/** A rejected login is seldom retried, because the user might be locked out. */
export const REFUSED_MS = 10_000;

/** Kafka's clients accept 0, which would keep a core busy while brokers are unreachable. */
const SHORTEST_MS = 10;

/** `retry.backoff.ms` and `retry.backoff.max.ms` as a policy. Values below 10 ms count as 10. */
export function retryPolicy(intervalMs: number, maxMs: number): BackoffPolicy {
  return { intervalMs: Math.max(SHORTEST_MS, intervalMs), maxMs: Math.max(SHORTEST_MS, maxMs) };
}

/** Runs the work until it succeeds or fails permanently. Rejects with the last failure. */
export async function retrying<T>(work: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { clock, policy, signal, withinMs = Number.POSITIVE_INFINITY } = options;
  const deadline = clock.monotonic() + withinMs;
  for (let attempt = 1; ; attempt += 1) {
    if (signal?.aborted) throw endOf(signal);
    try {
      return await work();
    } catch (thrown) {
      const error = ConnectorError.from(thrown);
      if (signal?.aborted) throw endOf(signal);
      const refused = error.code === 'handshake_rejected';
      const delay = refused ? REFUSED_MS : backoffDelay(policy, attempt, Math.random);
      if (!error.retriable || clock.monotonic() + delay > deadline) throw error;
      if (refused && options.withinMs !== undefined) throw error;
      options.onFailure?.(error);
      await sleep(delay, options);
    }
  }
}

/** The reason of an aborted signal as an error. */
export function endOf(signal: AbortSignal): ConnectorError {
  const reason: unknown = signal.reason;
  if (reason instanceof ConnectorError) return reason;
  return new ConnectorError('aborted', 'the operation was cancelled', { cause: reason });
}

async function sleep(ms: number, { clock, signal }: RetryOptions): Promise<void> {
  try {
    await clock.sleep(ms, signal);
  } catch (thrown) {
    if (signal?.aborted) throw endOf(signal);
    throw thrown;
  }
}
