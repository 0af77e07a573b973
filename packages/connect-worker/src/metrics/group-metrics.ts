import type { GroupAssignment, GroupObservation } from '@levada/connect-runtime-core/platform';
import { SampleWindow, type SampleWindowSettings } from './sample-window.ts';

/** Requests of one kind to the group coordinator: how many, and how long the answer took. */
export class RequestMetrics {
  readonly #ms: SampleWindow;
  readonly #count: SampleWindow;
  #total = 0;

  constructor(settings: SampleWindowSettings) {
    this.#ms = new SampleWindow(settings);
    this.#count = new SampleWindow(settings);
  }

  /** One was answered. */
  record(ms: number): void {
    this.#total += 1;
    this.#ms.record(ms);
    this.#count.record(1);
  }

  get total(): number {
    return this.#total;
  }

  get perSecond(): number {
    return this.#count.perSecond();
  }

  get averageMs(): number {
    return this.#ms.average();
  }

  get maxMs(): number {
    return this.#ms.maximum();
  }
}

/** What happened between this worker and its group: requests to the coordinator, rebalances, the present assignment. */
export class GroupMetrics {
  readonly heartbeats: RequestMetrics;
  readonly joins: RequestMetrics;
  readonly syncs: RequestMetrics;
  readonly rebalances: RequestMetrics;
  readonly #now: () => number;
  readonly #recentFailures: SampleWindow;
  #failedRebalances = 0;
  #heartbeatAt = Number.NaN;
  #rebalancedAt = Number.NaN;
  #rebalancingSince: number | undefined;
  #rebalanceMsTotal = 0;
  #protocol = '';
  #assignment: GroupAssignment | undefined;
  #observed = false;

  constructor(settings: SampleWindowSettings) {
    this.#now = settings.now;
    this.heartbeats = new RequestMetrics(settings);
    this.joins = new RequestMetrics(settings);
    this.syncs = new RequestMetrics(settings);
    this.rebalances = new RequestMetrics(settings);
    this.#recentFailures = new SampleWindow(settings);
  }

  /** False where there is no group coordinator. */
  get observed(): boolean {
    return this.#observed;
  }

  get assignment(): GroupAssignment | undefined {
    return this.#assignment;
  }

  /** `EAGER`, `COMPATIBLE` or `SESSIONED`; empty before the first join. */
  get protocol(): string {
    return this.#protocol;
  }

  get rebalancing(): boolean {
    return this.#rebalancingSince !== undefined;
  }

  get failedRebalances(): number {
    return this.#failedRebalances;
  }

  get failedRebalancesPerSecond(): number {
    return this.#recentFailures.perSecond();
  }

  /** Milliseconds of all rebalances together. */
  get rebalanceMsTotal(): number {
    return this.#rebalanceMsTotal;
  }

  /** Infinity before the first rebalance was completed, as in Kafka Connect. */
  get msSinceRebalance(): number {
    return Number.isNaN(this.#rebalancedAt) ? Number.POSITIVE_INFINITY : this.#now() - this.#rebalancedAt;
  }

  /** NaN before the first heartbeat. */
  get msSinceHeartbeat(): number {
    return this.#now() - this.#heartbeatAt;
  }

  /** This worker has another part of the work, or is not a member any more (undefined). */
  assigned(assignment: GroupAssignment | undefined): void {
    this.#assignment = assignment;
  }

  /** The last assignment is carried out: with that a rebalance is completed, if one was under way. */
  carriedOut(): void {
    this.#endRebalance(true);
  }

  /** Counts what the membership reports. */
  observe(observation: GroupObservation): void {
    this.#observed = true;
    const { kind } = observation;
    if (kind === 'heartbeat') {
      this.#heartbeatAt = this.#now();
      this.heartbeats.record(observation.ms);
    } else if (kind === 'join') {
      this.#protocol = observation.protocol.toUpperCase();
      this.joins.record(observation.ms);
    } else if (kind === 'sync') this.syncs.record(observation.ms);
    else if (kind === 'rebalance-started') this.#rebalancingSince ??= this.#now();
    else this.#endRebalance(false);
  }

  #endRebalance(completed: boolean): void {
    if (this.#rebalancingSince === undefined) return;
    const now = this.#now();
    const ms = now - this.#rebalancingSince;
    this.#rebalancingSince = undefined;
    if (!completed) {
      this.#failedRebalances += 1;
      this.#recentFailures.record(1);
      return;
    }
    this.#rebalancedAt = now;
    this.#rebalanceMsTotal += ms;
    this.rebalances.record(ms);
  }
}
