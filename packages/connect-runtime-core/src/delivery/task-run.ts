import type { ConnectionSnapshot } from '../contract/connection-state.ts';
import type { SourceRecord } from '../contract/source-record.ts';
import type { DroppedRecords, SourceTask } from '../contract/source-task.ts';
import { ConnectorError } from '../diagnostics/connector-error.ts';

/** Why a task takes in nothing more: it was stopped, its source has nothing more, or it cannot continue. */
export type TaskOutcome =
  | { readonly kind: 'stopped' }
  | { readonly kind: 'completed' }
  | { readonly kind: 'failed'; readonly error: unknown };

/**
 * One task from its start to its end:
 * `idle` → `starting` → `running` → `draining` (takes in nothing more, still hands out what is queued) → `drained` (handed out
 * everything, is being released) → `ended`. Each of the first four may be left for `drained` by a failure, and each one for
 * `abandoned`, after which nothing that the task does has an effect.
 */
export type TaskState =
  | { readonly phase: 'idle' | 'starting' | 'running' }
  | { readonly phase: 'draining' | 'drained' | 'ended' | 'abandoned'; readonly outcome: TaskOutcome };

export interface TaskRunOptions {
  /** Makes the task, hands it to `adopt` before it starts it, and starts it. May leave all of that out once the run is being stopped. */
  readonly open: (adopt: (task: SourceTask) => void) => Promise<void>;
  /** Runs code of the connector. Default: as it is. */
  readonly scope?: <T>(work: () => T) => T;
  /** Takes secrets out of a text. Default: nothing. */
  readonly scrub?: (text: string) => string;
  readonly onRunning?: () => void;
  /** The task cannot continue. Called once; `stopping` when it was being stopped already. */
  readonly onFailed?: (error: unknown, stopping: boolean) => void;
  /** Everything was handed out. Called once. */
  readonly onDrained?: (outcome: TaskOutcome) => void;
}

const nothing: readonly SourceRecord[] = [];

/** Runs one task, for a worker and for library use alike. Nothing but {@link stop} rejects: a failure is a state. */
export class TaskRun {
  readonly #options: TaskRunOptions;
  #state: TaskState = { phase: 'idle' };
  #task: SourceTask | undefined;
  #started: Promise<void> | undefined;

  constructor(options: TaskRunOptions) {
    this.#options = options;
  }

  get state(): TaskState {
    return this.#state;
  }

  /** How it ended or is about to end; undefined while it runs. */
  get outcome(): TaskOutcome | undefined {
    return 'outcome' in this.#state ? this.#state.outcome : undefined;
  }

  /** Starts the task unless that was done. Resolves when it is running, or will not run. */
  start(): Promise<void> {
    this.#started ??= this.#start();
    return this.#started;
  }

  /** The next batch; none once the task is drained. One call at a time. */
  async poll(): Promise<readonly SourceRecord[]> {
    await this.start();
    if (!this.#handsOut) return nothing;
    try {
      const records = await this.#scoped(this.#pollTask);
      if (!Array.isArray(records))
        throw new ConnectorError('internal', 'invalid result of poll: expected a list of records');
      if (!this.#handsOut) return nothing;
      if (records.length > 0) return records;
      this.#drained(this.outcome ?? this.#endByItself());
    } catch (thrown) {
      this.#fail(thrown, 'drained');
    }
    return nothing;
  }

  /**
   * Ends intake; what is queued can still be polled. Asks the task each time, because some release the last of what they hold
   * when they are asked again at the end. Rejects when the task cannot stop cleanly.
   */
  async stop(): Promise<void> {
    const { phase } = this.#state;
    if (phase === 'idle' || phase === 'starting' || phase === 'running')
      this.#state = { phase: 'draining', outcome: { kind: 'stopped' } };
    await this.#scoped(() => this.#task?.stop());
  }

  /** Ends intake, because the task cannot continue. Nothing once it has failed or is over. */
  fail(error: unknown): void {
    this.#fail(error, this.#state.phase === 'drained' ? 'drained' : 'draining');
  }

  /** The task is released, and nothing more is taken from it. */
  end(): void {
    const { outcome } = this;
    if (outcome !== undefined && this.#state.phase !== 'abandoned') this.#state = { phase: 'ended', outcome };
  }

  /** The task does not come to an end by itself. */
  abandon(): void {
    this.#state = { phase: 'abandoned', outcome: this.outcome ?? { kind: 'stopped' } };
  }

  /** Whether a changed configuration can be handed to it. */
  get reconfigurable(): boolean {
    return this.#state.phase === 'running' && this.#task?.reconfigure !== undefined;
  }

  async reconfigure(config: unknown): Promise<void> {
    await this.#scoped(() => this.#task?.reconfigure?.(config));
  }

  /** See `SourceTask.committed`. Throws what the task throws, against its contract. */
  committed(records: readonly SourceRecord[], dropped: DroppedRecords): void {
    this.#scoped(() => this.#task?.committed?.(records, dropped));
  }

  /** How the connection to the peer is doing, for tasks that have one. A task that throws instead is shown with what it threw. */
  connection(): ConnectionSnapshot | undefined {
    try {
      return this.#scoped(() => this.#task?.connection?.());
    } catch (thrown) {
      const { scrub = (text) => text } = this.#options;
      const { message } = ConnectorError.from(thrown);
      return {
        state: 'disconnected',
        lastError: scrub(`the state of the connection is unknown: ${message}`),
      };
    }
  }

  async #start(): Promise<void> {
    if (this.#state.phase !== 'idle') return;
    this.#state = { phase: 'starting' };
    try {
      await this.#options.open((task) => {
        this.#task = task;
      });
    } catch (thrown) {
      this.#fail(thrown, 'drained');
      return;
    }
    if (this.#isStarting()) {
      this.#state = { phase: 'running' };
      this.#options.onRunning?.();
    }
    // A stop that came while the task was starting may have found nothing to end.
    else this.#endIntake();
  }

  /** Apart, because a comparison narrows the state for the compiler, also across what changes it. */
  #isStarting(): boolean {
    return this.#state.phase === 'starting';
  }

  get #handsOut(): boolean {
    const { phase } = this.#state;
    return this.#task !== undefined && (phase === 'running' || phase === 'draining');
  }

  /** The task ended without having been stopped. */
  #endByItself(): TaskOutcome {
    if (this.#scoped(() => this.#task?.completed?.()) === true) return { kind: 'completed' };
    throw new ConnectorError('internal', 'the task ended although it was not stopped');
  }

  readonly #pollTask = (): Promise<readonly SourceRecord[]> | undefined => this.#task?.poll();

  #drained(outcome: TaskOutcome): void {
    this.#state = { phase: 'drained', outcome };
    this.#options.onDrained?.(outcome);
  }

  #fail(error: unknown, phase: 'draining' | 'drained'): void {
    const before = this.#state;
    if (before.phase === 'ended' || before.phase === 'abandoned') return;
    const drains = phase === 'drained' && before.phase !== 'drained';
    if (this.outcome?.kind === 'failed') {
      if (drains) this.#drained(this.outcome);
      return;
    }
    const outcome: TaskOutcome = { kind: 'failed', error };
    this.#state = { phase, outcome };
    this.#options.onFailed?.(error, 'outcome' in before && before.outcome.kind === 'stopped');
    this.#endIntake();
    if (drains) this.#options.onDrained?.(outcome);
  }

  #endIntake(): void {
    // Whether it stops cleanly shows when it is released, after the drain.
    this.stop().catch(() => undefined);
  }

  #scoped<T>(work: () => T): T {
    const { scope } = this.#options;
    return scope === undefined ? work() : scope(work);
  }
}
