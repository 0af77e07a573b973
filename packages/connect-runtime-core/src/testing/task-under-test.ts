import assert from 'node:assert/strict';
import type { RawConfig } from '../config/config-key.ts';
import type { AnySourceConnector } from '../contract/source-connector.ts';
import type { SourceEvent } from '../contract/source-event.ts';
import type { SourceOffset } from '../contract/source-offset.ts';
import type { SourceRecord } from '../contract/source-record.ts';
import type { SourceTask } from '../contract/source-task.ts';
import { MetricGroup } from '../diagnostics/metric-group.ts';
import { withCommonMetrics } from '../diagnostics/polled-metrics.ts';
import { createManualClock, type ManualClock } from './manual-clock.ts';
import { createRecordingLogger, type RecordingLogger } from './recording-logger.ts';
import { waitFor } from './wait-for.ts';

/** One task with everything that a runtime gives it, held by a test. */
export interface TaskUnderTest {
  readonly task: SourceTask;
  readonly clock: ManualClock;
  readonly logger: RecordingLogger;
  readonly metrics: MetricGroup;
  /** Events that the task emitted, in order. */
  readonly emitted: readonly SourceEvent[];
  start(raw: RawConfig): Promise<void>;
  /** The next `count` records, by as many polls as that takes. Fails when the task ends before, or when they do not come. */
  take(count: number): Promise<readonly SourceRecord[]>;
  /** The remaining records until the task ends. */
  rest(): Promise<readonly SourceRecord[]>;
  /** Aborts the signal that the task was started with. */
  hardStop(): void;
  /** Resolves when the connection is up. */
  connected(): Promise<void>;
}

export interface TaskUnderTestOptions {
  readonly clock?: ManualClock;
  /** What the offset reader answers. Default: nothing was committed. */
  readonly committed?: SourceOffset;
  /** Real milliseconds that something may take to happen. Default 2000. */
  readonly patienceMs?: number;
}

const PATIENCE_MS = 2000;

/** A new task of a connector, not started. */
export function taskUnderTest(
  connector: AnySourceConnector,
  options: TaskUnderTestOptions = {},
): TaskUnderTest {
  const task: SourceTask = connector.createTask();
  const clock = options.clock ?? createManualClock();
  const logger = createRecordingLogger();
  const metrics = new MetricGroup(withCommonMetrics(connector.metrics));
  const emitted: SourceEvent[] = [];
  const hard = new AbortController();
  const patienceMs = options.patienceMs ?? PATIENCE_MS;
  const start = async (raw: RawConfig): Promise<void> => {
    const [taskConfig = raw] = connector.taskConfigs(raw, 1);
    await task.start(connector.config.parse(taskConfig), {
      connectorName: 'under-test',
      taskId: 0,
      logger,
      clock,
      metrics,
      offsets: { offset: async () => options.committed },
      signal: hard.signal,
      emit: (event) => emitted.push(event),
    });
  };
  return {
    task,
    clock,
    logger,
    metrics,
    emitted,
    start,
    take: (count) => takeFrom(task, { count, patienceMs }),
    rest: () => restOf(task),
    hardStop: () => hard.abort(),
    connected: async () => {
      await waitFor(() => task.connection?.().state === 'connected', {
        timeoutMs: patienceMs,
        what: () => `the connection, ${JSON.stringify(task.connection?.())}`,
      });
    },
  };
}

async function takeFrom(
  task: SourceTask,
  wanted: { readonly count: number; readonly patienceMs: number },
): Promise<readonly SourceRecord[]> {
  const taken: SourceRecord[] = [];
  while (taken.length < wanted.count) {
    const got = `${taken.length} of ${wanted.count} records`;
    const records = await soon(task.poll(), wanted.patienceMs, `a record after ${got}`);
    assert.notEqual(records.length, 0, `the task ended after ${got}`);
    taken.push(...records);
  }
  return taken;
}

/** The promise's outcome, or a failure when it takes too long in real time. */
async function soon<T>(promise: Promise<T>, ms: number, what: string): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`not within ${ms} ms: ${what}`)), ms);
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

async function restOf(task: SourceTask): Promise<readonly SourceRecord[]> {
  const taken: SourceRecord[] = [];
  for (;;) {
    const records = await task.poll();
    if (records.length === 0) return taken;
    taken.push(...records);
  }
}
