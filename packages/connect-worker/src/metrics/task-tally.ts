import { noTaskErrors } from '@levada/connect-runtime-core/host';
import type { RecordedValues } from './sample-window.ts';
import type { TaskMeasures, TaskReport } from './task-metrics.ts';

/** What a task does that runs in a thread of its own, until the worker takes it over into its `TaskMetrics`. */
export class TaskTally implements TaskMeasures {
  readonly errors = noTaskErrors();
  #batches = noValues();
  #pollMs = noValues();
  #writes = noValues();
  #unstored = noValues();
  #active = noValues();
  #activeNow: () => number = () => 0;

  observeActive(read: () => number): void {
    this.#activeNow = read;
  }

  polled(records: number, ms: number): void {
    record(this.#batches, records);
    record(this.#pollMs, ms);
    record(this.#active, this.#activeNow());
  }

  written(stored: number, sent = stored): void {
    record(this.#writes, stored);
    record(this.#unstored, sent - stored);
    record(this.#active, this.#activeNow());
  }

  /** Everything since the last call. */
  take(): TaskReport {
    const report = {
      batches: this.#batches,
      pollMs: this.#pollMs,
      writes: this.#writes,
      unstored: this.#unstored,
      active: this.#active,
      activeNow: this.#activeNow(),
      errors: { ...this.errors },
    };
    this.#batches = noValues();
    this.#pollMs = noValues();
    this.#writes = noValues();
    this.#unstored = noValues();
    this.#active = noValues();
    return report;
  }
}

type Values = { -readonly [K in keyof RecordedValues]: RecordedValues[K] };

function noValues(): Values {
  return { count: 0, sum: 0, max: Number.NEGATIVE_INFINITY };
}

function record(values: Values, value: number): void {
  values.count += 1;
  values.sum += value;
  values.max = Math.max(values.max, value);
}
