import { TokenBucket } from './token-bucket.ts';

/**
 * Calls that an address may give up before they are answered, over all of its connections: as many as node:http2 allows for one
 * connection.
 */
const BUDGET = { capacity: 1000, perSecond: 33 } as const;

/** An address that gave up too many is suspect until so much of its budget is there again, which takes 15 seconds. */
const TRUSTED_FROM = 500;

/** Most addresses that are remembered; the one that was first is forgotten first. */
const MAX_ADDRESSES = 10_000;

interface Budget {
  readonly bucket: TokenBucket;
  suspect: boolean;
}

/** What distinguishes clients: their address, of IPv6 only the network, since one client has all addresses of a /64. */
export function addressKey(address: string): string {
  // Without a colon it is IPv4; with a dot, too, as IPv6 writes it.
  if (!address.includes(':') || address.includes('.')) return address;
  const [front = ''] = address.split('::');
  return front.split(':').slice(0, 4).join(':');
}

/**
 * How many calls each address gave up lately. HTTP/2 lets a client open calls, reset them and open more without waiting
 * (CVE-2023-44487), on one connection after the other.
 */
export class ResetBudgets {
  readonly #budgets = new Map<string, Budget>();

  /** A call of this address was given up. False when that happens too often. */
  spend(address: string, now: number): boolean {
    const budget = this.#budgetOf(addressKey(address), now);
    const granted = budget.bucket.take(now);
    if (!granted) budget.suspect = true;
    return granted;
  }

  /** It gave up too many, not long ago. */
  isSuspect(address: string, now: number): boolean {
    const budget = this.#budgets.size === 0 ? undefined : this.#budgets.get(addressKey(address));
    if (budget === undefined) return false;
    budget.suspect &&= budget.bucket.level(now) < TRUSTED_FROM;
    return budget.suspect;
  }

  /** Forgets those who have been quiet for long enough. */
  sweep(now: number): void {
    for (const [key, { bucket }] of this.#budgets) {
      if (bucket.level(now) === BUDGET.capacity) this.#budgets.delete(key);
    }
  }

  #budgetOf(key: string, now: number): Budget {
    const known = this.#budgets.get(key);
    if (known !== undefined) return known;
    const [first] = this.#budgets.keys();
    if (first !== undefined && this.#budgets.size >= MAX_ADDRESSES) this.#budgets.delete(first);
    const budget = { bucket: new TokenBucket(BUDGET, now), suspect: false };
    this.#budgets.set(key, budget);
    return budget;
  }
}
