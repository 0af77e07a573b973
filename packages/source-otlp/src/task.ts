import type {
  ConnectionSnapshot,
  DroppedRecords,
  SourceRecord,
  SourceTask,
} from '@levada/connect-runtime-core';
import { refuseIssues } from '@levada/connect-runtime-core/source-kit';
import type { OtlpConfig } from './config/config.ts';
import { configProblems } from './config/rules.ts';
import type { OtlpContext, otlpMetrics } from './model/metrics.ts';
import { openSourceRun } from './open-run.ts';
import type { OtlpRun } from './run.ts';

/** The task of an OTLP connector. Everything that lives between start and stop is in its run. */
export class OtlpTask implements SourceTask<OtlpConfig, typeof otlpMetrics> {
  #run: OtlpRun | undefined;
  #stopped = false;

  async start(config: OtlpConfig, context: OtlpContext): Promise<void> {
    refuseIssues(configProblems(config));
    this.#run = await openSourceRun(config, context);
    // A stop meanwhile has said that nothing is open.
    if (this.#stopped) await this.#run.stop();
  }

  async poll(): Promise<readonly SourceRecord[]> {
    return (await this.#run?.poll()) ?? [];
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#run?.stop();
  }

  committed(records: readonly SourceRecord[], dropped: DroppedRecords): void {
    this.#run?.committed(records, dropped);
  }

  async reconfigure(config: OtlpConfig): Promise<void> {
    this.#run?.reconfigure(config);
  }

  connection(): ConnectionSnapshot {
    return this.#run?.connection() ?? { state: 'disconnected' };
  }
}
