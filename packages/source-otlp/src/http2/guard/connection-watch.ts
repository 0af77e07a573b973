/** From the connection to the client's SETTINGS; also for headers that come piece by piece. In milliseconds. */
export const HEADERS_MS = 10_000;
/** From the connection to its first call. */
const UNUSED_MS = 30_000;
/** Without calls, after the first; clients keep connections open between calls. What other servers of gRPC grant. */
const IDLE_MS = 30 * 60_000;

/** What is to be done with a connection. `end`: open calls may continue. */
export type Verdict = 'keep' | 'end' | 'cut';

/** What a look at a connection sees. */
export interface Sight {
  readonly now: number;
  readonly calls: number;
  /** All bytes that were read from it. */
  readonly bytesRead: number;
}

type Phase =
  /** The client's SETTINGS have not come. */
  | { readonly kind: 'unsettled'; readonly since: number }
  /** There was no call yet. */
  | { readonly kind: 'unused'; readonly since: number }
  /** Calls are open, or began since the last look. */
  | { readonly kind: 'active' }
  /** No call has been open since then. */
  | { readonly kind: 'quiet'; readonly since: number };

type Progress =
  /** A whole frame came since the last look, or calls were open at it, whose bytes may come. */
  | { readonly kind: 'whole' }
  /** Nothing has come since so many bytes were read. */
  | { readonly kind: 'silent'; readonly bytes: number }
  /** Since then bytes come, but nothing whole: headers that never end. */
  | { readonly kind: 'partial'; readonly since: number };

const active: Phase = { kind: 'active' };
const whole: Progress = { kind: 'whole' };

/** Decides when a connection is slow or idle, from looks at it. */
export class ConnectionWatch {
  #phase: Phase;
  #progress: Progress = { kind: 'silent', bytes: 0 };

  constructor(now: number) {
    this.#phase = { kind: 'unsettled', since: now };
  }

  /** The client's settings are there. */
  noteSettings(): void {
    if (this.#phase.kind === 'unsettled') this.#phase = { kind: 'unused', since: this.#phase.since };
    this.#progress = whole;
  }

  /** A ping came. It shows that the client lives, but keeps no connection open that is not used. */
  notePing(): void {
    this.#progress = whole;
  }

  /** A call began. */
  noteCall(): void {
    this.#phase = active;
    this.#progress = whole;
  }

  look(sight: Sight): Verdict {
    const { now, calls } = sight;
    if (this.#phase.kind === 'unsettled') return now - this.#phase.since >= HEADERS_MS ? 'cut' : 'keep';
    if (calls > 0) this.#phase = active;
    else if (this.#phase.kind === 'active') this.#phase = { kind: 'quiet', since: now };
    this.#progress = progressAt(this.#progress, sight);
    return isIdle(this.#phase, now) || isStuck(this.#progress, now) ? 'end' : 'keep';
  }
}

function progressAt(before: Progress, { now, calls, bytesRead }: Sight): Progress {
  if (calls > 0) return whole;
  if (before.kind === 'whole') return { kind: 'silent', bytes: bytesRead };
  return before.kind === 'silent' && before.bytes !== bytesRead ? { kind: 'partial', since: now } : before;
}

function isIdle(phase: Phase, now: number): boolean {
  if (phase.kind === 'quiet') return now - phase.since >= IDLE_MS;
  return phase.kind === 'unused' && now - phase.since >= UNUSED_MS;
}

function isStuck(progress: Progress, now: number): boolean {
  return progress.kind === 'partial' && now - progress.since >= HEADERS_MS;
}
