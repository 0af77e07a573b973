import type { RawConfig } from '@levada/connect-runtime-core';
import { type ManualClock, waitFor } from '@levada/connect-runtime-core/testing';
import {
  type ServerCall,
  type StreamServer,
  type StreamServerOptions,
  startStreamServer,
} from '@levada/test-peers/grpc';
import { onTestFinished } from 'vitest';
import type { GrpcContext } from '../src/model/metrics.ts';
import { type RunningTask, startTask } from './running-task.ts';

/** A started task and the server that it streams from. */
export interface Feed extends RunningTask {
  readonly server: StreamServer;
}

/** How a task is run. */
export interface RunTaskOptions {
  /** Over those of `testConfig`. */
  readonly raw?: RawConfig;
  readonly context?: Partial<GrpcContext>;
  /** The task's, when it is to be moved by hand. */
  readonly clock?: ManualClock | undefined;
}

/** How a feed is made. */
export interface FeedOptions extends StreamServerOptions, RunTaskOptions {}

/** Starts a server that answers each call so, and a task that calls it. Both end with the test. */
export async function feed(
  onCall: (call: ServerCall, index: number) => void,
  options: FeedOptions = {},
): Promise<Feed> {
  const server = await serve(onCall, options);
  return { ...(await runTask(server.port, options)), server };
}

/** A server that ends with the test. */
export async function serve(
  onCall: (call: ServerCall, index: number) => void,
  options: StreamServerOptions = {},
): Promise<StreamServer> {
  let index = 0;
  const server = await startStreamServer({
    ...options,
    onCall: (call) => {
      index += 1;
      onCall(call, index - 1);
    },
  });
  onTestFinished(() => server.close());
  return server;
}

/** A task that ends with the test, and must have no timer left then. */
export async function runTask(
  port: number,
  { raw, context, clock }: RunTaskOptions = {},
): Promise<RunningTask> {
  const running = await startTask(port, raw, { ...(clock === undefined ? {} : { clock }), ...context });
  onTestFinished(async () => {
    running.abort();
    await running.task.stop();
    await waitFor(() => (clock?.pending ?? 0) === 0, { what: () => `${clock?.pending} timers to end` });
  });
  return running;
}

/** The fields of the lines of an event. */
export function fieldsOf({ logger }: RunningTask, event: string) {
  return logger.withEvent(event).map(({ fields }) => fields);
}

/** Attempts and delays that were scheduled so far. */
export function delaysOf(running: RunningTask): readonly number[] {
  return fieldsOf(running, 'reconnect_scheduled').map((fields) => Number(fields['backoff_ms']));
}
