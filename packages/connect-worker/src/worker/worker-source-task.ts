import {
  type Clock,
  type EventLog,
  eventLog,
  isConnectorError,
  type Logger,
  type MetricGroup,
  type RawConfig,
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
import type {
  LogPlatform,
  LogProducer,
  LogProducerOptions,
  TransactionalProducer,
} from '@levada/connect-runtime-core/platform';
import type { TaskMeasures } from '../metrics/task-metrics.ts';
import { runtimeEvents } from '../port/runtime-events.ts';
import type { ConnectorOffsets, OffsetStores } from '../stores/offset-stores.ts';
import { DrainDeadline } from './drain-deadline.ts';
import { EventLoopShare } from './event-loop-share.ts';
import { RecordErrors } from './record-errors.ts';
import { createTaskDelivery } from './task-delivery.ts';
import type { TaskScopes } from './task-scopes.ts';
import type { TaskSettings } from './task-settings.ts';
import { TaskTransactions } from './task-transactions.ts';

export interface WorkerSourceTaskOptions {
  readonly connector: AnySourceConnector;
  readonly connectorName: string;
  readonly taskId: number;
  /** Resolves references and parses. Called once, at the start. */
  readonly prepare: () => Promise<TaskSettings>;
  readonly platform: LogPlatform;
  readonly offsets: Pick<OffsetStores, 'use'>;
  /** Fences earlier tasks and opens this one's producer. Rejects also when this task is not to run any more. */
  readonly openTransactions: (
    options: LogProducerOptions,
    signal: AbortSignal,
  ) => Promise<TransactionalProducer>;
  readonly metrics: MetricGroup;
  /** What Kafka Connect measures of a task. */
  readonly measured: TaskMeasures;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly offsetFlushIntervalMs: number;
  readonly offsetFlushTimeoutMs: number;
  /** How long the task may take to wind down after it failed by itself. */
  readonly gracefulTimeoutMs: number;
  readonly internalTopics: ReadonlySet<string>;
  /** False while it is unsure that this worker still owns the task; nothing is produced then. */
  readonly mayProduce: () => boolean;
  /** The task's configuration with its references resolved again. */
  readonly resolveConfig: () => Promise<RawConfig>;
  readonly environment?: TaskContext['environment'];
  /** Takes the task's secrets out of a text. */
  readonly scrub: (text: string) => string;
  /** In whose name the connector's code runs. */
  readonly scopes: TaskScopes;
  readonly onRunning: () => void;
  /** The task cannot continue. Called once, before it is wound down. `again`: a new task can continue where the last commit was. */
  readonly onFailed: (error: unknown, next: { readonly again: boolean }) => void;
  /** The source has nothing more, and everything is delivered and committed. Called once, at the very end. */
  readonly onCompleted: () => void;
  readonly onCommit: (succeeded: boolean, ms: number) => void;
  readonly onTopic: (topic: string) => void;
}

/**
 * One run of a task: starts it, moves its records to the log, commits offsets, winds it down. A stop ends intake first and
 * drains what was received; what does not fit into the time is counted and reported. Corresponds to Kafka Connect's
 * `WorkerSourceTask`.
 */
export class WorkerSourceTask {
  /** By which the log knows its producer; undefined before that is opened. */
  clientId: string | undefined;
  readonly #options: WorkerSourceTaskOptions;
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

  constructor(options: WorkerSourceTaskOptions) {
    const { logger, clock, scrub } = options;
    this.#options = options;
    this.#log = eventLog(runtimeEvents, logger, clock);
    this.#errors = new RecordErrors({ counts: options.measured.errors, clock, log: this.#log, scrub });
    this.#committer = new OffsetCommitter({
      mayCommit: options.mayProduce,
      tracker: this.#tracker,
      clock,
      intervalMs: options.offsetFlushIntervalMs,
      timeoutMs: options.offsetFlushTimeoutMs,
      write: async (committable) => this.#offsets?.put(committable),
      onFailure: ({ error, count }) => this.#log('offset_flush_failed', { count, reason: error.message }),
      onEnd: options.onCommit,
    });
    this.#run = new TaskRun({
      scrub,
      open: (adopt) => this.#open(adopt),
      scope: (work) => this.#inScope(work),
      onRunning: () => {
        this.#log('task_running');
        options.onRunning();
      },
      onFailed: (error, stopping) => this.#failed(error, stopping),
    });
    this.#deadline = new DrainDeadline({
      clock,
      onCutOff: () => this.#cutOff(),
      onAbandon: () => this.#abandon(),
    });
  }

  /** Starts the task. The outcome is reported through the callbacks; `stop` is to be called even after a failure. */
  start(): void {
    void this.#work().finally(() => this.#end());
  }

  /**
   * Ends intake, drains to the log and commits offsets, and gives up early enough to end within `timeoutMs`. Resolves with the
   * number of records that were not delivered. Idempotent; a shorter time-out wins.
   */
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

  /** Hands over a configuration whose changes need no new task. Rejects when the task does, or takes too long. */
  async reconfigure(config: unknown): Promise<void> {
    const { clock, gracefulTimeoutMs } = this.#options;
    const bound = { clock, ms: gracefulTimeoutMs };
    await within(bound, 'reconfiguring the task', this.#run.reconfigure(config));
    this.#log('task_reconfigured');
  }

  /** Begins to commit what is committable now; transactions end at moments of their own. Nothing is written without the lease. */
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
    this.#options.onCompleted();
  }

  async #open(adopt: (task: SourceTask) => void): Promise<void> {
    const { connector } = this.#options;
    const settings = await this.#options.prepare();
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
    const { offsets, connectorName } = this.#options;
    try {
      this.#offsets = await offsets.use(connectorName, settings.offsetsTopic, this.#ending.signal);
      if (this.#run.outcome === undefined) await this.#openDelivery(settings, this.#offsets);
      return this.#offsets;
    } catch (thrown) {
      if (this.#run.outcome?.kind === 'stopped') return undefined;
      throw thrown;
    }
  }

  async #openDelivery(settings: TaskSettings, offsets: ConnectorOffsets): Promise<void> {
    const { platform, connectorName, taskId, mayProduce, openTransactions, clock, onCommit } = this.#options;
    const { producerConfig: overrides, transactions: boundary } = settings;
    this.clientId = overrides['client.id'] ?? `connector-producer-${connectorName}-${taskId}`;
    const options = { clientId: this.clientId, overrides, mayProduce };
    if (boundary === undefined) {
      this.#producer = await platform.producer(options);
      this.#delivery = this.#createDelivery(settings, this.#producer);
      return;
    }
    const opened = await openTransactions(options, this.#ending.signal);
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
      onEnd: onCommit,
    });
  }

  /** Moves records until the task has no more. */
  async #pump(): Promise<void> {
    const delivery = this.#delivery;
    if (delivery === undefined) return;
    const { clock } = this.#options;
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
    const { measured, clock } = this.#options;
    const ms = clock.monotonic() - asked;
    const delivered = (this.#transactions ?? delivery).deliver(records);
    measured.polled(records.length, ms);
    return delivered;
  }

  #createDelivery(settings: TaskSettings, producer: LogProducer): Delivery {
    return createTaskDelivery({
      task: this.#options,
      settings,
      producer,
      tracker: this.#tracker,
      errors: this.#errors,
      log: this.#log,
      signal: this.#hardStop.signal,
      hold: () => this.#transactions?.hold(),
      onFailure: (error) => this.#run.fail(error),
      onCommitted: (records, dropped) => this.#run.committed(records, dropped),
    });
  }

  #context({ transactions: boundary }: TaskSettings, offsets: ConnectorOffsets): TaskContext {
    const { connectorName, taskId, logger, metrics, clock, resolveConfig, environment } = this.#options;
    const { signal } = this.#hardStop;
    return {
      connectorName,
      taskId,
      logger,
      metrics,
      clock,
      signal,
      resolveConfig,
      environment,
      throttledUntil: () => this.#producer?.throttledUntil,
      transaction:
        boundary?.kind === 'connector' ? { commit: () => this.#transactions?.request() } : undefined,
      offsets: {
        offset: async (partition: SourcePartition) => {
          await this.#options.scopes.outside(() => offsets.readToEnd(signal));
          return offsets.get(partition);
        },
      },
      emit: () => {
        // a worker shows connections through `connection()`, and logs and counts what tasks log and count
      },
    };
  }

  #failed(error: unknown, stopping: boolean): void {
    this.#log('task_failed', { reason: this.#options.scrub(reasonOf(error)) });
    if (!stopping) this.#options.onFailed(error, { again: this.#transactions?.isTimeout(error) === true });
    this.#deadline.within(this.#options.gracefulTimeoutMs);
  }

  /** Runs code of the connector: what it started and throws later comes back here. */
  #inScope<T>(work: () => T): T {
    return this.#options.scopes.run((thrown) => {
      this.#log('task_error_uncaught', { reason: this.#options.scrub(messageOf(thrown)) });
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
    const timeoutMs = this.#deadline.commitMs(this.#options.offsetFlushTimeoutMs);
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
    const { metrics } = this.#options;
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
