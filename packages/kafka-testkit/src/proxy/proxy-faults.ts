import type { ProduceRefusal } from './produce-refusal.ts';

const PRODUCE = 0;

/** The faults that a proxy is to make, and what it counted. */
export class ProxyFaults {
  holding = false;
  refusing = false;
  dropped = 0;
  readonly #drops = new Map<number, number>();
  readonly #delays = new Map<number, number>();
  readonly #counts = new Map<number, number>();
  readonly #refusals: { readonly refusal: ProduceRefusal; left: number }[] = [];
  #delayOfAll = 0;

  dropResponses(apiKey: number, times: number): void {
    this.#drops.set(apiKey, (this.#drops.get(apiKey) ?? 0) + times);
  }

  delay(ms: number, apiKey: number | undefined): void {
    if (apiKey === undefined) this.#delayOfAll = ms;
    else this.#delays.set(apiKey, ms);
  }

  refuseProduce(refusal: ProduceRefusal): void {
    this.#refusals.push({ refusal, left: refusal.times ?? 1 });
  }

  requests(apiKey: number): number {
    return this.#counts.get(apiKey) ?? 0;
  }

  /** Counts a request. Returns how it is to be refused; undefined when it is to be forwarded. */
  arrived(apiKey: number): ProduceRefusal | undefined {
    this.#counts.set(apiKey, this.requests(apiKey) + 1);
    const first = apiKey === PRODUCE ? this.#refusals[0] : undefined;
    if (first === undefined) return undefined;
    first.left -= 1;
    if (first.left === 0) this.#refusals.shift();
    return first.refusal;
  }

  delayOf(apiKey: number): number {
    return this.#delays.get(apiKey) ?? this.#delayOfAll;
  }

  /** True when the response to a request of this kind is to be swallowed; counts it. */
  swallows(apiKey: number): boolean {
    const left = this.#drops.get(apiKey) ?? 0;
    if (left === 0) return false;
    this.#drops.set(apiKey, left - 1);
    this.dropped += 1;
    return true;
  }
}
