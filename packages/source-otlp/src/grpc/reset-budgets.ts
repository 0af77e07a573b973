import { isIPv6 } from 'node:net';
import { TokenBucket } from './token-bucket.ts';

/**
 * Calls that an address may give up before they are answered, over all of its connections: as many as node:http2 allows for one
 * connection.
 */
const BUDGET = { capacity: 1000, perSecond: 33 } as const;

/** Most addresses that are remembered; the one that was first is forgotten first. */
const MAX_ADDRESSES = 10_000;

/**
 * How many calls each address gave up lately. HTTP/2 lets a client open calls, reset them and open more without waiting
 * (CVE-2023-44487), on one connection after the other.
 */
export class ResetBudgets {
  readonly #buckets = new Map<string, TokenBucket>();

  /** A call of this address was given up. False when that happens too often. */
  spend(address: string, now: number): boolean {
    const key = addressKey(address);
    let bucket = this.#buckets.get(key);
    if (bucket === undefined) {
      if (this.#buckets.size >= MAX_ADDRESSES) this.#forgetFirst();
      bucket = new TokenBucket(BUDGET, now);
      this.#buckets.set(key, bucket);
    }
    return bucket.take(now);
  }

  isExhausted(address: string, now: number): boolean {
    return this.#buckets.size > 0 && this.#buckets.get(addressKey(address))?.isEmpty(now) === true;
  }

  /** Forgets those who have been quiet for long enough. */
  sweep(now: number): void {
    for (const [key, bucket] of this.#buckets) {
      if (bucket.isFull(now)) this.#buckets.delete(key);
    }
  }

  #forgetFirst(): void {
    const [first] = this.#buckets.keys();
    if (first !== undefined) this.#buckets.delete(first);
  }
}

/** IPv6 by its network: one client has all addresses of a /64. */
function addressKey(address: string): string {
  if (!isIPv6(address) || address.includes('.')) return address;
  const [front = ''] = address.split('::');
  const groups = front.split(':').slice(0, 4);
  return groups.join(':');
}
