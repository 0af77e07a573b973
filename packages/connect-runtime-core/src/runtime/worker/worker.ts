import type { RawConfig } from '../../config/config-key.ts';
import type { AnySourceConnector } from '../../contract/source-connector.ts';
import { ConnectorError } from '../../diagnostics/connector-error.ts';
import { type EventLog, eventLog } from '../../diagnostics/log-event.ts';
import type { MetricTable } from '../../diagnostics/metric-def.ts';
import { MetricGroup } from '../../diagnostics/metric-group.ts';
import { withCommonMetrics } from '../../diagnostics/polled-metrics.ts';
import type { LogProducerOptions, TransactionalProducer } from '../../platform/log-platform.ts';
import type { ResolveConfig } from '../config/config-resolver.ts';
import { taskTransactionalId } from '../config/exactly-once.ts';
import type { SampleWindowSettings } from '../metrics/sample-window.ts';
import { TaskMetrics } from '../metrics/task-metrics.ts';
import type { WorkerCounts } from '../metrics/worker-counts.ts';
import { effectOf, keyChanges } from '../port/config-update.ts';
import type { ConnectRuntimeOptions, RuntimeOperation, StopReport } from '../port/connect-runtime.ts';
import type { TaskConnection } from '../port/herder.ts';
import { runtimeEvents } from '../port/runtime-events.ts';
import { traceOf } from '../port/trace.ts';
import type { StoredConnector } from '../stores/config-state.ts';
import type { ConfigStore } from '../stores/config-store.ts';
import type { OffsetStores } from '../stores/offset-stores.ts';
import type { StatusStore } from '../stores/status-store.ts';
import type { StatusReporter } from './status-reporter.ts';
import { type StoredConfigs, TaskConfigs } from './task-configs.ts';
import type { TaskScopes } from './task-scopes.ts';
import type { TaskSettingsFactory } from './task-settings.ts';
import { WorkerSourceTask } from './worker-source-task.ts';

export interface WorkerOptions {
  readonly runtime: ConnectRuntimeOptions;
  readonly offsets: OffsetStores;
  readonly statuses: StatusStore;
  readonly reporter: StatusReporter;
  readonly resolve: ResolveConfig;
  readonly settings: TaskSettingsFactory;
  readonly internalTopics: ReadonlySet<string>;
  readonly mayProduce: () => boolean;
  readonly scopes: TaskScopes;
  readonly configs: ConfigStore;
  /** Sees to it that no earlier task of a connector writes transactions any more. */
  readonly fenceZombies: (name: string, signal: AbortSignal) => Promise<void>;
  /** A task failed that is to run all the same. */
  readonly restartTask: (name: string, taskId: number) => void;
  readonly windows: SampleWindowSettings;
  readonly counts: WorkerCounts;
}

/** A task that runs, ran or failed here. */
interface RunningTask {
  readonly task: WorkerSourceTask;
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
      const config = running.connector.config.parse(await configs.resolve(given.task));
      // First, so that a task that connects again meanwhile is not answered with what held before.
      configs.replace(given);
      await task.reconfigure(config);
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
      return connection === undefined ? [] : [{ task, connection }];
    });
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

  /** In the order that leaves no gap: earlier tasks are fenced, then this one has the id, then it is looked whether it still should. */
  async #openTransactions(
    { name, tasks }: StoredConnector,
    taskId: number,
    { options, signal }: { readonly options: LogProducerOptions; readonly signal: AbortSignal },
  ): Promise<TransactionalProducer> {
    const { runtime, configs, fenceZombies } = this.#options;
    const { transactions } = runtime.platform;
    if (transactions === undefined) throw new ConnectorError('internal', 'the log has no transactions');
    await fenceZombies(name, signal);
    signal.throwIfAborted();
    const transactionalId = taskTransactionalId(runtime.groupId, name, taskId);
    const producer = await transactions.producer({ ...options, transactionalId }, signal);
    try {
      await configs.readToEnd(signal);
      if (configs.get(name)?.tasks === tasks && configs.fenced(name)?.current === true) return producer;
      throw new ConnectorError(
        'internal',
        `Cannot start source task ${name}-${taskId} with exactly-once support as the connector has already generated a new set of task configs`,
      );
    } catch (thrown) {
      await producer.close({ timeoutMs: 0 });
      throw thrown;
    }
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
  ): WorkerSourceTask {
    const { runtime, offsets, statuses, reporter, settings, counts } = this.#options;
    const { name, connector } = running;
    const isCurrent = (): boolean => running.tasks.get(taskId)?.task === task;
    const scrub = (text: string): string => configs.scrub(text);
    const measured = this.#measured(running, taskId);
    const begun = runtime.clock.monotonic();
    const operation = (what: RuntimeOperation['name'], succeeded: boolean, ms: number): void =>
      runtime.onOperation?.({ name: what, connector: name, task: taskId, ms, succeeded });
    const started = (succeeded: boolean): void => {
      counts.taskStarts.record(succeeded);
      operation('task start', succeeded, runtime.clock.monotonic() - begun);
    };
    const task = new WorkerSourceTask({
      connector,
      taskId,
      offsets,
      connectorName: name,
      metrics: running.metrics.part(taskId),
      measured,
      platform: runtime.platform,
      clock: runtime.clock,
      logger: runtime.logger.child({ connector: name, task: taskId }),
      offsetFlushIntervalMs: runtime.offsetFlushIntervalMs,
      offsetFlushTimeoutMs: runtime.offsetFlushTimeoutMs,
      gracefulTimeoutMs: runtime.taskShutdownGracefulTimeoutMs,
      internalTopics: this.#options.internalTopics,
      mayProduce: this.#options.mayProduce,
      openTransactions: (options, signal) => this.#openTransactions(stored, taskId, { options, signal }),
      scopes: this.#options.scopes,
      resolveConfig: () => configs.resolveTask(),
      environment: runtime.environment,
      prepare: async () =>
        settings(connector, {
          connector: await configs.resolve(configs.stored.connector),
          task: await configs.resolveTask(),
        }),
      scrub,
      onRunning: () => {
        measured.enter('running');
        started(true);
        if (isCurrent()) reporter.task(name, taskId, 'RUNNING');
      },
      onFailed: (error, { again }) => {
        if (measured.state !== 'running') started(false);
        measured.enter('failed');
        if (!isCurrent()) return;
        if (again) {
          this.#log('transaction_timed_out', { connector: name, task: taskId });
          this.#options.restartTask(name, taskId);
        } else reporter.task(name, taskId, 'FAILED', traceOf(error, scrub));
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
        statuses.addTopic({ name, topic, task: taskId, discoverTimestamp: runtime.clock.now() });
      },
    });
    return task;
  }
}

/** What a task of a stored connector is made from; undefined when there is no such task. */
function storedConfigs({ config, tasks }: StoredConnector, taskId: number): StoredConfigs | undefined {
  const task = tasks?.[taskId];
  return task === undefined ? undefined : { connector: config, task };
}

/** True when nothing changed but keys of the connector that need no new task. */
function isLiveChange({ config }: AnySourceConnector, before: StoredConfigs, after: StoredConfigs): boolean {
  const changes = [
    ...keyChanges(config, before.connector, after.connector),
    ...keyChanges(config, before.task, after.task),
  ];
  return effectOf(changes) !== 'restart';
}
