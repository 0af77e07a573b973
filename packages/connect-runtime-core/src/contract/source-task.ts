import type { MetricTable } from '../diagnostics/metric-def.ts';
import type { DropCause } from '../diagnostics/source-metrics.ts';
import type { ConnectionSnapshot } from './connection-state.ts';
import type { SourceRecord } from './source-record.ts';
import type { TaskContext } from './task-context.ts';

/**
 * Records of a batch that were given up, by their index in it. With the cause `delivery_unknown` the log may hold them all the same. With
 * `shutdown_timeout` they were not asked for: the consumer left before them, and another run may deliver them.
 */
export type DroppedRecords = ReadonlyMap<number, DropCause>;

/**
 * One run of a connector. Called by one owner, in this order: `start` once, `poll` again and again, `stop` once or more.
 * A paused and resumed, or restarted, connector gets a new task. Corresponds to Kafka Connect's `SourceTask`.
 */
export interface SourceTask<C = unknown, M extends MetricTable = MetricTable> {
  /**
   * Resolves when the task is operating: local inputs are checked and, for servers, ports bound. An unreachable peer is
   * not a start failure. A rejection fails the task, and leaves nothing open; `stop` is called all the same.
   */
  start(config: C, context: TaskContext<M>): Promise<void>;
  /**
   * Resolves with at least one record, in the order of arrival, waiting as long as that takes; or with none once the
   * task has ended. Rejects once when the task has failed for good, after everything received was handed out. The
   * only way for failure to reach the runtime. One call at a time.
   */
  poll(): Promise<readonly SourceRecord[]>;
  /**
   * Ends intake and makes `poll` hand out what is still queued, then end. Resolves when the connection or port is
   * closed, whether or not anybody polls. Idempotent; harmless before `start`.
   */
  stop(): Promise<void>;
  /**
   * Asked when `poll` ended although the task was not stopped: true when the source has nothing more, ever, so that there is
   * nothing wrong. A worker then stops the connector (state STOPPED) once all its tasks are complete. Without it, or when it
   * answers false, such an end is a failure.
   */
  completed?(): boolean;
  /**
   * Called with what one `poll` returned as soon as all of it is acknowledged by the log or dropped for good, and will not
   * be looked at again: for sources that must notify their peer, or that use the memory of values again. Batches are settled in
   * any order. `dropped` names those that are not in the log; all others are. Not called for a batch of which something is
   * undelivered, because the task failed or its time ran out; a consumer that leaves in the middle of a batch settles it with the rest
   * as `shutdown_timeout`. Optional; must not throw.
   */
  committed?(records: readonly SourceRecord[], dropped: DroppedRecords): void;
  /**
   * Called while running when a configuration differs only in keys marked `live` or `reconnect`; resolves when the new
   * values hold: those of `live` keys for what comes next, those of `reconnect` keys from the next connection, which
   * is not brought forward. A rejection makes a new task, and so does every change without this method.
   */
  reconfigure?(config: C): Promise<void>;
  /** How the connection to the peer is doing. For sources that have one; costs nothing. */
  connection?(): ConnectionSnapshot;
}
