import { HEADERS_MS, IDLE_MS, UNUSED_MS } from './time-limits.ts';

/** What is to be done with a connection. `end`: calls may go on. */
export type Verdict = 'keep' | 'end' | 'cut';

/** What a look at a connection sees. */
export interface Sight {
  readonly now: number;
  readonly calls: number;
  /** All bytes that were read from it. */
  readonly bytesRead: number;
}

/** Decides when a connection is slow or idle, from looks at it. */
export class ConnectionWatch {
  readonly #since: number;
  #settled = false;
  #used = false;
  /** Calls, or other whole frames, that arrived since the last look. */
  #called = false;
  #heard = false;
  #quietSince: number;
  #bytes = 0;
  #unfinishedSince: number | undefined;

  constructor(now: number) {
    this.#since = now;
    this.#quietSince = now;
  }

  /** The client's settings are there. */
  settled(): void {
    this.#settled = true;
    this.#heard = true;
  }

  /** A ping came. It shows that the client lives, but keeps no connection open that is not used. */
  heard(): void {
    this.#heard = true;
  }

  /** A call began. */
  called(): void {
    this.#used = true;
    this.#called = true;
    this.#heard = true;
  }

  look(sight: Sight): Verdict {
    const { now, calls } = sight;
    if (!this.#settled) return now - this.#since >= HEADERS_MS ? 'cut' : 'keep';
    if (this.#called || calls > 0) this.#quietSince = now;
    const stuck = this.#isStuck(sight);
    this.#called = false;
    // Until the next look bytes of these calls may come.
    this.#heard = calls > 0;
    return stuck || now - this.#quietSince >= (this.#used ? IDLE_MS : UNUSED_MS) ? 'end' : 'keep';
  }

  /** Bytes come, but nothing whole: headers that never end. */
  #isStuck({ now, calls, bytesRead }: Sight): boolean {
    if (this.#heard || calls > 0) {
      this.#bytes = bytesRead;
      this.#unfinishedSince = undefined;
    } else if (bytesRead !== this.#bytes) {
      this.#unfinishedSince ??= now;
    }
    return this.#unfinishedSince !== undefined && now - this.#unfinishedSince >= HEADERS_MS;
  }
}
