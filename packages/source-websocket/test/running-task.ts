import {
  type Clock,
  MetricGroup,
  type RawConfig,
  type SourceEvent,
  type SourceRecord,
  systemClock,
} from '@levada/connect-runtime-core';
import { createRecordingLogger, type RecordingLogger, waitFor } from '@levada/connect-runtime-core/testing';
import type { webSocketEvents } from '../src/connection/events.ts';
import type { WebSocketContext } from '../src/connection/metrics.ts';
import { webSocketMetrics } from '../src/connection/metrics.ts';
import { webSocketSourceConnector } from '../src/connector.ts';
import type { WebSocketTask } from '../src/task.ts';

/** A started task and everything that it tells. */
export interface RunningTask {
  readonly task: WebSocketTask;
  readonly metrics: MetricGroup<typeof webSocketMetrics>;
  readonly logger: RecordingLogger;
  readonly events: readonly SourceEvent[];
  /** Aborts the hard-stop signal. */
  readonly abort: () => void;
  /** The next records, at least `count` of them, in order. */
  readonly take: (count: number) => Promise<SourceRecord[]>;
  /** Resolves when this many lines of an event were logged. */
  readonly logged: (event: keyof typeof webSocketEvents, count?: number) => Promise<void>;
}

/** Starts a task against a server. Reconnects after 1 ms by default. */
export async function startTask(
  raw: RawConfig,
  more: { readonly clock?: Clock } & Partial<WebSocketContext> = {},
): Promise<RunningTask> {
  const task = webSocketSourceConnector.createTask() as WebSocketTask;
  const metrics = new MetricGroup(webSocketMetrics);
  const logger = createRecordingLogger();
  const events: SourceEvent[] = [];
  const hard = new AbortController();
  const config = webSocketSourceConnector.config.parse({
    'platform.topic': 'prices',
    'websocket.reconnect.interval.ms': '1',
    ...raw,
  });
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
export async function drain(task: WebSocketTask): Promise<SourceRecord[]> {
  const records: SourceRecord[] = [];
  for (let polled = await task.poll(); polled.length > 0; polled = await task.poll()) records.push(...polled);
  return records;
}
