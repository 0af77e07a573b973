import {
  MetricGroup,
  type RawConfig,
  type SourceEvent,
  type SourceRecord,
  systemClock,
  type TaskContext,
} from '@levada/connect-runtime-core';
import { createRecordingLogger, type RecordingLogger, waitFor } from '@levada/connect-runtime-core/testing';
import { otlpSourceConnector } from '../src/connector.ts';
import type { otlpEvents } from '../src/model/events.ts';
import { otlpMetrics } from '../src/model/metrics.ts';
import { OtlpTask } from '../src/task.ts';

/** A started task and everything that it tells. */
export interface RunningTask {
  readonly task: OtlpTask;
  readonly metrics: MetricGroup<typeof otlpMetrics>;
  readonly logger: RecordingLogger;
  readonly events: readonly SourceEvent[];
  /** Where the receivers listen. */
  readonly grpcPort: number;
  readonly httpPort: number;
  /** Aborts the hard-stop signal. */
  readonly abort: () => void;
  /** One batch. */
  readonly poll: () => Promise<readonly SourceRecord[]>;
  /** The next records, at least `count` of them, in order. */
  readonly take: (count: number) => Promise<SourceRecord[]>;
  /** Stops, and gives what was left. */
  readonly stop: () => Promise<SourceRecord[]>;
  /** Resolves when this many lines of an event were logged. */
  readonly logged: (event: keyof typeof otlpEvents, count?: number) => Promise<void>;
}

/** The configuration that tests build on: loopback, and ports that the system chooses. */
export function testConfig(raw: RawConfig = {}): RawConfig {
  return { 'otlp.bind.address': '127.0.0.1', 'otlp.any.port': 'grpc,http', ...raw };
}

/** Starts a task with {@link testConfig}. */
export async function startTask(raw: RawConfig = {}, more: Partial<TaskContext> = {}): Promise<RunningTask> {
  const task = new OtlpTask();
  const metrics = new MetricGroup(otlpMetrics);
  const logger = createRecordingLogger();
  const events: SourceEvent[] = [];
  const hard = new AbortController();
  await task.start(otlpSourceConnector.config.parse(testConfig(raw)), {
    connectorName: 'telemetry',
    taskId: 0,
    logger,
    metrics: metrics as unknown as MetricGroup,
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
    grpcPort: metrics.read('GrpcPort'),
    httpPort: metrics.read('HttpPort'),
    abort: () => hard.abort(),
    poll: () => task.poll(),
    take: (count) => take(task, count),
    stop: async () => {
      await task.stop();
      return drain(task);
    },
    logged: async (event, count = 1) => {
      await waitFor(() => logger.withEvent(event).length >= count, { what: `${count} lines of ${event}` });
    },
  };
}

async function take(task: OtlpTask, count: number): Promise<SourceRecord[]> {
  const records: SourceRecord[] = [];
  while (records.length < count) {
    const polled = await task.poll();
    if (polled.length === 0) throw new Error(`the task ended after ${records.length} of ${count} records`);
    records.push(...polled);
  }
  return records;
}

/** Polls until the task has ended. */
export async function drain(task: OtlpTask): Promise<SourceRecord[]> {
  const records: SourceRecord[] = [];
  for (let polled = await task.poll(); polled.length > 0; polled = await task.poll()) records.push(...polled);
  return records;
}

/** Values of records as text. */
export function texts(records: readonly SourceRecord[]): string[] {
  return records.map((record) => Buffer.from(record.value as Uint8Array).toString());
}
