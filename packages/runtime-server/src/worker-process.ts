import { type EventLog, eventLog, isConnectorError, type RawConfig } from '@levada/connect-runtime-core';
import type { WorkerConfig } from './config/worker-config.ts';
import { type EndSignal, watchEndSignals } from './host/end-signals.ts';
import { keepMemory } from './host/memory-keeper.ts';
import type { ProcessSurroundings } from './host/this-process.ts';
import { issueText, loadWorkerConfig } from './load-worker-config.ts';
import { createLogging, type Logging } from './telemetry/create-logging.ts';
import { jsonSink, textSink } from './telemetry/log-sinks.ts';
import type { LogThreshold } from './telemetry/logger-levels.ts';
import { workerEvents } from './telemetry/worker-events.ts';
import { type RunningWorker, startWorker } from './worker-server.ts';

/** Exit codes, as Kafka Connect's command line has them. */
export const exitCodes = { ok: 0, usage: 1, startFailed: 2, stoppedByFailure: 3 } as const;

/** Longest that a worker may take to stop after a failure of its own. */
const FAILURE_STOP_MS = 2000;

/** A worker as a process. */
export interface WorkerProcessOptions extends ProcessSurroundings {
  readonly file?: string | undefined;
  readonly defaults?: RawConfig;
  readonly overrides?: RawConfig;
  /** Called once REST answers. */
  readonly onListening?: (worker: RunningWorker) => void;
}

/**
 * Runs a worker until a signal ends it: SIGTERM and SIGINT drain, also while it starts; a second one ends at once. Resolves
 * with the exit code.
 */
export async function runWorker(options: WorkerProcessOptions): Promise<number> {
  const { clock, environment, events, exit, memory, stderr, onListening } = options;
  ignoreBrokenPipes(options);
  const asked = new AbortController();
  let log: EventLog<typeof workerEvents> | undefined;
  const onFirst = (signal: EndSignal): void => {
    log?.('signal_received', { signal });
    asked.abort();
  };
  watchEndSignals({ events, clock, exit, onFirst });
  const onNotReturned = (error: unknown): void => log?.('free_memory_kept', { error });
  const endKeeping = memory === undefined ? undefined : keepMemory({ clock, memory, onNotReturned });
  try {
    const config = await loadWorkerConfig(options);
    const logging = loggingOf(config, options);
    log = eventLog(workerEvents, logging.logger('levada.process'), clock);
    const worker = await startWorker(config, { logging, clock, environment, signal: asked.signal });
    const end = endOf(worker, { log, asked: asked.signal, options });
    onListening?.(worker);
    return await end;
  } catch (error) {
    stderr.write(`${startProblem(error)}\n`);
    return exitCodes.startFailed;
  } finally {
    endKeeping?.();
  }
}

interface Ending {
  readonly log: EventLog<typeof workerEvents>;
  /** Aborted by the first signal. */
  readonly asked: AbortSignal;
  readonly options: WorkerProcessOptions;
}

/** Resolves when the worker has ended, whatever the cause. */
async function endOf(worker: RunningWorker, { log, asked, options }: Ending): Promise<number> {
  const { events, exit, clock } = options;
  const ending = Promise.withResolvers<number>();
  const end = (): void => ending.resolve(exitCodes.ok);
  if (asked.aborted) end();
  else asked.addEventListener('abort', end, { once: true });
  // A connector's error fails its task. Any other is a bug: after an exception the state of the process is unknown, so it stops;
  // a rejection affects only the code that waited for it.
  events.on('uncaughtException', (error) => {
    if (worker.blame(error)) return;
    log('uncaught_exception', { error });
    clock.after(FAILURE_STOP_MS, () => exit(1));
    ending.resolve(1);
  });
  events.on('unhandledRejection', (error) => {
    if (!worker.blame(error)) log('unhandled_rejection', { error });
  });
  worker.started.catch(() => ending.resolve(exitCodes.stoppedByFailure));
  const code = await ending.promise;
  await worker.stop();
  return code;
}

function loggingOf({ values }: WorkerConfig, { stdout, clock }: WorkerProcessOptions): Logging {
  const format = values['log.format'];
  const asText = format === 'text' || (format === 'auto' && stdout.isTTY === true);
  const sink = asText ? textSink(stdout) : jsonSink(stdout);
  return createLogging({ sink, level: values['log.level'].toUpperCase() as LogThreshold, clock });
}

/** The reader of the output may leave: that is no reason to stop working. */
function ignoreBrokenPipes({ stdout, stderr }: WorkerProcessOptions): void {
  for (const stream of [stdout, stderr]) stream.on('error', () => undefined);
}

function startProblem(error: unknown): string {
  if (isConnectorError(error) && error.issues.length > 0) {
    const lines = error.issues.map((issue) => `  ${issueText(issue)}`);
    return ['The worker configuration is not valid:', ...lines].join('\n');
  }
  if (isConnectorError(error)) return `The worker could not start: ${error.message}`;
  return `The worker could not start: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}
