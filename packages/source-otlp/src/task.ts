import {
  type ConnectionSnapshot,
  ConnectorError,
  type DroppedRecords,
  type SourceRecord,
  type SourceTask,
  type TaskContext,
} from '@levada/connect-runtime-core';
import type { OtlpConfig } from './config/config.ts';
import { configProblems } from './config/rules.ts';
import { openSourceRun } from './open-run.ts';
import type { SourceRun } from './run.ts';

/** The task of an OTLP connector. Everything that lives between start and stop is in its run. */
export class OtlpTask implements SourceTask<OtlpConfig> {
  #run: SourceRun | undefined;
  #stopped = false;

  async start(config: OtlpConfig, context: TaskContext): Promise<void> {
    const issues = configProblems(config);
    const [first] = issues;
    if (first !== undefined) throw new ConnectorError('config_invalid', first.message, { issues });
    this.#run = await openSourceRun(config, context);
    // Whoever stopped it meanwhile was told that nothing is open.
    if (this.#stopped) await this.#run.stop();
  }

  async poll(): Promise<readonly SourceRecord[]> {
    return (await this.#run?.poll()) ?? [];
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#run?.stop();
  }

  /** What is in the spool and was not committed is handed out again; otherwise an offset only says how far the log got. */
  rereads(): boolean {
    return this.#run?.rereads ?? false;
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
