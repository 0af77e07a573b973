import type { ProduceRefusal } from './produce-refusal.ts';

const PRODUCE = 0;

/** Writes into a response, a frame with its length, of a request of that version. */
export type ResponseChange = (frame: Buffer, version: number) => void;

/** The faults that a proxy is to make, and what it counted. */
export class ProxyFaults {
  holding = false;
  refusing = false;
  dropped = 0;
  readonly #drops = new Map<number, number>();
  readonly #delays = new Map<number, number>();
  readonly #counts = new Map<number, number>();
  readonly #refusals: { readonly refusal: ProduceRefusal; left: number }[] = [];
  readonly #changes = new Map<number, { readonly change: ResponseChange; left: number }>();
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

  changeResponses(apiKey: number, times: number, change: ResponseChange): void {
    this.#changes.set(apiKey, { change, left: times });
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

  /** Changes a response that is to be changed. */
  apply(apiKey: number, version: number, frame: Buffer): void {
    const next = this.#changes.get(apiKey);
    if (next === undefined || next.left === 0) return;
    next.left -= 1;
    next.change(frame, version);
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
