import type { Clock } from '@levada/connect-runtime-core';

/** Clients that are remembered; beyond it those that were idle longest are forgotten. */
const MAX_CLIENTS = 10_000;

interface Bucket {
  tokens: number;
  at: number;
}

/** Whether a client may send one more request now. */
export type RateLimit = (peer: string) => boolean;

/**
 * A token bucket per client address: `perSecond` requests a second, twice as many at once. 0: no limit. What is remembered is
 * bounded, and a client that was forgotten begins with a full bucket.
 */
export function createRateLimit(perSecond: number, clock: Clock): RateLimit {
  if (perSecond === 0) return () => true;
  const burst = 2 * perSecond;
  const buckets = new Map<string, Bucket>();
  return (peer) => {
    const now = clock.monotonic();
    const bucket = buckets.get(peer) ?? { tokens: burst, at: now };
    bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) * perSecond) / 1000);
    bucket.at = now;
    // Deleted and set again, so that the map is in order of use.
    buckets.delete(peer);
    buckets.set(peer, bucket);
    if (buckets.size > MAX_CLIENTS) forgetOldest(buckets);
    if (bucket.tokens < 1) return false;
    bucket.tokens -= 1;
    return true;
  };
}

function forgetOldest(buckets: Map<string, Bucket>): void {
  for (const [peer] of buckets) {
    buckets.delete(peer);
    return;
  }
}
