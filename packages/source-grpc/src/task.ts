import {
  type ConnectionSnapshot,
  ConnectorError,
  type EventLog,
  eventLog,
  printable,
  type SourceRecord,
  type SourceTask,
  type TaskContext,
} from '@levada/connect-runtime-core';
import { configProblems } from './config/checks.ts';
import type { GrpcConfig } from './config/config.ts';
import { grpcEvents } from './model/events.ts';
import { type RestoredOffset, restoredOffset, sourcePartition } from './record/restored-offset.ts';
import { SourceRun } from './run.ts';

/** The task of a gRPC connector. Everything that lives between start and stop is in its run. */
export class GrpcTask implements SourceTask<GrpcConfig> {
  #run: SourceRun | undefined;
  #stopped = false;

  async start(config: GrpcConfig, context: TaskContext): Promise<void> {
    const issues = configProblems(config);
    const [first] = issues;
    if (first !== undefined) throw new ConnectorError('config_invalid', first.message, { issues });
    const run = new SourceRun(config, context, await restored(config, context));
    // Whoever stopped it meanwhile was told that nothing is open.
    if (this.#stopped) return;
    this.#run = run;
    run.start();
  }

  async poll(): Promise<readonly SourceRecord[]> {
    return (await this.#run?.poll()) ?? [];
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#run?.stop();
  }

  /** Without resume an offset says how far the log got, and brings nothing back. */
  rereads(): boolean {
    return this.#run?.resumes ?? false;
  }

  completed(): boolean {
    return this.#run?.completed ?? false;
  }

  committed(records: readonly SourceRecord[]): void {
    this.#run?.committed(records);
  }

  async reconfigure(config: GrpcConfig): Promise<void> {
    this.#run?.reconfigure(config);
  }

  connection(): ConnectionSnapshot {
    return this.#run?.connection() ?? { state: 'disconnected' };
  }
}

/** Where an earlier run ended. */
async function restored(config: GrpcConfig, context: TaskContext): Promise<RestoredOffset | undefined> {
  const log: EventLog<typeof grpcEvents> = eventLog(grpcEvents, context.logger, context.clock);
  const offset = await context.offsets.offset(sourcePartition(config));
  if (offset === undefined) {
    log('no_previous_offset');
    return undefined;
  }
  const found = restoredOffset(offset);
  if (found === undefined) log('offset_restore_error', { offset: printable([])(JSON.stringify(offset)) });
  else log('offset_restored', { session_id: found.sessionId, sequence: found.sequence });
  return found;
}
