import { type Clock, ConnectorError } from '@levada/connect-runtime-core';
import { type BackoffPolicy, backoffDelay } from '@levada/connect-runtime-core/platform';

/** How something is tried again. */
export interface RetryOptions {
  readonly clock: Clock;
  readonly policy: BackoffPolicy;
  /** Ends it; the rejection is `aborted`, or the reason when that is a ConnectorError. */
  readonly signal?: AbortSignal;
  /** Given up with the last failure after this many milliseconds, and at once when the sign-on is refused. Default: never. */
  readonly withinMs?: number;
  /** Called with each failure that is followed by another attempt. */
  readonly onFailure?: (error: ConnectorError) => void;
}

/** A refused sign-on is not tried often: the user might be locked out. */
export const REFUSED_MS = 10_000;

/** Kafka's clients accept 0, which would keep a core busy while a broker is away. */
const SHORTEST_MS = 10;

/** `retry.backoff.ms` and `retry.backoff.max.ms` as a policy. Less than 10 ms counts as 10. */
export function retryPolicy(intervalMs: number, maxMs: number): BackoffPolicy {
  return { intervalMs: Math.max(SHORTEST_MS, intervalMs), maxMs: Math.max(SHORTEST_MS, maxMs) };
}

/** Does the work until it succeeds or fails for good. Rejects with what the last attempt rejected with. */
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

/** Why a signal was aborted, as an error to reject with. */
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
