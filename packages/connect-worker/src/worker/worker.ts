import {
  ConnectorError,
  type EventLog,
  eventLog,
  MetricGroup,
  type MetricTable,
  type RawConfig,
} from '@levada/connect-runtime-core';
import type { AnySourceConnector } from '@levada/connect-runtime-core/contract';
import { withCommonMetrics } from '@levada/connect-runtime-core/host';
import type { ResolveConfig } from '../config/config-resolver.ts';
import { runsInThreads } from '../config/task-isolation.ts';
import type { SampleWindowSettings } from '../metrics/sample-window.ts';
import { TaskMetrics } from '../metrics/task-metrics.ts';
import type { WorkerCounts } from '../metrics/worker-counts.ts';
import type {
  ConnectRuntimeOptions,
  RuntimeOperation,
  StopReport,
  TaskThreads,
} from '../port/connect-runtime.ts';
import type { TaskConnection } from '../port/herder.ts';
import { runtimeEvents } from '../port/runtime-events.ts';
import type { StoredConnector } from '../stores/config-state.ts';
import type { RuntimeStores } from '../stores/runtime-stores.ts';
import type { TaskLink } from '../thread/joined-health.ts';
import type { TaskFencing, TaskHandle, TaskReports } from '../thread/task-handle.ts';
import type { LeaseCell } from '../thread/task-messages.ts';
import { ThreadExits } from '../thread/thread-exits.ts';
import { ThreadServices } from '../thread/thread-services.ts';
import { ThreadedTask, type ThreadHost } from '../thread/threaded-task.ts';
import type { StatusReporter } from './status-reporter.ts';
import { isLiveChange, storedConfigs, TaskConfigs } from './task-configs.ts';
import type { TaskScopes } from './task-scopes.ts';
import type { TaskSettingsFactory } from './task-settings.ts';
import { WorkerSourceTask } from './worker-source-task.ts';

export interface WorkerOptions {
  readonly runtime: ConnectRuntimeOptions;
  readonly stores: RuntimeStores;
  readonly reporter: StatusReporter;
  readonly resolve: ResolveConfig;
  readonly settings: TaskSettingsFactory;
  readonly mayProduce: () => boolean;
  /** The same for tasks in other threads. */
  readonly lease: LeaseCell;
  readonly scopes: TaskScopes;
  /** Fences the transactional producers of earlier tasks. */
  readonly fenceZombies: (name: string, signal: AbortSignal) => Promise<void>;
  /** Restarts a task that failed with a retriable error. */
  readonly restartTask: (name: string, taskId: number) => void;
  readonly windows: SampleWindowSettings;
  readonly counts: WorkerCounts;
}

/** A task that runs, ran or failed here. */
interface RunningTask {
  readonly task: TaskHandle;
  readonly configs: TaskConfigs;
}

/** A connector that lives here: its metrics stay while its tasks come and go. */
export interface RunningConnector {
  readonly name: string;
  readonly connector: AnySourceConnector;
  readonly epoch: number;
  readonly metrics: MetricGroup;
  readonly tasks: Map<number, RunningTask>;
  /** Of the tasks that run, failed or are paused here. */
  readonly measured: Map<number, TaskMetrics>;
  /** The task configurations that it made, and from what; undefined when that is still to be done. */
  made: { readonly config: RawConfig; readonly tasks: readonly RawConfig[] } | undefined;
}

/** Owns what runs here: connectors, their metrics and their tasks. Carries out commands; knows no target states. */
export class Worker {
  readonly #options: WorkerOptions;
  readonly #log: EventLog<typeof runtimeEvents>;
  readonly #connectors = new Map<string, RunningConnector>();
  /** One for all connectors of a class. */
  readonly #tables = new Map<AnySourceConnector, MetricTable>();
  readonly #exits = new ThreadExits();
  #closing = false;

  constructor(options: WorkerOptions) {
    this.#options = options;
    this.#log = eventLog(runtimeEvents, options.runtime.logger, options.runtime.clock);
  }

  get(name: string): RunningConnector | undefined {
    return this.#connectors.get(name);
  }

  names(): readonly string[] {
    return [...this.#connectors.keys()];
  }

  /** The connector's place here, made when there is none. */
  ensure(stored: StoredConnector, connector: AnySourceConnector): RunningConnector {
    const known = this.#connectors.get(stored.name);
    if (known !== undefined) return known;
    const { name, epoch } = stored;
    const table = this.#tables.get(connector) ?? withCommonMetrics(connector.metrics);
    this.#tables.set(connector, table);
    const metrics = new MetricGroup(table);
    const running = {
      name,
      connector,
      epoch,
      metrics,
      tasks: new Map(),
      measured: new Map(),
      made: undefined,
    };
    this.#connectors.set(name, running);
    return running;
  }

  /** Starts one task with the connector's present configuration. The one before must be stopped. */
  startTask(running: RunningConnector, stored: StoredConnector, taskId: number): void {
    const given = storedConfigs(stored, taskId);
    if (given === undefined || this.#closing) return;
    const configs = new TaskConfigs(this.#options.resolve, given);
    const task = this.#createTask(running, taskId, { configs, stored });
    running.tasks.set(taskId, { task, configs });
    task.start();
  }

  /** Stops one task and forgets it. Resolves when it has ended or was abandoned. */
  async stopTask(
    running: RunningConnector,
    taskId: number,
    timeoutMs = this.#options.runtime.taskShutdownGracefulTimeoutMs,
  ): Promise<number> {
    const undelivered = (await running.tasks.get(taskId)?.task.stop(timeoutMs)) ?? 0;
    running.tasks.delete(taskId);
    if (running.measured.get(taskId)?.state !== 'paused') running.measured.delete(taskId);
    return undelivered;
  }

  commitAll(): void {
    for (const { tasks } of this.#connectors.values()) for (const { task } of tasks.values()) task.commit();
  }

  /** Forgets what tasks showed that are not here any more. */
  forgetOthers({ metrics, tasks }: RunningConnector): void {
    metrics.keepParts(tasks.keys());
  }

  /** Stops all tasks of a connector, side by side. */
  async stopTasks(running: RunningConnector): Promise<void> {
    await Promise.all([...running.tasks.keys()].map((taskId) => this.stopTask(running, taskId)));
  }

  /** Stops all tasks of a connector, which keep what was measured of them: for Kafka Connect they are the same when they resume. */
  async pauseTasks(running: RunningConnector): Promise<void> {
    const measured = [...running.measured];
    await this.stopTasks(running);
    for (const [taskId, metrics] of measured) {
      metrics.enter('paused');
      running.measured.set(taskId, metrics);
    }
  }

  /**
   * Hands a task the present configuration where that is enough: nothing changed, or every changed key is marked live or
   * reconnect, and the task can take it. False when a new task is needed.
   */
  async reconfigureTask(
    running: RunningConnector,
    stored: StoredConnector,
    taskId: number,
  ): Promise<boolean> {
    const present = running.tasks.get(taskId);
    const given = storedConfigs(stored, taskId);
    if (present === undefined || given === undefined) return false;
    const { task, configs } = present;
    if (configs.equal(given)) return true;
    if (!task.reconfigurable || !isLiveChange(running.connector, configs.stored, given)) return false;
    try {
      await task.reconfigure(given);
      configs.replace(given);
    } catch (thrown) {
      const reason = configs.scrub(thrown instanceof Error ? thrown.message : String(thrown));
      this.#log('effect_failed', { connector: stored.name, task: taskId, what: 'reconfigure', reason });
      return false;
    }
    return true;
  }

  /** Whether every task of a connector that was started here can be handed a changed configuration. */
  reconfigurable(name: string): boolean {
    return [...(this.#connectors.get(name)?.tasks.values() ?? [])].every(({ task }) => task.reconfigurable);
  }

  /** Stops a connector's tasks and forgets it with its metrics. */
  async remove(name: string): Promise<void> {
    const running = this.#connectors.get(name);
    if (running === undefined) return;
    await this.stopTasks(running);
    this.#connectors.delete(name);
  }

  connections(name: string): readonly TaskConnection[] {
    const tasks = [...(this.#connectors.get(name)?.tasks ?? [])].sort(([a], [b]) => a - b);
    return tasks.flatMap(([task, running]) => {
      const connection = running.task.connection();
      const { linkHealth, clientId } = running.task;
      const { status: log } = linkHealth ?? this.#options.runtime.platform.health(clientId);
      return connection === undefined ? [] : [{ task, connection, log }];
    });
  }

  /** How the links of tasks in threads of their own to the log are doing. */
  links(): readonly TaskLink[] {
    return [...this.#connectors.values()].flatMap(({ name, tasks }) =>
      [...tasks].flatMap(([taskId, { task }]) =>
        task.linkHealth === undefined ? [] : [{ task: `${name}-${taskId}`, health: task.linkHealth }],
      ),
    );
  }

  /** Stops everything within one time-out, for good: nothing can be started any more. */
  async stopAll(timeoutMs: number): Promise<StopReport> {
    this.#closing = true;
    const tasks = [...this.#connectors.values()].flatMap((running) =>
      [...running.tasks.keys()].map((task) => ({ running, task })),
    );
    const counts = await Promise.all(
      tasks.map(({ running, task }) => this.stopTask(running, task, timeoutMs)),
    );
    const undelivered = tasks.map(({ running, task }, i) => ({
      connector: running.name,
      task,
      count: counts[i] ?? 0,
    }));
    return { undelivered: undelivered.filter(({ count }) => count > 0) };
  }

  /** Reads the config topic to its end. Rejects when these are not the tasks of the connector any more. */
  async #checkCurrent({ name, tasks }: StoredConnector, taskId: number, signal: AbortSignal): Promise<void> {
    const { configs } = this.#options.stores;
    await configs.readToEnd(signal);
    if (configs.get(name)?.tasks === tasks && configs.fenced(name)?.current === true) return;
    throw new ConnectorError(
      'internal',
      `Cannot start source task ${name}-${taskId} with exactly-once support as the connector has already generated a new set of task configs`,
    );
  }

  /** A paused task that resumes is the same task; any other one begins again. */
  #measured({ measured }: RunningConnector, taskId: number): TaskMetrics {
    const present = measured.get(taskId);
    const metrics = present?.state === 'paused' ? present : new TaskMetrics(this.#options.windows);
    measured.set(taskId, metrics);
    return metrics;
  }

  #createTask(
    running: RunningConnector,
    taskId: number,
    { configs, stored }: { readonly configs: TaskConfigs; readonly stored: StoredConnector },
  ): TaskHandle {
    const { runtime, fenceZombies, settings, stores, mayProduce, scopes } = this.#options;
    const { name, connector } = running;
    const { taskThreads } = runtime;
    const measured = this.#measured(running, taskId);
    const parts = {
      taskId,
      measured,
      connectorName: name,
      metrics: running.metrics.part(taskId),
      logger: runtime.logger.child({ connector: name, task: taskId }),
    };
    const fencing: TaskFencing = {
      fence: (signal) => fenceZombies(name, signal),
      checkCurrent: (signal) => this.#checkCurrent(stored, taskId, signal),
    };
    const reports = this.#reports(running, taskId, {
      measured,
      isCurrent: () => running.tasks.get(taskId)?.task === task,
    });
    const task: TaskHandle =
      taskThreads !== undefined && runsInThreads(stored.config, taskThreads.byDefault)
        ? new ThreadedTask(
            { ...parts, className: connector.className, configs: configs.stored },
            this.#threadHost(taskThreads, name, fencing),
            reports,
          )
        : new WorkerSourceTask(
            { ...parts, connector, configs },
            { runtime, makeSettings: settings, offsets: stores.offsets, fencing, mayProduce, scopes },
            reports,
          );
    return task;
  }

  #threadHost(threads: TaskThreads, connectorName: string, fencing: TaskFencing): ThreadHost {
    const { runtime, resolve, lease, stores } = this.#options;
    const { clock, taskShutdownGracefulTimeoutMs: gracefulTimeoutMs } = runtime;
    const { offsets } = stores;
    const services = new ThreadServices({ connectorName, resolve, offsets, fencing, lease, clock });
    return { threads, lease, clock, gracefulTimeoutMs, services, exits: this.#exits };
  }

  /** What a task reports, wherever it runs. */
  #reports(
    { name }: RunningConnector,
    taskId: number,
    { measured, isCurrent }: { readonly measured: TaskMetrics; readonly isCurrent: () => boolean },
  ): TaskReports {
    const { runtime, stores, reporter, counts } = this.#options;
    const begun = runtime.clock.monotonic();
    const operation = (what: RuntimeOperation['name'], succeeded: boolean, ms: number): void =>
      runtime.onOperation?.({ name: what, connector: name, task: taskId, ms, succeeded });
    const started = (succeeded: boolean): void => {
      counts.taskStarts.record(succeeded);
      operation('task start', succeeded, runtime.clock.monotonic() - begun);
    };
    return {
      onRunning: () => {
        measured.enter('running');
        started(true);
        if (isCurrent()) reporter.task(name, taskId, 'RUNNING');
      },
      onFailed: (trace, { again }) => {
        if (measured.state !== 'running') started(false);
        measured.enter('failed');
        if (!isCurrent()) return;
        if (again) {
          this.#log('transaction_timed_out', { connector: name, task: taskId });
          this.#options.restartTask(name, taskId);
        } else reporter.task(name, taskId, 'FAILED', trace);
      },
      onCompleted: () => {
        if (isCurrent()) reporter.taskComplete(name, taskId);
      },
      onCommit: (succeeded, ms) => {
        measured.committed(succeeded, ms);
        operation('offset commit', succeeded, ms);
      },
      onTopic: (topic) => {
        if (!runtime.topicTrackingEnabled) return;
        stores.statuses.addTopic({ name, topic, task: taskId, discoverTimestamp: runtime.clock.now() });
      },
    };
  }
}
