import type { SourceRecord, SourceTask } from '@levada/connect-runtime-core';
import type { ConnectionSnapshot } from '@levada/connect-runtime-core/contract';
import { refuseIssues } from '@levada/connect-runtime-core/source-kit';
import type { WebSocketConfig } from './config/config.ts';
import { configProblems } from './config/config-checks.ts';
import type { WebSocketContext, webSocketMetrics } from './connection/metrics.ts';
import { WebSocketRun } from './websocket-run.ts';

/** The task of a WebSocket connector. Everything that lives between start and stop is in its run. */
export class WebSocketTask implements SourceTask<WebSocketConfig, typeof webSocketMetrics> {
  #run: WebSocketRun | undefined;

  async start(config: WebSocketConfig, context: WebSocketContext): Promise<void> {
    refuseIssues(configProblems(config));
    this.#run = new WebSocketRun(config, context);
    this.#run.start();
  }

  async poll(): Promise<readonly SourceRecord[]> {
    return (await this.#run?.poll()) ?? [];
  }

  async stop(): Promise<void> {
    await this.#run?.stop();
  }

  committed(): void {
    this.#run?.committed();
  }

  async reconfigure(config: WebSocketConfig): Promise<void> {
    this.#run?.reconfigure(config);
  }

  connection(): ConnectionSnapshot {
    return this.#run?.connection() ?? { state: 'disconnected' };
  }
}
