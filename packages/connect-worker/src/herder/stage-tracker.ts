import type { Clock } from '@levada/connect-runtime-core';

interface Stage {
  readonly text: () => string;
  readonly since: number;
  readonly startedAt: number;
}

/** Knows what the worker is doing, for time-out messages and `/health`. Texts follow "The worker is currently". */
export class StageTracker {
  readonly #clock: Clock;
  readonly #current = new Set<Stage>();
  #last: { readonly stage: Stage; readonly until: number } | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Names what is done until the work is over; a function names it whenever somebody asks. */
  async during<T>(name: string | (() => string), work: () => Promise<T>): Promise<T> {
    const text = typeof name === 'string' ? () => name : name;
    const stage = { text, since: this.#clock.now(), startedAt: this.#clock.monotonic() };
    this.#current.add(stage);
    try {
      return await work();
    } finally {
      this.#current.delete(stage);
      this.#last = { stage, until: this.#clock.now() };
    }
  }

  /** The stage that runs longest, and for how many milliseconds. */
  current(): { readonly text: string; readonly since: number; readonly forMs: number } | undefined {
    const [first] = this.#current;
    if (first === undefined) return undefined;
    return { text: first.text(), since: first.since, forMs: this.#clock.monotonic() - first.startedAt };
  }

  /** Kafka Connect's answer to a request that took too long. */
  timeoutMessage(): string {
    const current = this.current();
    if (current !== undefined) {
      return `Request timed out. The worker is currently ${current.text}, which began at ${instant(current.since)}.`;
    }
    if (this.#last === undefined) return 'Request timed out';
    const { stage, until } = this.#last;
    return `Request timed out. The last operation the worker completed was ${stage.text()}, which began at ${instant(stage.since)} and completed at ${instant(until)}.`;
  }
}

function instant(ms: number): string {
  return new Date(ms).toISOString();
}
