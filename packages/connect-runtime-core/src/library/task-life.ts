import type { SourceRecord } from '../contract/source-record.ts';
import type { SourceTask } from '../contract/source-task.ts';
import { ConnectorError } from '../diagnostics/connector-error.ts';

/** What a life is told and tells. */
export interface TaskLifeOptions {
  readonly task: SourceTask;
  /** Calls the task's `start` with configuration and context. */
  readonly start: () => Promise<void>;
  /** Nothing more will come; with the failure, if it is one. Called once. */
  readonly onEnd: (failure: ConnectorError | undefined) => void;
  /** The task could not stop cleanly. */
  readonly onStopFailed: (error: unknown) => void;
}

/** One task from start to stop. Each step happens once, nothing rejects: a failure is told to `onEnd`. */
export class TaskLife {
  readonly #options: TaskLifeOptions;
  #phase: 'idle' | 'starting' | 'operating' | 'ended' = 'idle';
  #started: Promise<void> | undefined;
  #stopped: Promise<void> | undefined;

  constructor(options: TaskLifeOptions) {
    this.#options = options;
  }

  get phase(): 'idle' | 'starting' | 'operating' | 'ended' {
    return this.#phase;
  }

  /** Starts the task unless that was done. Resolves when it operates or has failed. */
  start(): Promise<void> {
    this.#started ??= this.#start();
    return this.#started;
  }

  /** The next batch; none once the task has ended. Starts the task if need be. One call at a time. */
  async poll(): Promise<readonly SourceRecord[]> {
    await this.start();
    if (this.#phase === 'ended') return [];
    try {
      const records = await this.#options.task.poll();
      if (records.length > 0) return records;
      this.#end(undefined);
    } catch (thrown) {
      this.#end(ConnectorError.from(thrown));
    }
    return [];
  }

  /** Stops the task; what is queued can still be polled. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #start(): Promise<void> {
    this.#phase = 'starting';
    try {
      await this.#options.start();
      this.#phase = 'operating';
    } catch (thrown) {
      this.#end(ConnectorError.from(thrown));
    }
  }

  async #stop(): Promise<void> {
    try {
      await this.#options.task.stop();
    } catch (error) {
      this.#options.onStopFailed(error);
    }
  }

  #end(failure: ConnectorError | undefined): void {
    this.#phase = 'ended';
    // A task that failed, or has nothing more to say, still has things to release.
    void this.stop();
    this.#options.onEnd(failure);
  }
}
