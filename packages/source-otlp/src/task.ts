import type { SourceRecord, SourceTask } from '@levada/connect-runtime-core';
import type { ConnectionSnapshot, DroppedRecords } from '@levada/connect-runtime-core/contract';
import { refuseIssues } from '@levada/connect-runtime-core/source-kit';
import type { OtlpConfig } from './config/config.ts';
import { configProblems } from './config/rules.ts';
import type { OtlpContext, otlpMetrics } from './model/metrics.ts';
import { openSourceRun } from './open-run.ts';
import type { InUse } from './retry-while-in-use.ts';
import type { OtlpRun } from './run.ts';

/** The task of an OTLP connector. Everything that lives between start and stop is in its run. */
export class OtlpTask implements SourceTask<OtlpConfig, typeof otlpMetrics> {
  #run: OtlpRun | undefined;
  readonly #stopped = new AbortController();
  /** What its start waits for. */
  #wait: InUse | undefined;

  async start(config: OtlpConfig, context: OtlpContext): Promise<void> {
    refuseIssues(configProblems(config));
    const { signal } = this.#stopped;
    const onWait = (wait: InUse | undefined): void => {
      this.#wait = wait;
    };
    try {
      this.#run = await openSourceRun(config, context, { signal, onWait });
    } catch (thrown) {
      // What it waited for is not wanted any more.
      if (signal.aborted) return;
      throw thrown;
    }
    // A stop meanwhile has said that nothing is open.
    if (signal.aborted) await this.#run.stop();
  }

  async poll(): Promise<readonly SourceRecord[]> {
    return (await this.#run?.poll()) ?? [];
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#run?.stop();
  }

  committed(records: readonly SourceRecord[], dropped: DroppedRecords): void {
    this.#run?.committed(records, dropped);
  }

  async reconfigure(config: OtlpConfig): Promise<void> {
    this.#run?.reconfigure(config);
  }

  connection(): ConnectionSnapshot {
    if (this.#wait === undefined) return this.#run?.connection() ?? { state: 'disconnected' };
    const { error, attempt, nextTryInMs } = this.#wait;
    return { state: 'backing-off', lastError: error.message, attempt, nextTryInMs };
  }
}
