import type { RawConfig } from '../config/config-key.ts';
import type { Logger } from '../diagnostics/logger.ts';
import type { MetricTable } from '../diagnostics/metric-def.ts';
import type { MetricGroup } from '../diagnostics/metric-group.ts';
import type { Clock } from '../time/clock.ts';
import type { SourceEvent } from './source-event.ts';
import type { SourceOffset, SourcePartition } from './source-offset.ts';

/** Reads what the runtime committed in earlier runs. A task never writes offsets. */
export interface OffsetReader {
  /** The last committed offset of a source partition; undefined when there is none. */
  offset(partition: SourcePartition): Promise<SourceOffset | undefined>;
}

/** The transactions of a task that says itself where they end. */
export interface TaskTransaction {
  /**
   * The batch that `poll` returns next is the last of its transaction, which is committed when all of it is stored. Called during `poll`. What
   * follows the last commit when the task stops is not stored, and read again by a new task.
   */
  commit(): void;
}

/** What a task is handed at its start. `M` is the metric table of its connector. */
export interface TaskContext<M extends MetricTable = MetricTable> {
  readonly connectorName: string;
  /** 0 for the first and, with `tasks.max=1`, only task. */
  readonly taskId: number;
  /** Adds connector and task to each line. */
  readonly logger: Logger;
  /** Live values of the connector's metric table for this task; counters continue from the tasks of this number before it. */
  readonly metrics: MetricGroup<M>;
  readonly offsets: OffsetReader;
  readonly clock: Clock;
  /** Says where transactions end. Only there with `transaction.boundary=connector` in a worker that writes transactions. */
  readonly transaction?: TaskTransaction | undefined;
  /** Hard stop: aborted when the graceful time after `stop` is over. All input and output takes it. */
  readonly signal: AbortSignal;
  /**
   * Monotonic time until which the log asked to wait, because of a quota; it may have passed. Undefined: it has not asked. Absent where
   * that is not known, as in library use.
   */
  readonly throttledUntil?: (() => number | undefined) | undefined;
  /** Reports a connection's changes to the owner. In library use these become typed events. */
  readonly emit: (event: SourceEvent) => void;
  /**
   * The task's configuration with its references (`${file:path:key}`) resolved again, so that a reconnect can use a secret
   * that was replaced. Absent where nothing is resolved, as in library use. Rejects with a ConnectorError.
   */
  readonly resolveConfig?: () => Promise<RawConfig>;
  /** Variables of the environment, for those that name proxies: tasks do not read the process's own. Absent: none. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
}
