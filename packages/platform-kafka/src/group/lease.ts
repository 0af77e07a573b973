import type { Clock } from '@levada/connect-runtime-core';
import type { GroupMembershipOptions } from '@levada/connect-runtime-core/platform';

/** Times in milliseconds. */
export interface LeaseOptions {
  readonly clock: Clock;
  readonly sessionTimeoutMs: number;
  readonly heartbeatIntervalMs: number;
  readonly rebalanceTimeoutMs: number;
  /** Called with each new end; undefined if the lease has ended. */
  readonly onConfirmed?: GroupMembershipOptions['onConfirmed'];
}

/** A moment on both clocks of the machine. The monotonic clock stops while the machine sleeps; the wall clock may be changed. */
export interface Moment {
  readonly monotonic: number;
  readonly wall: number;
}

const clocks = ['monotonic', 'wall'] as const;

/**
 * How long a member may rely on its membership. The coordinator removes a member no sooner than `session.timeout.ms` after its
 * last request, and one that it awaits in a rebalance no sooner than `rebalance.timeout.ms` after the start. The lease ends one
 * heartbeat interval before the earlier of the two, on either clock.
 */
export class Lease {
  readonly #options: LeaseOptions;
  #end: Moment | undefined;

  constructor(options: LeaseOptions) {
    this.#options = options;
  }

  get valid(): boolean {
    const end = this.#end;
    if (end === undefined) return false;
    const now = this.now();
    return clocks.every((clock) => now[clock] < end[clock]);
  }

  /** The current moment, to note when a request is sent. */
  now(): Moment {
    const { clock } = this.#options;
    return { monotonic: clock.monotonic(), wall: clock.now() };
  }

  /**
   * The coordinator has answered a member's request that was sent at `sentAt`. At `settledAt` it waited only for heartbeats of
   * this member.
   */
  renew(sentAt: Moment, settledAt: Moment): void {
    const { sessionTimeoutMs, rebalanceTimeoutMs, heartbeatIntervalMs } = this.#options;
    const end = (clock: keyof Moment): number =>
      Math.min(sentAt[clock] + sessionTimeoutMs, settledAt[clock] + rebalanceTimeoutMs) - heartbeatIntervalMs;
    this.#set({ monotonic: end('monotonic'), wall: end('wall') });
  }

  end(): void {
    this.#set(undefined);
  }

  #set(end: Moment | undefined): void {
    this.#end = end;
    this.#options.onConfirmed?.(end);
  }
}
