import type { RawConfig } from '@levada/connect-runtime-core';
import { testDescriptor } from '@levada/test-peers/grpc';
import { type RunningTask as AnyRunningTask, startedTask } from '@levada/test-peers/task';
import { grpcSourceConnector } from '../src/connector.ts';
import type { grpcEvents } from '../src/model/events.ts';
import { type GrpcContext, grpcMetrics } from '../src/model/metrics.ts';
import type { GrpcTask } from '../src/task.ts';

export { drain, texts } from '@levada/test-peers/task';

/** A started task and everything that it reports. */
export type RunningTask = AnyRunningTask<GrpcTask, typeof grpcMetrics, keyof typeof grpcEvents>;

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
  {
    task: made,
    ...more
  }: Partial<GrpcContext> & { readonly task?: ReturnType<typeof grpcSourceConnector.createTask> } = {},
): Promise<RunningTask> {
  const task = (made ?? grpcSourceConnector.createTask()) as GrpcTask;
  const config = grpcSourceConnector.config.parse(testConfig(port, raw));
  return startedTask({ task, config, metrics: grpcMetrics }, more);
}
