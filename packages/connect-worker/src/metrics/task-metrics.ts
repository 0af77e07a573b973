import { noTaskErrors, type TaskErrors } from '@levada/connect-runtime-core/host';
import { type RecordedValues, SampleWindow, type SampleWindowSettings } from './sample-window.ts';

/** What a task of this worker is doing, in the words of Kafka Connect's metrics. */
export type MeasuredState = 'unassigned' | 'running' | 'paused' | 'failed';

/** What a task counts while it runs: once per batch, never per record. */
export interface TaskMeasures {
  readonly errors: TaskErrors;
  /** `read` gives the number of records on their way to the log. */
  observeActive(read: () => number): void;
  /** A poll gave `records` after `ms` milliseconds. */
  polled(records: number, ms: number): void;
  /** Of `sent` records of a batch (default: all), `stored` are stored. */
  written(stored: number, sent?: number): void;
}

/** What a task in another thread has done since its last report, in plain data. */
export interface TaskReport {
  readonly batches: RecordedValues;
  readonly pollMs: RecordedValues;
  readonly writes: RecordedValues;
  readonly unstored: RecordedValues;
  readonly active: RecordedValues;
  readonly activeNow: number;
  /** Since the task began. */
  readonly errors: TaskErrors;
}

/**
 * What one task of this worker has done since it was started: recorded once per batch and once per commit. A paused task
 * keeps it when it resumes, a restarted one begins again, as in Kafka Connect.
 */
export class TaskMetrics implements TaskMeasures {
  readonly errors = noTaskErrors();
  /** Sizes of polled batches. */
  readonly batches: SampleWindow;
  /** Milliseconds from asking for a batch to getting it. */
  readonly pollMs: SampleWindow;
  /** Records stored, by batch. */
  readonly writes: SampleWindow;
  /** Records that were sent and not stored, by batch. */
  readonly unstored: SampleWindow;
  /** Records on their way to the log, whenever that changed. */
  readonly active: SampleWindow;
  /** Milliseconds that a commit of offsets took. */
  readonly commitMs: SampleWindow;
  /** 1 for a commit that succeeded, 0 for one that failed. */
  readonly commits: SampleWindow;
  readonly #now: () => number;
  readonly #createdAt: number;
  readonly #spent = new Map<MeasuredState, number>();
  #state: MeasuredState = 'unassigned';
  #since: number;
  #polledTotal = 0;
  #writtenTotal = 0;
  #sentTotal = 0;
  #activeNow: () => number = () => 0;

  constructor(settings: SampleWindowSettings) {
    this.#now = settings.now;
    this.#createdAt = settings.now();
    this.#since = this.#createdAt;
    this.batches = new SampleWindow(settings);
    this.pollMs = new SampleWindow(settings);
    this.writes = new SampleWindow(settings);
    this.unstored = new SampleWindow(settings);
    this.active = new SampleWindow(settings);
    this.commitMs = new SampleWindow(settings);
    this.commits = new SampleWindow(settings);
  }

  get state(): MeasuredState {
    return this.#state;
  }

  get polledTotal(): number {
    return this.#polledTotal;
  }

  get writtenTotal(): number {
    return this.#writtenTotal;
  }

  /** Records handed to the producer whose outcome is known. */
  get sentTotal(): number {
    return this.#sentTotal;
  }

  /** Records that were polled and are not settled yet. */
  get activeNow(): number {
    return this.#activeNow();
  }

  /** From now on the task is in this state. */
  enter(state: MeasuredState): void {
    const now = this.#now();
    this.#spent.set(this.#state, (this.#spent.get(this.#state) ?? 0) + now - this.#since);
    this.#state = state;
    this.#since = now;
  }

  /** Share of the task's life that it spent in a state, from 0 to 1. */
  ratio(state: MeasuredState): number {
    const now = this.#now();
    const present = state === this.#state ? now - this.#since : 0;
    const life = now - this.#createdAt;
    return life === 0 ? 0 : ((this.#spent.get(state) ?? 0) + present) / life;
  }

  /** From now on records on their way are read from this function. */
  observeActive(read: () => number): void {
    this.#activeNow = read;
  }

  /** A batch was polled, and is on its way. */
  polled(records: number, ms: number): void {
    this.#polledTotal += records;
    this.batches.record(records);
    this.pollMs.record(ms);
    this.active.record(this.activeNow);
  }

  /** So many records of a batch were stored, out of those that were sent. */
  written(stored: number, sent = stored): void {
    this.#writtenTotal += stored;
    this.#sentTotal += sent;
    this.writes.record(stored);
    this.unstored.record(sent - stored);
    this.active.record(this.activeNow);
  }

  /** Adds what a task in another thread has done. `before` is what {@link errors} had when it began. */
  add(report: TaskReport, before: TaskErrors): void {
    const { batches, pollMs, writes, unstored, active, activeNow, errors } = report;
    this.#polledTotal += batches.sum;
    this.#writtenTotal += writes.sum;
    this.#sentTotal += writes.sum + unstored.sum;
    this.batches.add(batches);
    this.pollMs.add(pollMs);
    this.writes.add(writes);
    this.unstored.add(unstored);
    this.active.add(active);
    this.#activeNow = () => activeNow;
    for (const name of Object.keys(errors) as (keyof TaskErrors)[])
      this.errors[name] = before[name] + errors[name];
    this.errors.lastErrorAt = errors.lastErrorAt || before.lastErrorAt;
  }

  /** A commit of offsets ended. */
  committed(succeeded: boolean, ms: number): void {
    this.commits.record(succeeded ? 1 : 0);
    if (succeeded) this.commitMs.record(ms);
  }
}
