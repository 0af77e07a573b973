/** The keys of reconnecting, as every source has them. */
export interface BackoffPolicy {
  /** Delay before the first attempt. */
  readonly intervalMs: number;
  /** Upper bound of every delay, jitter included. */
  readonly maxMs: number;
}

/** Share of the delay that jitter may add. */
const JITTER = 0.25;

/**
 * Delay before an attempt, counted from 1: `min(interval * 2^(attempt-1), max)` plus up to a quarter of that, never above
 * `max`, never below `min(interval, max)`. `random` gives a number from 0 to 1.
 */
export function backoffDelay(policy: BackoffPolicy, attempt: number, random: () => number): number {
  // 2^53 times any interval is above every maximum that a configuration can hold; without a bound it would become infinite.
  const grown = policy.intervalMs * 2 ** Math.min(attempt - 1, 53);
  const delay = Math.min(grown, policy.maxMs);
  return Math.min(policy.maxMs, Math.floor(delay + delay * JITTER * random()));
}
