import {
  type ConnectionSnapshot,
  ConnectorError,
  type SourceRecord,
  type SourceTask,
} from '@levada/connect-runtime-core';
import type { WebSocketConfig } from './config.ts';
import { configProblems } from './config-checks.ts';
import type { WebSocketContext, webSocketMetrics } from './metrics.ts';
import { SourceRun } from './source-run.ts';

/** The task of a WebSocket connector. Everything that lives between start and stop is in its run. */
export class WebSocketTask implements SourceTask<WebSocketConfig, typeof webSocketMetrics> {
  #run: SourceRun | undefined;

  async start(config: WebSocketConfig, context: WebSocketContext): Promise<void> {
    const issues = configProblems(config);
    const [first] = issues;
    if (first !== undefined) throw new ConnectorError('config_invalid', first.message, { issues });
    this.#run = new SourceRun(config, context);
    this.#run.start();
  }

  async poll(): Promise<readonly SourceRecord[]> {
    return (await this.#run?.poll()) ?? [];
  }

  async stop(): Promise<void> {
    await this.#run?.stop();
  }

  async reconfigure(config: WebSocketConfig): Promise<void> {
    this.#run?.reconfigure(config);
  }

  connection(): ConnectionSnapshot {
    return this.#run?.connection() ?? { state: 'disconnected' };
  }
}
