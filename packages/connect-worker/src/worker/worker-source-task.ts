import {
  type EventLog,
  eventLog,
  isConnectorError,
  type SourcePartition,
  type SourceRecord,
  type SourceTask,
  type TaskContext,
} from '@levada/connect-runtime-core';
import type { AnySourceConnector, ConnectionSnapshot } from '@levada/connect-runtime-core/contract';
import {
  type Delivery,
  dropAttribute,
  OffsetCommitter,
  OffsetTracker,
  renewedTransactions,
  TaskRun,
  within,
} from '@levada/connect-runtime-core/host';
import type { LogProducer } from '@levada/connect-runtime-core/platform';
import { taskTransactionalId } from '../config/exactly-once.ts';
import type { TaskMeasures } from '../metrics/task-metrics.ts';
import type { ConnectRuntimeOptions } from '../port/connect-runtime.ts';
import { runtimeEvents } from '../port/runtime-events.ts';
import { traceOf } from '../port/trace.ts';
import type { ConnectorOffsets, OffsetStores } from '../stores/offset-stores.ts';
import type { TaskFencing, TaskHandle, TaskReports, TaskToRun } from '../thread/task-handle.ts';
import type { TaskConfigTexts } from '../thread/task-messages.ts';
import { DrainDeadline } from './drain-deadline.ts';
import { EventLoopShare } from './event-loop-share.ts';
import { openTaskTransactions } from './open-transactions.ts';
import { RecordErrors } from './record-errors.ts';
import type { TaskConfigs } from './task-configs.ts';
import { createTaskDelivery } from './task-delivery.ts';
import type { TaskScopes } from './task-scopes.ts';
import type { TaskSettings, TaskSettingsFactory } from './task-settings.ts';
import { TaskTransactions } from './task-transactions.ts';

export interface SourceTaskParts extends TaskToRun {
  readonly connector: AnySourceConnector;
  readonly configs: TaskConfigs;
  readonly measured: TaskMeasures;
}

/** What runs tasks: the worker, or the thread of a task. */
export interface TaskHost {
  readonly runtime: ConnectRuntimeOptions;
  readonly makeSettings: TaskSettingsFactory;
  readonly offsets: Pick<OffsetStores, 'use'>;
  readonly fencing: TaskFencing;
  /** False while it is unsure that this worker still owns the task; nothing is produced then. */
  readonly mayProduce: () => boolean;
  /** In whose name the connector's code runs. */
  readonly scopes: TaskScopes;
}

/**
 * One run of a task: starts it, moves its records to the log, commits offsets, winds it down. A stop ends intake first and
 * drains what was received; what does not fit into the time is counted and reported. Corresponds to Kafka Connect's
 * `WorkerSourceTask`.
 */
export class WorkerSourceTask implements TaskHandle {
  /** It uses the link of its host. */
  readonly linkHealth = undefined;
  clientId: string | undefined;
  readonly #task: SourceTaskParts;
  readonly #host: TaskHost;
  readonly #reports: TaskReports;
  readonly #scrub: (text: string) => string;
  readonly #log: EventLog<typeof runtimeEvents>;
  readonly #hardStop = new AbortController();
  /** Ends what waits before there is anything to drain. */
  readonly #ending = new AbortController();
  readonly #tracker = new OffsetTracker();
  readonly #committer: OffsetCommitter;
  readonly #run: TaskRun;
  readonly #deadline: DrainDeadline;
  readonly #errors: RecordErrors;
  readonly #over = Promise.withResolvers<void>();
  #producer: LogProducer | undefined;
  #offsets: ConnectorOffsets | undefined;
  #delivery: Delivery | undefined;
  /** Undefined: records and offsets are stored one after the other. */
  #transactions: TaskTransactions | undefined;
  #leftInQueue = 0;

  constructor(task: SourceTaskParts, host: TaskHost, reports: TaskReports) {
    const { clock, offsetFlushIntervalMs, offsetFlushTimeoutMs } = host.runtime;
    const scrub = (text: string): string => task.configs.scrub(text);
    this.#task = task;
    this.#host = host;
    this.#reports = reports;
    this.#scrub = scrub;
    this.#log = eventLog(runtimeEvents, task.logger, clock);
    this.#errors = new RecordErrors({ counts: task.measured.errors, clock, log: this.#log, scrub });
    this.#committer = new OffsetCommitter({
      mayCommit: host.mayProduce,
      tracker: this.#tracker,
      clock,
      intervalMs: offsetFlushIntervalMs,
      timeoutMs: offsetFlushTimeoutMs,
      write: async (committable) => this.#offsets?.put(committable),
      onFailure: ({ error, count }) => this.#log('offset_flush_failed', { count, reason: error.message }),
      onEnd: (succeeded, ms) => reports.onCommit(succeeded, ms),
    });
    this.#run = new TaskRun({
      scrub,
      open: (adopt) => this.#open(adopt),
      scope: (work) => this.#inScope(work),
      onRunning: () => {
        this.#log('task_running');
        reports.onRunning();
      },
      onFailed: (error, stopping) => this.#failed(error, stopping),
    });
    this.#deadline = new DrainDeadline({
      clock,
      onCutOff: () => this.#cutOff(),
      onAbandon: () => this.#abandon(),
    });
  }

  start(): void {
    void this.#work().finally(() => this.#end());
  }

  async stop(timeoutMs: number): Promise<number> {
    this.#deadline.within(timeoutMs);
    this.#ending.abort();
    // How a stop ends is looked at when the drain that follows is over.
    this.#run.stop().catch(() => undefined);
    await this.#over.promise;
    return this.#undelivered;
  }

  get reconfigurable(): boolean {
    return this.#run.reconfigurable;
  }

  async reconfigure(given: TaskConfigTexts): Promise<void> {
    const { connector, configs } = this.#task;
    const config = connector.config.parse(await configs.resolve(given.task));
    // First, so that a task that connects again meanwhile is not answered with what held before.
    configs.replace(given);
    const { clock, taskShutdownGracefulTimeoutMs } = this.#host.runtime;
    const bound = { clock, ms: taskShutdownGracefulTimeoutMs };
    await within(bound, 'reconfiguring the task', this.#run.reconfigure(config));
    this.#log('task_reconfigured');
  }

  /** Nothing is written without the lease. */
  commit(): void {
    if (this.#transactions === undefined) this.#committer.commitEarly();
  }

  connection(): ConnectionSnapshot | undefined {
    return this.#run.connection();
  }

  get #undelivered(): number {
    return (this.#delivery?.undelivered ?? 0) + this.#leftInQueue;
  }

  async #work(): Promise<void> {
    try {
      await this.#run.start();
      await this.#pump();
    } catch (thrown) {
      this.#run.fail(thrown);
    }
    try {
      await this.#windDown();
    } catch (thrown) {
      this.#run.fail(thrown);
    }
    this.#run.end();
    const { state } = this.#run;
    if (state.phase !== 'ended' || state.outcome.kind !== 'completed') return;
    this.#log('task_completed');
    this.#reports.onCompleted();
  }

  async #open(adopt: (task: SourceTask) => void): Promise<void> {
    const { connector, configs } = this.#task;
    const settings = await configs.settings(connector, this.#host.makeSettings);
    if (this.#run.outcome !== undefined) return;
    const offsets = await this.#openLog(settings);
    if (offsets === undefined || this.#run.outcome !== undefined) return;
    const task: SourceTask = this.#inScope(() => connector.createTask());
    adopt(task);
    const context = this.#context(settings, offsets);
    await this.#inScope(() => task.start(settings.config, context));
    if (this.#transactions === undefined) this.#committer.start();
  }

  /** What the task reads from the log and writes to it. Undefined when it was stopped meanwhile, which ends the waits for the log. */
  async #openLog(settings: TaskSettings): Promise<ConnectorOffsets | undefined> {
    try {
      this.#offsets = await this.#host.offsets.use(
        this.#task.connectorName,
        settings.offsetsTopic,
        this.#ending.signal,
      );
      if (this.#run.outcome === undefined) await this.#openDelivery(settings, this.#offsets);
      return this.#offsets;
    } catch (thrown) {
      if (this.#run.outcome?.kind === 'stopped') return undefined;
      throw thrown;
    }
  }

  async #openDelivery(settings: TaskSettings, offsets: ConnectorOffsets): Promise<void> {
    const { connectorName, taskId } = this.#task;
    const { runtime, fencing, mayProduce } = this.#host;
    const { platform, clock, groupId } = runtime;
    const { producerConfig: overrides, transactions: boundary } = settings;
    this.clientId = overrides['client.id'] ?? `connector-producer-${connectorName}-${taskId}`;
    const options = { clientId: this.clientId, overrides, mayProduce };
    if (boundary === undefined) {
      this.#producer = await platform.producer(options);
      this.#delivery = this.#createDelivery(settings, this.#producer);
      return;
    }
    const transactionalId = taskTransactionalId(groupId, connectorName, taskId);
    const claim = { platform, fencing, transactionalId };
    const opened = await openTaskTransactions(claim, options, this.#ending.signal);
    const producer = boundary.kind === 'connector' ? renewedTransactions(opened, clock) : opened;
    this.#producer = producer;
    const delivery = this.#createDelivery(settings, producer);
    this.#delivery = delivery;
    this.#transactions = new TaskTransactions({
      producer,
      delivery,
      offsets,
      boundary,
      clock,
      tracker: this.#tracker,
      onFailure: (error) => this.#run.fail(error),
      onEnd: (succeeded, ms) => this.#reports.onCommit(succeeded, ms),
    });
  }

  /** Moves records until the task has no more. */
  async #pump(): Promise<void> {
    const delivery = this.#delivery;
    if (delivery === undefined) return;
    const { clock } = this.#host.runtime;
    const share = new EventLoopShare(clock);
    for (;;) {
      if (!delivery.hasRoom) await delivery.room();
      const asked = clock.monotonic();
      const delivered = this.#deliver(delivery, await this.#run.poll(), asked);
      if (delivered === undefined) return;
      await delivered;
      if (share.usedUp) await share.nextTurn();
    }
  }

  /** Apart from the loop, whose frame would keep the last batch in memory for as long as the next poll waits. Undefined at the end. */
  #deliver(delivery: Delivery, records: readonly SourceRecord[], asked: number): Promise<void> | undefined {
    if (records.length === 0) return undefined;
    const { clock } = this.#host.runtime;
    const ms = clock.monotonic() - asked;
    const delivered = (this.#transactions ?? delivery).deliver(records);
    this.#task.measured.polled(records.length, ms);
    return delivered;
  }

  #createDelivery(settings: TaskSettings, producer: LogProducer): Delivery {
    return createTaskDelivery({
      task: this.#task,
      host: this.#host,
      settings,
      producer,
      tracker: this.#tracker,
      errors: this.#errors,
      log: this.#log,
      signal: this.#hardStop.signal,
      hold: () => this.#transactions?.hold(),
      onStored: (topic) => this.#reports.onTopic(topic),
      onFailure: (error) => this.#run.fail(error),
      onCommitted: (records, dropped) => this.#run.committed(records, dropped),
    });
  }

  #context({ transactions: boundary }: TaskSettings, offsets: ConnectorOffsets): TaskContext {
    const { connectorName, taskId, logger, metrics, configs } = this.#task;
    const { clock, environment } = this.#host.runtime;
    const { signal } = this.#hardStop;
    return {
      connectorName,
      taskId,
      logger,
      metrics,
      clock,
      signal,
      environment,
      resolveConfig: () => configs.resolveTask(),
      throttledUntil: () => this.#producer?.throttledUntil,
      transaction:
        boundary?.kind === 'connector' ? { commit: () => this.#transactions?.request() } : undefined,
      offsets: {
        offset: async (partition: SourcePartition) => {
          await this.#host.scopes.outside(() => offsets.readToEnd(signal));
          return offsets.get(partition);
        },
      },
      emit: () => {
        // a worker shows connections through `connection()`, and logs and counts what tasks log and count
      },
    };
  }

  #failed(error: unknown, stopping: boolean): void {
    this.#log('task_failed', { reason: this.#scrub(reasonOf(error)) });
    const again = this.#transactions?.isTimeout(error) === true;
    if (!stopping) this.#reports.onFailed(traceOf(error, this.#scrub), { again });
    this.#deadline.within(this.#host.runtime.taskShutdownGracefulTimeoutMs);
  }

  /** Runs code of the connector: what it started and throws later comes back here. */
  #inScope<T>(work: () => T): T {
    return this.#host.scopes.run((thrown) => {
      this.#log('task_error_uncaught', { reason: this.#scrub(messageOf(thrown)) });
      this.#run.fail(thrown);
    }, work);
  }

  async #windDown(): Promise<void> {
    await this.#delivery?.settled();
    if (!this.#isAbandoned) await this.#commitAndStop();
    await this.#producer?.close({ timeoutMs: 0 });
    if (!this.#isAbandoned) this.#log('task_ended', { undelivered: this.#delivery?.undelivered ?? 0 });
  }

  async #commitAndStop(): Promise<void> {
    this.#committer.stop();
    const timeoutMs = this.#deadline.commitMs(this.#host.runtime.offsetFlushTimeoutMs);
    if (this.#transactions === undefined) await this.#committer.commit(timeoutMs);
    else await this.#transactions.finish(timeoutMs);
    await this.#run.stop().catch((thrown: unknown) => this.#run.fail(thrown));
  }

  get #isAbandoned(): boolean {
    return this.#run.state.phase === 'abandoned';
  }

  /** Everything that still waits is cut off, and what is left is counted. */
  #cutOff(): void {
    this.#hardStop.abort();
    this.#delivery?.abandon();
    void this.#producer?.close({ timeoutMs: 0 });
  }

  /** The task does not come to an end. Whatever it does from now on has no effect. */
  #abandon(): void {
    this.#run.abandon();
    this.#delivery?.giveUp();
    this.#countQueue();
    this.#log('task_cancelled', { undelivered: this.#undelivered });
    this.#end();
  }

  /** Counts what an abandoned task keeps in its queue: it is never taken. */
  #countQueue(): void {
    const { metrics } = this.#task;
    const attribute = dropAttribute('shutdown_timeout');
    if (!Object.hasOwn(metrics.table, 'QueueSize')) return;
    this.#leftInQueue = metrics.read('QueueSize');
    metrics.set('QueueSize', 0);
    if (metrics.hasCounter(attribute)) metrics.counter(attribute).value += this.#leftInQueue;
  }

  #end(): void {
    this.#deadline.close();
    this.#committer.stop();
    this.#transactions?.stop();
    void this.#offsets?.release();
    this.#over.resolve();
  }
}

/** With what led to it, where the message alone says too little. */
function reasonOf(thrown: unknown): string {
  const cause = thrown instanceof Error ? thrown.cause : undefined;
  return isConnectorError(cause) ? `${messageOf(thrown)}: ${cause.message}` : messageOf(thrown);
}

function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
