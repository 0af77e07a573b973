import { type EventLog, eventLog, type SourceRecord, type SourceTask } from '@levada/connect-runtime-core';
import type { ConnectionSnapshot } from '@levada/connect-runtime-core/contract';
import { printable, refuseIssues } from '@levada/connect-runtime-core/source-kit';
import { configProblems } from './config/checks.ts';
import type { GrpcConfig } from './config/config.ts';
import { grpcEvents } from './model/events.ts';
import type { GrpcContext, grpcMetrics } from './model/metrics.ts';
import { type RestoredOffset, restoredOffset, sourcePartition } from './record/restored-offset.ts';
import { GrpcRun } from './run.ts';
import { http2Transport, type Transport } from './transport/transport.ts';

/** The task of a gRPC connector. Everything that lives between start and stop is in its run. */
export class GrpcTask implements SourceTask<GrpcConfig, typeof grpcMetrics> {
  readonly #transport: Transport;
  #run: GrpcRun | undefined;
  #stopped = false;

  constructor(transport: Transport = http2Transport) {
    this.#transport = transport;
  }

  async start(config: GrpcConfig, context: GrpcContext): Promise<void> {
    refuseIssues(configProblems(config));
    const run = new GrpcRun(config, context, {
      transport: this.#transport,
      restored: await restored(config, context),
    });
    // A stop meanwhile has said that nothing is open.
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
async function restored(config: GrpcConfig, context: GrpcContext): Promise<RestoredOffset | undefined> {
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
