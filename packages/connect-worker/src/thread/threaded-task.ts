import { Worker } from 'node:worker_threads';
import {
  type Clock,
  ConnectorError,
  type EventLog,
  eventLog,
  type Timer,
} from '@levada/connect-runtime-core';
import type { ConnectionSnapshot } from '@levada/connect-runtime-core/contract';
import { closingShare, dropAttribute, settlesWithin, within } from '@levada/connect-runtime-core/host';
import type { PlatformHealth } from '@levada/connect-runtime-core/platform';
import type { DropCause } from '@levada/connect-runtime-core/source-kit';
import type { TaskMetrics } from '../metrics/task-metrics.ts';
import type { TaskThreads } from '../port/connect-runtime.ts';
import { runtimeEvents } from '../port/runtime-events.ts';
import { traceOf } from '../port/trace.ts';
import { DebugSwitch, WaitingLines, writeLine } from './log-lines.ts';
import { isCall, PortCalls } from './port-calls.ts';
import { rowsOf, SharedCounters } from './shared-counters.ts';
import type { TaskHandle, TaskReports, TaskToRun } from './task-handle.ts';
import type {
  FromThread,
  LeaseCell,
  TaskConfigTexts,
  TaskState,
  TaskThreadStart,
  ThreadRequest,
  ToThread,
  WorkerRequestToThread,
} from './task-messages.ts';
import type { ThreadExits } from './thread-exits.ts';
import type { ThreadServices } from './thread-services.ts';

export interface ThreadedTaskParts extends TaskToRun {
  readonly className: string;
  readonly configs: TaskConfigTexts;
  readonly measured: TaskMetrics;
}

/** What a worker provides to the thread of a task. */
export interface ThreadHost {
  readonly threads: TaskThreads;
  /** Threads of earlier runs, too. */
  readonly exits: ThreadExits;
  readonly lease: LeaseCell;
  readonly clock: Clock;
  readonly gracefulTimeoutMs: number;
  readonly services: ThreadServices;
}

/** A thread has to give a sign of life in each of so many periods of {@link WATCH_MS}. */
const MOST_SILENT_PERIODS = 3;
const WATCH_MS = 10_000;
/** Causes with which a task gives up what is left when its time is over. */
const givenUpAtEnd = ['shutdown_timeout', 'delivery_unknown', 'produce_rejected'] as const;

/** Gauges that are about what a thread has in memory, and its connection: both are gone with it. */
const goneWithThread = ['QueueSize', 'QueueBytes', 'InFlightCount', 'IsConnected', 'IsHeldUp'];

/**
 * Young generation of a thread, in MiB. V8 ends the whole process when more than 16 MiB beyond the limit are kept before the thread can be
 * ended, which one collection of the usual young generation does. It is that of `--max-semi-space-size=8`, with which workers are started.
 */
const YOUNG_GENERATION_MB = 24;

/**
 * A task in a thread of its own, seen from the worker: starts the thread, passes on what it reports, answers what it asks for, and ends it
 * when it does not end by itself. Whatever happens in the thread fails this task and no other.
 */
export class ThreadedTask implements TaskHandle {
  /** Its producer has a link of its own. */
  readonly clientId = undefined;
  readonly #task: ThreadedTaskParts;
  readonly #host: ThreadHost;
  readonly #reports: TaskReports;
  readonly #log: EventLog<typeof runtimeEvents>;
  readonly #counters: SharedCounters;
  readonly #gauges: readonly string[];
  readonly #debug = new DebugSwitch();
  readonly #lines = new WaitingLines();
  readonly #errorsBefore: TaskMetrics['errors'];
  readonly #services: ThreadServices;
  readonly #calls: PortCalls<WorkerRequestToThread, ThreadRequest>;
  readonly #over = Promise.withResolvers<number>();
  readonly #exited = Promise.withResolvers<void>();
  #phase: 'running' | 'failed' | 'stopping' | 'over' = 'running';
  #thread: Worker | undefined;
  #thrown: unknown;
  #connection: ConnectionSnapshot | undefined;
  #linkHealth: PlatformHealth | undefined;
  #reconfigurable = false;
  #deadline: { readonly at: number; readonly timer: Timer } | undefined;
  #watch: Timer | undefined;
  #silentPeriods = 0;
  /** See {@link #givenUp}, when the stop began. */
  #givenUpBefore: number | undefined;

  constructor(task: ThreadedTaskParts, host: ThreadHost, reports: TaskReports) {
    const { metrics, measured, logger } = task;
    this.#task = task;
    this.#host = host;
    this.#reports = reports;
    this.#log = eventLog(runtimeEvents, logger, host.clock);
    this.#counters = new SharedCounters(metrics.table);
    this.#gauges = rowsOf(metrics.table, 'gauge');
    this.#errorsBefore = { ...measured.errors };
    this.#services = host.services;
    this.#calls = new PortCalls((message) => this.#post(message), this.#services.table);
  }

  start(): void {
    this.#lookAtLevel();
    const { exits, clock, gracefulTimeoutMs } = this.#host;
    const before = exits.of(this.#name);
    if (before === undefined) {
      this.#begin();
      return;
    }
    this.#log('task_thread_lingers', { wait_ms: gracefulTimeoutMs });
    void settlesWithin({ clock, ms: gracefulTimeoutMs }, before).then(() => this.#begin());
  }

  #begin(): void {
    if (this.#phase !== 'running') return;
    this.#counters.begin(this.#task.metrics);
    try {
      this.#thread = this.#startThread();
      this.#host.exits.add(this.#name, this.#exited.promise);
      this.#watchNext();
    } catch (thrown) {
      this.#fail(thrown);
    }
  }

  /** A thread that does not end in time is ended, whatever it does. */
  async stop(timeoutMs: number): Promise<number> {
    if (this.#phase === 'running') this.#phase = 'stopping';
    if (this.#phase === 'stopping' && this.#thread === undefined) this.#end(0);
    this.#givenUpBefore ??= this.#givenUp();
    const { clock } = this.#host;
    const until = clock.monotonic() + timeoutMs;
    const share = closingShare(timeoutMs);
    this.#post({ kind: 'stop', timeoutMs: timeoutMs - share });
    this.#arm(timeoutMs - share / 2, share / 2);
    const undelivered = await this.#over.promise;
    // Until then it has its ports, which the next one may need.
    const leftMs = until - clock.monotonic();
    if (this.#thread !== undefined && leftMs > 0)
      await settlesWithin({ clock, ms: leftMs }, this.#exited.promise);
    return undelivered;
  }

  get reconfigurable(): boolean {
    return this.#phase === 'running' && this.#reconfigurable;
  }

  async reconfigure(configs: TaskConfigTexts): Promise<void> {
    const { clock, gracefulTimeoutMs } = this.#host;
    const call = this.#calls.call('reconfigure', configs);
    try {
      await within({ clock, ms: gracefulTimeoutMs }, 'reconfiguring the task', call);
    } catch (thrown) {
      // Only this object knows what the thread was given.
      const { code, message, retriable } = ConnectorError.from(thrown);
      throw new ConnectorError(code, this.#services.scrub(message), { retriable });
    }
  }

  commit(): void {
    if (this.#phase === 'running') this.#post({ kind: 'commit' });
  }

  /** How the connection to the peer was doing when the thread last said; closed when the thread did not end in order. */
  connection(): ConnectionSnapshot | undefined {
    return this.#connection;
  }

  /** How the thread's link to the log was doing when it last said; undefined before, and when it has ended. */
  get linkHealth(): PlatformHealth | undefined {
    return this.#linkHealth;
  }

  get #name(): string {
    return `${this.#task.connectorName}-${this.#task.taskId}`;
  }

  #startThread(): Worker {
    const { connectorName, taskId, className, configs } = this.#task;
    const { threads, lease, clock } = this.#host;
    const start: TaskThreadStart = {
      connectorName,
      taskId,
      className,
      configs,
      clock: { monotonic: clock.monotonic(), machine: machineMs() },
      lease: lease.memory,
      counters: this.#counters.memory,
      debug: this.#debug.memory,
      lines: this.#lines.memory,
      host: threads.host,
    };
    const { heapMb } = threads;
    const thread = new Worker(threads.entry, {
      workerData: start,
      name: this.#name,
      resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    });
    thread.on('message', (message: FromThread) => this.#take(message));
    thread.on('messageerror', (thrown) => this.#fail(thrown));
    thread.on('error', (thrown) => {
      this.#thrown = thrown;
    });
    thread.on('exit', (code) => {
      this.#exited.resolve();
      this.#died(code);
    });
    return thread;
  }

  #post(message: ToThread): void {
    if (this.#phase !== 'over') this.#thread?.postMessage(message);
  }

  #take(message: FromThread): void {
    if (this.#phase === 'over') return;
    this.#silentPeriods = 0;
    if (isCall(message)) {
      this.#calls.take(message);
      return;
    }
    const reports = this.#reports;
    switch (message.kind) {
      case 'log':
        this.#lines.leave();
        writeLine(this.#task.logger, message);
        break;
      case 'state':
        this.#show(message);
        break;
      case 'running':
        reports.onRunning();
        break;
      case 'completed':
        reports.onCompleted();
        break;
      case 'failed':
        if (this.#phase === 'running') {
          this.#phase = 'failed';
          reports.onFailed(message.trace, { again: message.again });
        }
        this.#arm(this.#host.gracefulTimeoutMs, 0);
        break;
      case 'commit':
        reports.onCommit(message.succeeded, message.ms);
        break;
      case 'ended':
        void this.#thread?.terminate();
        this.#end(message.undelivered);
        break;
    }
  }

  #show(state: TaskState): void {
    const { metrics, measured } = this.#task;
    this.#connection = state.connection;
    this.#linkHealth = state.platform;
    this.#reconfigurable = state.reconfigurable;
    this.#lookAtLevel();
    this.#reportLost(this.#lines.takeLost());
    this.#counters.show(state.counters, metrics);
    for (const [at, name] of this.#gauges.entries()) metrics.set(name, state.gauges[at] ?? 0);
    measured.add(state.report, this.#errorsBefore);
    for (const topic of state.topics) this.#reports.onTopic(topic);
  }

  #reportLost(lines: number): void {
    if (lines > 0) this.#log('log_lines_lost', { lines });
  }

  #lookAtLevel(): void {
    const { threads } = this.#host;
    this.#debug.set(threads.writesDebug?.(this.#task.connectorName) ?? true);
  }

  /** A shorter time than before wins. */
  #arm(ms: number, terminationMs: number): void {
    const { clock } = this.#host;
    const at = clock.monotonic() + ms;
    if (this.#phase === 'over' || (this.#deadline !== undefined && this.#deadline.at <= at)) return;
    this.#deadline?.timer.cancel();
    this.#deadline = { at, timer: clock.after(ms, () => void this.#abandon(terminationMs)) };
  }

  /** The thread does not come to an end by itself. */
  async #abandon(terminationMs: number): Promise<void> {
    if (this.#phase === 'over') return;
    const { clock } = this.#host;
    this.#phase = 'over';
    void this.#thread?.terminate();
    await settlesWithin({ clock, ms: terminationMs }, this.#exited.promise);
    // Not before: until it has ended, the thread may still count what the log acknowledges.
    const known = this.#givenUp() - (this.#givenUpBefore ?? 0);
    const undelivered = known + this.#countLoss('shutdown_timeout');
    this.#log('task_cancelled', { undelivered });
    this.#end(undelivered);
  }

  /** The thread has ended, and did not say so before. */
  #died(code: number): void {
    if (this.#phase === 'over') return;
    const how = `the thread of the task ended with exit code ${code}`;
    this.#fail(this.#thrown ?? new ConnectorError('internal', `${how}, although the task was not stopped`));
  }

  /** Ends the task for a reason that its own thread cannot report. */
  #fail(thrown: unknown): void {
    if (this.#phase === 'over') return;
    const before = this.#phase;
    const undelivered = this.#countLoss('delivery_unknown');
    const reason = this.#services.scrub(thrown instanceof Error ? thrown.message : String(thrown));
    this.#log('task_thread_ended', { reason, undelivered });
    void this.#thread?.terminate();
    this.#end(undelivered);
    if (before !== 'running') return;
    const trace = traceOf(thrown, (text) => this.#services.scrub(text));
    this.#reports.onFailed(trace, { again: false });
  }

  #end(undelivered: number): void {
    this.#phase = 'over';
    this.#linkHealth = undefined;
    this.#deadline?.timer.cancel();
    this.#watch?.cancel();
    this.#calls.close(new ConnectorError('closed', 'the thread of the task has ended'));
    this.#services.close();
    this.#reportLost(this.#lines.end());
    this.#over.resolve(undelivered);
  }

  /** Records that the thread has counted as given up at its end. */
  #givenUp(): number {
    const { metrics } = this.#task;
    return givenUpAtEnd
      .map((cause) => dropAttribute(cause))
      .reduce((sum, name) => sum + (metrics.hasCounter(name) ? this.#counters.counter(name).value : 0), 0);
  }

  /** Counts what the thread had received and not settled when it ended. */
  #countLoss(cause: DropCause): number {
    const { metrics } = this.#task;
    this.#counters.show(this.#counters.read(), metrics);
    for (const name of goneWithThread) if (this.#gauges.includes(name)) metrics.set(name, 0);
    if (this.#connection !== undefined)
      this.#connection = { state: 'disconnected', lastError: 'the thread of the task has ended' };
    if (!Object.hasOwn(metrics.table, 'UnaccountedCount')) return 0;
    const lost = Math.max(0, metrics.read('UnaccountedCount'));
    const attribute = dropAttribute(cause);
    if (metrics.hasCounter(attribute)) metrics.counter(attribute).value += lost;
    return lost;
  }

  /** A thread that says nothing for long is in an endless loop. It is counted in periods, because the worker itself may have been stopped. */
  #watchNext(): void {
    const { clock } = this.#host;
    this.#watch = clock.after(WATCH_MS, () => {
      if (this.#phase === 'over') return;
      this.#silentPeriods += 1;
      if (this.#silentPeriods <= MOST_SILENT_PERIODS) {
        this.#watchNext();
        return;
      }
      const seconds = (MOST_SILENT_PERIODS * WATCH_MS) / 1000;
      this.#fail(
        new ConnectorError(
          'timeout',
          `the thread of the task did not answer for ${seconds} s, and was ended`,
        ),
      );
    });
  }
}

/** Milliseconds that count the same in all threads. */
export function machineMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
