import type { Clock, Timer } from '@levada/connect-runtime-core';
import type { ConfirmedUntil } from '@levada/connect-runtime-core/host';

export interface LeaseCommitsOptions {
  readonly clock: Clock;
  /** Connect's `heartbeat.interval.ms`: the lease of a healthy worker is renewed this often. */
  readonly heartbeatIntervalMs: number;
}

/** After a freeze, offsets are committed with every renewal for this long: what froze once often freezes again. */
const WARY_MS = 600_000;
/** Between two commits while the renewal is late. */
const LATE_COMMIT_MS = 1_000;
/** A renewal is late after this many times `heartbeat.interval.ms`. */
const LATE_INTERVALS = 1.5;

/**
 * Commits that cannot wait for `offset.flush.interval.ms`. A worker that the group removed may not commit, so the next owner repeats
 * everything since the last commit, and a worker that freezes more often than the interval would never commit at all. Therefore
 * offsets are also committed while the renewal of the lease is late, and with every renewal after a lapse.
 */
export class LeaseCommits {
  readonly #options: LeaseCommitsOptions;
  readonly #commit: () => void;
  #renewedAt: number | undefined;
  #until = Number.NEGATIVE_INFINITY;
  #waryUntil = Number.NEGATIVE_INFINITY;
  #late: Timer | undefined;

  /** `commit` begins a commit of everything that is committable. */
  constructor({ clock, heartbeatIntervalMs }: LeaseCommitsOptions, commit: () => void) {
    this.#options = { clock, heartbeatIntervalMs };
    this.#commit = commit;
  }

  /** The lease holds until that moment. Undefined: it has ended, and nothing may be committed. */
  noteRenewal(until: ConfirmedUntil | undefined): void {
    this.#late?.cancel();
    this.#late = undefined;
    // A worker without a coordinator has a lease that does not end.
    if (until !== undefined && !Number.isFinite(until.monotonic)) return;
    const { clock, heartbeatIntervalMs } = this.#options;
    const now = clock.monotonic();
    const since = this.#renewedAt;
    if (since !== undefined && (until === undefined || now - since > LATE_INTERVALS * heartbeatIntervalMs))
      this.#waryUntil = now + WARY_MS;
    if (until === undefined) return;
    this.#renewedAt = now;
    this.#until = until.monotonic;
    if (now < this.#waryUntil) this.#commit();
    this.#watch(LATE_INTERVALS * heartbeatIntervalMs);
  }

  #watch(ms: number): void {
    const { clock } = this.#options;
    this.#late = clock.after(ms, () => {
      if (clock.monotonic() >= this.#until) return;
      this.#commit();
      this.#watch(LATE_COMMIT_MS);
    });
  }
}
