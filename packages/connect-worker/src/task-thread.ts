import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import {
  type Clock,
  ConnectorError,
  type Logger,
  MetricGroup,
  systemClock,
} from '@levada/connect-runtime-core';
import {
  type CommittableOffset,
  canonicalJson,
  scrubber,
  withCommonMetrics,
} from '@levada/connect-runtime-core/host';
import type { LogPlatform, LogRecord } from '@levada/connect-runtime-core/platform';
import type { ResolvedConfig } from './config/config-resolver.ts';
import { PluginRegistry } from './config/plugin-registry.ts';
import { TaskTally } from './metrics/task-tally.ts';
import type { ConnectRuntimeOptions } from './port/connect-runtime.ts';
import type { ConnectorOffsets } from './stores/offset-stores.ts';
import { DebugSwitch, sendable, sendingLogger, WaitingLines } from './thread/log-lines.ts';
import { isCall, PortCalls } from './thread/port-calls.ts';
import { rowsOf, SharedCounters } from './thread/shared-counters.ts';
import type { TaskHandle, TaskReports } from './thread/task-handle.ts';
import {
  type FromThread,
  LeaseCell,
  STATE_EVERY_MS,
  type TaskConfigTexts,
  type TaskState,
  type TaskThreadStart,
  type ThreadRequest,
  type ToThread,
  type WorkerRequestToThread,
} from './thread/task-messages.ts';
import { machineMs } from './thread/threaded-task.ts';
import { TaskConfigs } from './worker/task-configs.ts';
import { TaskScopes } from './worker/task-scopes.ts';
import { taskSettingsFactory } from './worker/task-settings.ts';
import { WorkerSourceTask } from './worker/worker-source-task.ts';

/** What the host's code gets in a thread. */
export interface TaskThreadParts {
  /** `TaskThreads.host` of the worker. */
  readonly host: unknown;
  /** Writes lines to the worker's log, as lines of the connector. */
  readonly logger: Logger;
  /** Counts as the worker's clock does. */
  readonly clock: Clock;
}

/**
 * Runs the task that a worker started this thread for, until it is over. To be called once by the module that `TaskThreads.entry` names.
 * `compose` makes the options as for the worker's own runtime, with a link of its own to the log, which ends with the thread.
 */
export async function runTaskThread(
  compose: (parts: TaskThreadParts) => Promise<ConnectRuntimeOptions>,
): Promise<void> {
  if (parentPort === null) throw new Error('this module is to be run as a thread of a worker');
  const thread = new TaskThread(parentPort, workerData as TaskThreadStart);
  await thread.run(compose);
}

/** The thread's end of a `ThreadedTask`. */
class TaskThread {
  readonly #port: MessagePort;
  readonly #start: TaskThreadStart;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #scopes = new TaskScopes();
  readonly #calls: PortCalls<ThreadRequest, WorkerRequestToThread>;
  readonly #configs: TaskConfigs;
  readonly #tally = new TaskTally();
  readonly #topics = new Set<string>();
  /** What the task is to end within, once it is to end. */
  #stopMs: number | undefined;
  #stopping: Promise<number> | undefined;
  #task: TaskHandle | undefined;
  #metrics: MetricGroup | undefined;
  #platform: Pick<LogPlatform, 'health'> | undefined;
  #ended = false;

  constructor(port: MessagePort, start: TaskThreadStart) {
    this.#port = port;
    this.#start = start;
    this.#logger = sendingLogger({
      post: (line) => this.#post(line),
      debug: new DebugSwitch(start.debug),
      waiting: new WaitingLines(start.lines),
    });
    const ahead = start.clock.monotonic + (machineMs() - start.clock.machine) - systemClock.monotonic();
    this.#clock = { ...systemClock, monotonic: () => systemClock.monotonic() + ahead };
    this.#calls = new PortCalls((message) => this.#post(message), {
      reconfigure: (configs: TaskConfigTexts) => this.#reconfigure(configs),
    });
    this.#configs = new TaskConfigs(async (raw) => {
      const resolved = await this.#calls.call<Omit<ResolvedConfig, 'scrub'>>('resolve', raw);
      return { ...resolved, scrub: scrubber(resolved.secrets) };
    }, start.configs);
    port.on('message', (message: ToThread) => {
      if (isCall(message)) this.#calls.take(message);
      else if (message.kind === 'commit') this.#task?.commit();
      else this.#stop(message.timeoutMs);
    });
    const blame = (thrown: unknown): void => {
      // What is not the connector's ends the thread, and so the task, with this as the reason.
      if (!this.#scopes.blame(thrown)) throw thrown;
    };
    process.on('uncaughtException', blame);
    process.on('unhandledRejection', blame);
  }

  async run(compose: (parts: TaskThreadParts) => Promise<ConnectRuntimeOptions>): Promise<void> {
    const options = await compose({ host: this.#start.host, logger: this.#logger, clock: this.#clock });
    if (this.#stopMs === undefined) {
      this.#task = this.#createTask(options);
      this.#task.start();
      this.#reportState();
    } else this.#stopping = Promise.resolve(0);
    await this.#stopAsked.promise;
    const undelivered = (await this.#stopping) ?? 0;
    this.#ended = true;
    // The worker ends the thread then, and with it what is left of the link to the log: the producer is closed already.
    this.#postState();
    this.#post({ kind: 'ended', undelivered });
  }

  readonly #stopAsked = Promise.withResolvers<void>();

  #stop(timeoutMs: number): void {
    this.#stopMs = Math.min(this.#stopMs ?? timeoutMs, timeoutMs);
    const stopping = this.#task?.stop(this.#stopMs);
    this.#stopping ??= stopping;
    this.#stopAsked.resolve();
  }

  #createTask(options: ConnectRuntimeOptions): TaskHandle {
    const { connectorName, taskId, className } = this.#start;
    const registry = new PluginRegistry(options.connectors, options.converters, options);
    const connector = registry.connector(className);
    const table = withCommonMetrics(connector.metrics);
    const counters = new SharedCounters(table, this.#start.counters);
    const metrics = new MetricGroup(table, (name) => counters.counter(name));
    const lease = new LeaseCell(this.#start.lease);
    const clock = this.#clock;
    this.#platform = options.platform;
    this.#metrics = metrics;
    const task = {
      connector,
      connectorName,
      taskId,
      metrics,
      configs: this.#configs,
      measured: this.#tally,
      logger: this.#logger,
    };
    const host = {
      runtime: { ...options, clock },
      makeSettings: taskSettingsFactory(options, registry),
      scopes: this.#scopes,
      offsets: { use: (_: string, topic?: string, signal?: AbortSignal) => this.#openOffsets(topic, signal) },
      fencing: {
        fence: (signal: AbortSignal) => this.#calls.call<void>('fence', undefined, signal),
        checkCurrent: (signal: AbortSignal) => this.#calls.call<void>('checkCurrent', undefined, signal),
      },
      mayProduce: () => lease.isValid(clock.monotonic(), clock.now()),
    };
    return new WorkerSourceTask(task, host, this.#reports(options.taskShutdownGracefulTimeoutMs));
  }

  /** Passes on what the task reports. A task that is over is wound down here: the worker does not stop it. */
  #reports(gracefulTimeoutMs: number): TaskReports {
    return {
      onRunning: () => this.#postWithState({ kind: 'running' }),
      onFailed: (trace, { again }) => {
        this.#postWithState({ kind: 'failed', trace, again });
        this.#stop(gracefulTimeoutMs);
      },
      onCompleted: () => {
        this.#postWithState({ kind: 'completed' });
        this.#stop(gracefulTimeoutMs);
      },
      onCommit: (succeeded, ms) => this.#post({ kind: 'commit', succeeded, ms }),
      onTopic: (topic) => this.#topics.add(topic),
    };
  }

  async #reconfigure(configs: TaskConfigTexts): Promise<void> {
    if (this.#task === undefined) throw new ConnectorError('internal', 'the task is not there yet');
    await this.#task.reconfigure(configs);
    this.#postState();
  }

  /** The worker reads and writes offsets; this thread asks it. */
  async #openOffsets(topic: string | undefined, signal: AbortSignal | undefined): Promise<ConnectorOffsets> {
    const used = await this.#calls.call<string>('openOffsets', topic, signal);
    let known: ReadonlyMap<string, CommittableOffset> = new Map();
    return {
      topic: used,
      list: () => [...known.values()],
      get: (partition) => known.get(canonicalJson(partition))?.offset,
      put: (writes) => this.#calls.call('putOffsets', writes),
      records: (writes, now) => this.#calls.call<readonly LogRecord[]>('offsetRecords', { writes, now }),
      committed: (writes) => void this.#calls.call('offsetsCommitted', writes),
      readToEnd: async (ending) => {
        const list = await this.#calls.call<readonly CommittableOffset[]>('readOffsets', undefined, ending);
        known = new Map(list.map((one) => [canonicalJson(one.partition), one]));
      },
      release: async () => undefined,
    };
  }

  #reportState(): void {
    if (this.#ended) return;
    this.#postState();
    this.#clock.after(STATE_EVERY_MS, () => this.#reportState());
  }

  #postState(): void {
    const metrics = this.#metrics;
    const platform = this.#platform;
    if (metrics === undefined || platform === undefined) return;
    const read = (kind: 'counter' | 'gauge') => rowsOf(metrics.table, kind).map((name) => metrics.read(name));
    this.#post({
      kind: 'state',
      counters: read('counter'),
      gauges: read('gauge'),
      report: this.#tally.take(),
      topics: [...this.#topics],
      connection: sendable(this.#task?.connection()) as TaskState['connection'],
      platform: platform.health(),
      reconfigurable: this.#task?.reconfigurable === true,
    });
    this.#topics.clear();
  }

  #postWithState(message: FromThread): void {
    this.#postState();
    this.#post(message);
  }

  #post(message: FromThread): void {
    this.#port.postMessage(message);
  }
}
