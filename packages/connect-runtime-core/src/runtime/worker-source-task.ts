import type { RawConfig } from '../config/config-key.ts';
import type { AnySourceConnector } from '../connector/source-connector.ts';
import type { SourceTask } from '../connector/source-task.ts';
import type { TaskContext } from '../connector/task-context.ts';
import { ConnectorError } from '../errors/connector-error.ts';
import { type EventLog, eventLog } from '../logging/log-event.ts';
import type { Logger } from '../logging/logger.ts';
import type { MetricGroup } from '../metrics/metric-group.ts';
import { dropAttribute } from '../metrics/source-metrics.ts';
import type { LogPlatform, LogProducer } from '../platform/log-platform.ts';
import type { SourcePartition } from '../record/source-offset.ts';
import type { SourceRecord } from '../record/source-record.ts';
import { type BackoffPolicy, backoffDelay } from '../retry/backoff.ts';
import type { ConnectionSnapshot } from '../retry/connection-state.ts';
import type { Clock, Timer } from '../time/clock.ts';
import { within } from './deadline.ts';
import { Delivery } from './delivery.ts';
import { deliveryMetrics } from './delivery-metrics.ts';
import { OffsetCommitter } from './offset-committer.ts';
import { OffsetTracker } from './offset-tracker.ts';
import { toLogRecord } from './record-converter.ts';
import { runtimeEvents } from './runtime-events.ts';
import type { OffsetStore } from './stores/offset-store.ts';
import type { TaskSettings } from './task-settings.ts';
import { TopicAdmission } from './topic-admission.ts';

/** What a running task works with. */
export interface WorkerSourceTaskOptions {
  readonly connector: AnySourceConnector;
  readonly connectorName: string;
  readonly taskId: number;
  /** Resolves references and parses. Called once, at the start. */
  readonly prepare: () => Promise<TaskSettings>;
  readonly platform: LogPlatform;
  readonly offsets: OffsetStore;
  readonly metrics: MetricGroup;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly offsetFlushIntervalMs: number;
  readonly offsetFlushTimeoutMs: number;
  /** How long the task may take to wind down after it failed by itself. */
  readonly gracefulTimeoutMs: number;
  readonly internalTopics: ReadonlySet<string>;
  /** False while it is unsure that this worker still owns the task; nothing is produced then. */
  readonly mayProduce: () => boolean;
  /** The task's configuration with its references resolved anew. */
  readonly resolveConfig: () => Promise<RawConfig>;
  /** Takes the task's secrets out of a text. */
  readonly scrub: (text: string) => string;
  /** The task is operating. */
  readonly onRunning: () => void;
  /** The task cannot go on. Called once, before it is wound down. */
  readonly onFailed: (error: unknown) => void;
  /** Something was stored in a topic. */
  readonly onTopic: (topic: string) => void;
}

/** Batches on their way at once: enough to keep a log busy, few enough that a slow log shows in the task's own queue. */
const MAX_IN_FLIGHT_BATCHES = 8;
/** Bytes on their way before another batch is taken. */
const MAX_IN_FLIGHT_BYTES = 16 * 1024 * 1024;
/** After the hard stop, what is left of a task gets this long before it is abandoned. */
const WIND_DOWN_MS = 500;
/** How often membership is looked at while it is unsure. */
const FENCE_LOOK_MS = 100;
/** Between two looks at a topic while the log is away. */
const topicCheckBackoff: BackoffPolicy = { intervalMs: 250, maxMs: 10_000 };

/**
 * One run of a task: starts it, moves its records to the log, commits offsets, winds it down. A stop ends intake first and
 * drains what was received; what does not fit into the time is counted and reported. Corresponds to Kafka Connect's
 * `WorkerSourceTask`.
 */
export class WorkerSourceTask {
  readonly #options: WorkerSourceTaskOptions;
  readonly #log: EventLog<typeof runtimeEvents>;
  readonly #hardStop = new AbortController();
  readonly #tracker = new OffsetTracker();
  readonly #committer: OffsetCommitter;
  readonly #ended = Promise.withResolvers<void>();
  #task: SourceTask | undefined;
  #producer: LogProducer | undefined;
  #delivery: Delivery | undefined;
  #stopping = false;
  #operating = false;
  #failed = false;
  #abandoned = false;
  #deadline: { readonly at: number; readonly timer: Timer } | undefined;
  #leftInQueue = 0;

  constructor(options: WorkerSourceTaskOptions) {
    this.#options = options;
    this.#log = eventLog(runtimeEvents, options.logger, options.clock);
    this.#committer = new OffsetCommitter({
      tracker: this.#tracker,
      clock: options.clock,
      intervalMs: options.offsetFlushIntervalMs,
      timeoutMs: options.offsetFlushTimeoutMs,
      write: (offsets) => options.offsets.put(options.connectorName, offsets),
      onFailure: ({ error, count }) => this.#log('offset_flush_failed', { count, reason: error.message }),
    });
  }

  /** Whether it failed. A failed task winds itself down; it is still to be stopped before another one starts. */
  get failed(): boolean {
    return this.#failed;
  }

  /** Begins to run. What becomes of it is told through the callbacks. */
  start(): void {
    void this.#run().finally(() => this.#end());
  }

  /**
   * Ends intake, drains to the log and commits offsets, within `timeoutMs`; then gives up. Resolves with the number of
   * records that were not delivered. Idempotent; a shorter time-out wins.
   */
  async stop(timeoutMs: number): Promise<number> {
    this.#stopping = true;
    this.#giveUpAfter(timeoutMs);
    this.#endIntake();
    await this.#ended.promise;
    return (this.#delivery?.undelivered ?? 0) + this.#leftInQueue;
  }

  /** Whether a changed configuration can be handed to it. */
  get reconfigurable(): boolean {
    return this.#operating && !this.#failed && !this.#stopping && this.#task?.reconfigure !== undefined;
  }

  /** Hands over a configuration whose changes need no new task. Rejects when the task does, or takes too long. */
  async reconfigure(config: unknown): Promise<void> {
    const { clock, gracefulTimeoutMs } = this.#options;
    const done = this.#task?.reconfigure?.(config) ?? Promise.resolve();
    await within({ clock, ms: gracefulTimeoutMs }, 'reconfiguring the task', done);
    this.#log('task_reconfigured');
  }

  /** How the connection to the peer is doing, for tasks that have one. */
  connection(): ConnectionSnapshot | undefined {
    return this.#task?.connection?.();
  }

  async #run(): Promise<void> {
    try {
      const settings = await this.#options.prepare();
      if (!this.#stopping) await this.#operate(settings);
    } catch (thrown) {
      this.#fail(thrown);
    }
    try {
      await this.#windDown();
    } catch (thrown) {
      this.#fail(thrown);
    }
  }

  async #operate(settings: TaskSettings): Promise<void> {
    const { platform, connector, connectorName, taskId } = this.#options;
    this.#producer = await platform.producer({
      clientId: `connector-producer-${connectorName}-${taskId}`,
      overrides: settings.producerConfig,
    });
    const task = connector.createTask() as SourceTask;
    this.#task = task;
    this.#delivery = this.#createDelivery(settings, this.#producer);
    await task.start(settings.config, this.#context());
    this.#committer.start();
    // A stop that came while the task was starting may have found nothing to end.
    if (this.#stopping || this.#failed) this.#endIntake();
    else {
      this.#operating = true;
      this.#log('task_started');
      this.#options.onRunning();
    }
    await this.#pump(task, settings);
  }

  /** Moves records until the task has no more. */
  async #pump(task: SourceTask, settings: TaskSettings): Promise<void> {
    const { platform, internalTopics } = this.#options;
    const delivery = this.#delivery as Delivery;
    const admission = new TopicAdmission({ platform, internalTopics, specFor: settings.topicSpec });
    for (;;) {
      if (!delivery.hasRoom) await delivery.room();
      const records = await task.poll();
      if (this.#abandoned) return;
      if (records.length === 0) break;
      if (!this.#options.mayProduce()) await this.#untilOwned();
      if (!admission.knows(records)) await this.#admit(admission, records);
      delivery.deliver(records);
    }
    if (!this.#stopping && !this.#failed) {
      throw new ConnectorError('internal', 'the task ended although nobody stopped it');
    }
  }

  /** A topic that may not be written fails the task; while the log is away it is asked again. */
  async #admit(admission: TopicAdmission, records: readonly SourceRecord[]): Promise<void> {
    for (let attempt = 1; !this.#hardStop.signal.aborted; attempt += 1) {
      try {
        await admission.admit(records);
        return;
      } catch (thrown) {
        const error = ConnectorError.from(thrown, 'topic_unavailable');
        if (!error.retriable) {
          this.#delivery?.refuse(error);
          return;
        }
        this.#log('topic_check_failed', { reason: error.message, attempt });
        await this.#pause(backoffDelay(topicCheckBackoff, attempt, Math.random));
      }
    }
  }

  #createDelivery(settings: TaskSettings, producer: LogProducer): Delivery {
    const { metrics, clock } = this.#options;
    const { converters, tolerant } = settings;
    return new Delivery({
      producer,
      tolerant,
      tracker: this.#tracker,
      convert: (record) => toLogRecord(converters, record, clock.now()),
      metrics: (inFlight) => deliveryMetrics(metrics, inFlight),
      maxInFlightBatches: MAX_IN_FLIGHT_BATCHES,
      maxInFlightBytes: MAX_IN_FLIGHT_BYTES,
      onStored: this.#options.onTopic,
      onDrop: ({ topic, cause, error }) =>
        this.#log('record_dropped', { topic, cause, reason: error.message }),
      onFailure: (error) => this.#fail(error),
      onCommitted: (records) => this.#committed(records),
    });
  }

  #context(): TaskContext {
    const { connectorName, taskId, logger, metrics, clock, offsets, resolveConfig } = this.#options;
    const { signal } = this.#hardStop;
    return {
      connectorName,
      taskId,
      logger,
      metrics,
      clock,
      signal,
      resolveConfig,
      offsets: {
        offset: async (partition: SourcePartition) => {
          await offsets.readToEnd(signal);
          return offsets.get(connectorName, partition);
        },
      },
      emit: () => {
        // a worker shows connections through `connection()`, and logs and counts what tasks log and count
      },
    };
  }

  /** Nothing is produced while another worker may own the task; the queue fills meanwhile. */
  async #untilOwned(): Promise<void> {
    const { mayProduce } = this.#options;
    while (!mayProduce() && !this.#hardStop.signal.aborted) {
      await this.#pause(FENCE_LOOK_MS);
    }
  }

  /** A hard stop ends the pause; who pauses looks at the signal. */
  async #pause(ms: number): Promise<void> {
    await this.#options.clock.sleep(ms, this.#hardStop.signal).catch(() => undefined);
  }

  #fail(thrown: unknown): void {
    if (this.#failed || this.#abandoned) return;
    this.#failed = true;
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    this.#log('task_failed', { reason: this.#options.scrub(reason) });
    if (!this.#stopping) this.#options.onFailed(thrown);
    this.#giveUpAfter(this.#options.gracefulTimeoutMs);
    this.#endIntake();
  }

  #endIntake(): void {
    // How a stop ends does not matter here: the drain that follows has its own end.
    this.#stopTask().catch((thrown: unknown) => this.#options.logger.debug({ err: thrown }, 'stop rejected'));
  }

  /** A task that throws instead of rejecting rejects. */
  async #stopTask(): Promise<void> {
    await this.#task?.stop();
  }

  /** Called from within the delivery, which must go on whatever the task does. */
  #committed(records: readonly SourceRecord[]): void {
    try {
      this.#task?.committed?.(records);
    } catch (thrown) {
      this.#fail(thrown);
    }
  }

  async #windDown(): Promise<void> {
    await this.#delivery?.settled();
    this.#committer.stop();
    if (this.#abandoned) return;
    await this.#committer.commit(this.#hardStop.signal.aborted ? WIND_DOWN_MS / 2 : undefined);
    await this.#stopTask();
    await this.#producer?.close({ timeoutMs: 0 });
    const undelivered = this.#delivery?.undelivered ?? 0;
    this.#log('task_stopped', { undelivered });
  }

  #giveUpAfter(ms: number): void {
    const { clock } = this.#options;
    const at = clock.monotonic() + ms;
    if (this.#deadline !== undefined && this.#deadline.at <= at) return;
    this.#deadline?.timer.cancel();
    this.#deadline = { at, timer: clock.after(ms, () => this.#giveUp()) };
  }

  /** The time is over: everything that still waits is cut off, and what is left is counted. */
  #giveUp(): void {
    this.#hardStop.abort();
    this.#delivery?.abandon();
    void this.#producer?.close({ timeoutMs: 0 });
    const timer = this.#options.clock.after(WIND_DOWN_MS, () => this.#abandon());
    this.#deadline = { at: Number.NEGATIVE_INFINITY, timer };
  }

  /** The task does not come to an end. Whatever it does from now on has no effect. */
  #abandon(): void {
    this.#abandoned = true;
    this.#committer.stop();
    this.#countQueue();
    this.#log('task_cancelled', { undelivered: (this.#delivery?.undelivered ?? 0) + this.#leftInQueue });
    this.#end();
  }

  /** What an abandoned task keeps in its queue nobody will ever take. */
  #countQueue(): void {
    const { metrics } = this.#options;
    const attribute = dropAttribute('shutdown_timeout');
    if (!Object.hasOwn(metrics.table, 'QueueSize')) return;
    this.#leftInQueue = metrics.read('QueueSize');
    metrics.set('QueueSize', 0);
    if (metrics.hasCounter(attribute)) metrics.counter(attribute).value += this.#leftInQueue;
  }

  #end(): void {
    this.#deadline?.timer.cancel();
    this.#committer.stop();
    this.#ended.resolve();
  }
}
