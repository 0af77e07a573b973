import {
  MetricGroup,
  type RawConfig,
  type SourceEvent,
  type SourceRecord,
  type SourceTask,
  systemClock,
  type TaskContext,
} from '@levada/connect-runtime-core';
import { createRecordingLogger, type RecordingLogger, waitFor } from '@levada/connect-runtime-core/testing';
import { grpcSourceConnector } from '../src/connector.ts';
import type { grpcEvents } from '../src/model/events.ts';
import { grpcMetrics } from '../src/model/metrics.ts';
import type { GrpcTask } from '../src/task.ts';
import { testDescriptor } from './descriptor-fixtures.ts';

/** A started task and everything that it tells. */
export interface RunningTask {
  readonly task: GrpcTask;
  readonly metrics: MetricGroup<typeof grpcMetrics>;
  readonly logger: RecordingLogger;
  readonly events: readonly SourceEvent[];
  /** Aborts the hard-stop signal. */
  readonly abort: () => void;
  /** The next records, at least `count` of them, in order. */
  readonly take: (count: number) => Promise<SourceRecord[]>;
  /** Resolves when this many lines of an event were logged. */
  readonly logged: (event: keyof typeof grpcEvents, count?: number) => Promise<void>;
}

/** The configuration that tests build on: the smallest service, and reconnecting after 1 ms. A key with null is left out. */
export function testConfig(port: number, raw: RawConfig = {}): RawConfig {
  const config: RawConfig = {
    'grpc.server.host': '127.0.0.1',
    'grpc.server.port': String(port),
    'grpc.service.name': 'teststream.TestStreamService',
    'grpc.method.name': 'StreamEvents',
    'grpc.proto.descriptor': Buffer.from(testDescriptor()).toString('base64'),
    'platform.topic': 'events',
    'grpc.reconnect.interval.ms': '1',
    ...raw,
  };
  return Object.fromEntries(Object.entries(config).filter(([, value]) => value !== null));
}

/** Starts a task with {@link testConfig}: a new one, unless one is given. */
export async function startTask(
  port: number,
  raw: RawConfig = {},
  { task: made, ...more }: Partial<TaskContext> & { readonly task?: SourceTask } = {},
): Promise<RunningTask> {
  const task = (made ?? grpcSourceConnector.createTask()) as GrpcTask;
  const metrics = new MetricGroup(grpcMetrics);
  const logger = createRecordingLogger();
  const events: SourceEvent[] = [];
  const hard = new AbortController();
  await task.start(grpcSourceConnector.config.parse(testConfig(port, raw)), {
    connectorName: 'feed',
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
export async function drain(task: GrpcTask): Promise<SourceRecord[]> {
  const records: SourceRecord[] = [];
  for (let polled = await task.poll(); polled.length > 0; polled = await task.poll()) records.push(...polled);
  return records;
}
