import { addressKey } from '../../http2/guard/reset-budgets.ts';

/** Most requests under way, and most bytes of them. */
export interface InFlightLimits {
  readonly requests: number;
  readonly bytes: number;
  /** Largest share of both that one address may take, in percent. */
  readonly sharePercent: number;
}

/** `full`: there is no room for any client. `share`: this address has all that it may have. */
export type Entry = 'entered' | 'full' | 'share';

/** What requests under way take. */
interface Taken {
  requests: number;
  bytes: number;
}

/** Counts requests under way and the bytes that they hold, in total and by address. Each `enter` needs a `leave`. */
export class InFlight {
  readonly #limits: InFlightLimits;
  readonly #share: Taken;
  readonly #all: Taken = { requests: 0, bytes: 0 };
  /** Of addresses that have requests under way. */
  readonly #byAddress = new Map<string, Taken>();

  constructor(limits: InFlightLimits) {
    const part = (limit: number): number => Math.max(1, Math.floor((limit * limits.sharePercent) / 100));
    this.#limits = limits;
    this.#share = { requests: part(limits.requests), bytes: part(limits.bytes) };
  }

  get requests(): number {
    return this.#all.requests;
  }

  get bytes(): number {
    return this.#all.bytes;
  }

  /**
   * One more request of an address, unless there is no room for it, or for the bytes that it announces. They count only once they
   * are held: else a few clients that announce much and send nothing would keep out all others.
   */
  enter(peer: string, announced: number): Entry {
    const key = addressKey(peer);
    const own = this.#byAddress.get(key) ?? { requests: 0, bytes: 0 };
    if (!hasRoom(this.#all, this.#limits, announced)) return 'full';
    if (!hasRoom(own, this.#share, announced)) return 'share';
    this.#all.requests += 1;
    own.requests += 1;
    this.#byAddress.set(key, own);
    return 'entered';
  }

  /** So many bytes more; false, and nothing changes, when there is no room for them. A request alone may be of any size. */
  reserve(peer: string, more: number): boolean {
    const own = this.#byAddress.get(addressKey(peer));
    if (
      own === undefined ||
      !canTakeMore(this.#all, this.#limits, more) ||
      !canTakeMore(own, this.#share, more)
    )
      return false;
    this.#all.bytes += more;
    own.bytes += more;
    return true;
  }

  /** A request of an address is over that held so many bytes. */
  leave(peer: string, bytes: number): void {
    const key = addressKey(peer);
    const own = this.#byAddress.get(key);
    this.#all.requests -= 1;
    this.#all.bytes -= bytes;
    if (own === undefined) return;
    own.requests -= 1;
    own.bytes -= bytes;
    if (own.requests === 0) this.#byAddress.delete(key);
  }
}

function hasRoom(taken: Taken, limit: Taken, announced: number): boolean {
  return taken.requests < limit.requests && (taken.requests === 0 || taken.bytes + announced <= limit.bytes);
}

function canTakeMore(taken: Taken, limit: Taken, more: number): boolean {
  return taken.requests <= 1 || taken.bytes + more <= limit.bytes;
}
