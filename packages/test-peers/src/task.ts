import {
  MetricGroup,
  type MetricTable,
  type SourceRecord,
  systemClock,
  type TaskContext,
} from '@levada/connect-runtime-core';
import type { SourceEvent } from '@levada/connect-runtime-core/contract';
import { createRecordingLogger, type RecordingLogger, waitFor } from '@levada/connect-runtime-core/testing';

/** The parts of a task that are needed to run it. */
interface Runnable<Config, Rows extends MetricTable> {
  start(config: Config, context: TaskContext<Rows>): Promise<void>;
  poll(): Promise<readonly SourceRecord[]>;
}

/** A started task and everything that it reports. */
export interface RunningTask<Task, Rows extends MetricTable, Event extends string> {
  readonly task: Task;
  readonly metrics: MetricGroup<Rows>;
  readonly logger: RecordingLogger;
  readonly events: readonly SourceEvent[];
  /** Aborts the hard-stop signal. */
  readonly abort: () => void;
  /** The next records, at least `count` of them, in order. */
  readonly take: (count: number) => Promise<SourceRecord[]>;
  /** Resolves when this many lines of an event were logged. */
  readonly logged: (event: Event, count?: number) => Promise<void>;
}

/** Starts a task with everything that it needs; `more` replaces parts of it. */
export async function startedTask<
  Config,
  Rows extends MetricTable,
  Task extends Runnable<Config, Rows>,
  Event extends string,
>(
  { task, config, metrics: rows }: { readonly task: Task; readonly config: Config; readonly metrics: Rows },
  more: Partial<TaskContext<Rows>> = {},
): Promise<RunningTask<Task, Rows, Event>> {
  const metrics = new MetricGroup(rows);
  const logger = createRecordingLogger();
  const events: SourceEvent[] = [];
  const hard = new AbortController();
  await task.start(config, {
    connectorName: 'feed',
    taskId: 0,
    logger,
    metrics,
    offsets: { offset: async () => undefined },
    clock: systemClock,
    signal: hard.signal,
    emit: (event) => events.push(event),
    ...more,
  });
  return {
    task,
    metrics,
    logger,
    events,
    abort: () => hard.abort(),
    take: async (count) => {
      const records: SourceRecord[] = [];
      while (records.length < count) {
        const polled = await task.poll();
        if (polled.length === 0)
          throw new Error(`the task ended after ${records.length} of ${count} records`);
        records.push(...polled);
      }
      return records;
    },
    logged: async (event, count = 1) => {
      await waitFor(() => logger.withEvent(event).length >= count, { what: `${count} lines of ${event}` });
    },
  };
}

/** Values of records as text. */
export function texts(records: readonly SourceRecord[]): string[] {
  return records.map((record) => Buffer.from(record.value as Uint8Array).toString());
}

/** Polls until the task has ended. */
export async function drain(task: Pick<Runnable<unknown, MetricTable>, 'poll'>): Promise<SourceRecord[]> {
  const records: SourceRecord[] = [];
  for (let polled = await task.poll(); polled.length > 0; polled = await task.poll()) records.push(...polled);
  return records;
}
