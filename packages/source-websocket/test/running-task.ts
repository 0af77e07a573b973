import type { RawConfig } from '@levada/connect-runtime-core';
import { type RunningTask as AnyRunningTask, startedTask } from '@levada/test-peers/task';
import type { webSocketEvents } from '../src/connection/events.ts';
import { type WebSocketContext, webSocketMetrics } from '../src/connection/metrics.ts';
import { webSocketSourceConnector } from '../src/connector.ts';
import type { WebSocketTask } from '../src/task.ts';

export { drain, texts } from '@levada/test-peers/task';

/** A started task and everything that it reports. */
export type RunningTask = AnyRunningTask<
  WebSocketTask,
  typeof webSocketMetrics,
  keyof typeof webSocketEvents
>;

/** Starts a task against a server. Reconnects after 1 ms unless configured otherwise. */
export async function startTask(raw: RawConfig, more: Partial<WebSocketContext> = {}): Promise<RunningTask> {
  const task = webSocketSourceConnector.createTask() as WebSocketTask;
  const config = webSocketSourceConnector.config.parse({
    'platform.topic': 'prices',
    'websocket.reconnect.interval.ms': '1',
    ...raw,
  });
  return startedTask({ task, config, metrics: webSocketMetrics }, more);
}
