import type { Logger, MetricGroup } from '@levada/connect-runtime-core';
import type { ConnectionSnapshot } from '@levada/connect-runtime-core/contract';
import type { PlatformHealth } from '@levada/connect-runtime-core/platform';
import type { TaskConfigTexts } from './task-messages.ts';

/** One task of a connector, and where it counts and logs. */
export interface TaskToRun {
  readonly connectorName: string;
  readonly taskId: number;
  readonly metrics: MetricGroup;
  readonly logger: Logger;
}

/** One run of a task, in the thread of the worker or in a thread of its own. */
export interface TaskHandle {
  /** Starts the task and returns. `TaskReports` get the outcome; call `stop` also after a failure. */
  start(): void;
  /**
   * Ends intake, delivers what was received and commits offsets, all within `timeoutMs`. Resolves with the number of records that were
   * not delivered. Idempotent; a shorter time-out wins.
   */
  stop(timeoutMs: number): Promise<number>;
  /** Commits what is committable now, before the next commit on the interval. No effect on tasks that write transactions. */
  commit(): void;
  /** False while `reconfigure` would reject. */
  readonly reconfigurable: boolean;
  /** Applies configurations whose changes need no new task. Rejects when they do, or after the graceful time-out. */
  reconfigure(configs: TaskConfigTexts): Promise<void>;
  /** The last known state of the connection to the peer; undefined for tasks without one. */
  connection(): ConnectionSnapshot | undefined;
  /** Health of the task's own link to the log; undefined while it has none and uses that of the worker. */
  readonly linkHealth: PlatformHealth | undefined;
  /** Client id of the task's producer on the link of the worker; undefined before it is open, and for tasks in threads. */
  readonly clientId: string | undefined;
}

/** What a task reports to the worker that runs it. Must not throw. */
export interface TaskReports {
  onRunning(): void;
  /** Called at most once, before the task winds down. `again`: a new task can continue after the last commit. Secrets are masked in `trace`. */
  onFailed(trace: string, next: { readonly again: boolean }): void;
  /** Called at most once, when the source has ended and everything is delivered and committed. */
  onCompleted(): void;
  /** A commit of offsets ended after `ms` milliseconds. */
  onCommit(succeeded: boolean, ms: number): void;
  /** Records were stored in a topic. */
  onTopic(topic: string): void;
}

/** Asked before a task may write transactions. Both reject when it must not. */
export interface TaskFencing {
  /** Fences the transactional producers of earlier tasks of the connector. */
  fence(signal: AbortSignal): Promise<void>;
  /** Reads the config topic to its end, and rejects when the connector has newer task configurations. */
  checkCurrent(signal: AbortSignal): Promise<void>;
}
