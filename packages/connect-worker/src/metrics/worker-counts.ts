import { SampleWindow, type SampleWindowSettings } from './sample-window.ts';

/** How starts of one kind, of connectors or of tasks, have ended on this worker. */
export class StartCounts {
  readonly #recent: SampleWindow;
  #successes = 0;
  #failures = 0;

  constructor(settings: SampleWindowSettings) {
    this.#recent = new SampleWindow(settings);
  }

  /** A start has ended. */
  record(succeeded: boolean): void {
    if (succeeded) this.#successes += 1;
    else this.#failures += 1;
    this.#recent.record(succeeded ? 1 : 0);
  }

  get attempts(): number {
    return this.#successes + this.#failures;
  }

  get successes(): number {
    return this.#successes;
  }

  get failures(): number {
    return this.#failures;
  }

  /** Share of recent starts that succeeded, from 0 to 1; 0 when there was none, as in Kafka Connect. */
  get successShare(): number {
    return orZero(this.#recent.average());
  }

  /** Share of recent starts that failed, from 0 to 1; 0 when there was none. */
  get failureShare(): number {
    return orZero(1 - this.#recent.average());
  }
}

/** Starts of this worker. */
export interface WorkerCounts {
  readonly connectorStarts: StartCounts;
  readonly taskStarts: StartCounts;
}

/** A worker as a whole. */
export interface MeasuredWorker extends WorkerCounts {
  readonly connectors: number;
  readonly tasks: number;
}

/** Nothing was started yet. */
export function workerCounts(settings: SampleWindowSettings): WorkerCounts {
  return { connectorStarts: new StartCounts(settings), taskStarts: new StartCounts(settings) };
}

/** Without any record a share is 0. */
export function orZero(value: number): number {
  return Number.isNaN(value) ? 0 : value;
}
