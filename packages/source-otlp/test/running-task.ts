import type { RawConfig, SourceRecord } from '@levada/connect-runtime-core';
import { type RunningTask as AnyRunningTask, drain, startedTask } from '@levada/test-peers/task';
import { otlpSourceConnector } from '../src/connector.ts';
import type { otlpEvents } from '../src/model/events.ts';
import { type OtlpContext, otlpMetrics } from '../src/model/metrics.ts';
import { OtlpTask } from '../src/task.ts';

export { drain, texts } from '@levada/test-peers/task';

/** A started task and everything that it reports. */
export interface RunningTask extends AnyRunningTask<OtlpTask, typeof otlpMetrics, keyof typeof otlpEvents> {
  /** Where the receivers listen. */
  readonly grpcPort: number;
  readonly httpPort: number;
  /** One batch. */
  readonly poll: () => Promise<readonly SourceRecord[]>;
  /** Stops, and gives what was left. */
  readonly stop: () => Promise<SourceRecord[]>;
}

/** The configuration that tests build on: loopback, and ports that the system chooses. */
export function testConfig(raw: RawConfig = {}): RawConfig {
  return {
    'otlp.bind.address': '127.0.0.1',
    'otlp.any.port': 'grpc,http',
    ...raw,
  };
}

/** Starts a task with {@link testConfig}. */
export async function startTask(raw: RawConfig = {}, more: Partial<OtlpContext> = {}): Promise<RunningTask> {
  const task = new OtlpTask();
  const config = otlpSourceConnector.config.parse(testConfig(raw));
  const context = { connectorName: 'telemetry', ...more };
  const running: AnyRunningTask<OtlpTask, typeof otlpMetrics, keyof typeof otlpEvents> = await startedTask(
    { task, config, metrics: otlpMetrics },
    context,
  );
  return {
    ...running,
    grpcPort: running.metrics.read('GrpcPort'),
    httpPort: running.metrics.read('HttpPort'),
    poll: () => task.poll(),
    stop: async () => {
      await task.stop();
      return drain(task);
    },
  };
}
