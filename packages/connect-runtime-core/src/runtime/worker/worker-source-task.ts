import type { RawConfig } from '../../config/config-key.ts';
import type { ConnectionSnapshot } from '../../contract/connection-state.ts';
import type { AnySourceConnector } from '../../contract/source-connector.ts';
import type { SourcePartition } from '../../contract/source-offset.ts';
import type { SourceRecord } from '../../contract/source-record.ts';
import type { SourceTask } from '../../contract/source-task.ts';
import type { TaskContext } from '../../contract/task-context.ts';
import { Delivery } from '../../delivery/delivery.ts';
import { deliveryMetrics } from '../../delivery/delivery-metrics.ts';
import { OffsetTracker } from '../../delivery/offset-tracker.ts';
import { SendGate } from '../../delivery/send-gate.ts';
import { TopicAdmission } from '../../delivery/topic-admission.ts';
import { ConnectorError } from '../../diagnostics/connector-error.ts';
import { type EventLog, eventLog } from '../../diagnostics/log-event.ts';
import type { Logger } from '../../diagnostics/logger.ts';
import type { MetricGroup } from '../../diagnostics/metric-group.ts';
import { dropAttribute } from '../../diagnostics/source-metrics.ts';
import type { LogPlatform, LogProducer } from '../../platform/log-platform.ts';
import type { Clock, Timer } from '../../time/clock.ts';
import { closingShare, within } from '../../time/deadline.ts';
import { EventLoopShare } from '../../time/event-loop-share.ts';
import { runtimeEvents } from '../port/runtime-events.ts';
import type { OffsetStore } from '../stores/offset-store.ts';
import { OffsetCommitter } from './offset-committer.ts';
import type { TaskScopes } from './task-scopes.ts';
import type { TaskSettings } from './task-settings.ts';

/** When a task's drain is cut off. What is left of it gets `windDownMs` more before it is abandoned. */
interface Deadline {
  readonly at: number;
  readonly windDownMs: number;
  readonly timer: Timer;
}

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
  readonly environment?: TaskContext['environment'];
  /** Takes the task's secrets out of a text. */
  readonly scrub: (text: string) => string;
  /** In whose name the connector's code runs. */
  readonly scopes: TaskScopes;
  /** The task is operating. */
  readonly onRunning: () => void;
  /** The task cannot go on. Called once, before it is wound down. */
  readonly onFailed: (error: unknown) => void;
  /** The source has nothing more, and everything is delivered and committed. Called once, at the very end. */
  readonly onCompleted: () => void;
  /** Something was stored in a topic. */
  readonly onTopic: (topic: string) => void;
}

/** Batches on their way at once: enough to keep a log busy, few enough that a slow log shows in the task's own queue. */
const MAX_IN_FLIGHT_BATCHES = 8;
/** Bytes on their way before another batch is taken. */
const MAX_IN_FLIGHT_BYTES = 16 * 1024 * 1024;
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
  #over = false;
  #deadline: Deadline | undefined;
  #leftInQueue = 0;
  #completed = false;

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

  /** Begins to run. What becomes of it is told through the callbacks. A task that failed is still to be stopped. */
  start(): void {
    void this.#run().finally(() => this.#end());
  }

  /**
   * Ends intake, drains to the log and commits offsets, and gives up early enough to end within `timeoutMs`. Resolves with the
   * number of records that were not delivered. Idempotent; a shorter time-out wins.
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
    const done = this.#inScope(() => this.#task?.reconfigure?.(config)) ?? Promise.resolve();
    await within({ clock, ms: gracefulTimeoutMs }, 'reconfiguring the task', done);
    this.#log('task_reconfigured');
  }

  /** How the connection to the peer is doing, for tasks that have one. A task that throws instead fails. */
  connection(): ConnectionSnapshot | undefined {
    try {
      return this.#inScope(() => this.#task?.connection?.());
    } catch (thrown) {
      this.#fail(thrown);
      return undefined;
    }
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
    if (!this.#completed || this.#failed || this.#over) return;
    this.#log('task_completed');
    this.#options.onCompleted();
  }

  async #operate(settings: TaskSettings): Promise<void> {
    const { platform, connector, connectorName, taskId, mayProduce } = this.#options;
    this.#producer = await platform.producer({
      clientId: `connector-producer-${connectorName}-${taskId}`,
      overrides: settings.producerConfig,
      mayProduce,
    });
    if (this.#stopping) return;
    const task = this.#inScope(() => connector.createTask() as SourceTask);
    this.#task = task;
    this.#delivery = this.#createDelivery(task, settings, this.#producer);
    await this.#inScope(() => task.start(settings.config, this.#context()));
    this.#committer.start();
    // A stop that came while the task was starting may have found nothing to end.
    if (this.#stopping || this.#failed) this.#endIntake();
    else {
      this.#operating = true;
      this.#log('task_running');
      this.#options.onRunning();
    }
    await this.#pump(task, this.#delivery);
  }

  /** Moves records until the task has no more. */
  async #pump(task: SourceTask, delivery: Delivery): Promise<void> {
    const share = new EventLoopShare(this.#options.clock);
    const poll = () => task.poll();
    for (;;) {
      if (!delivery.hasRoom) await delivery.room();
      const delivered = this.#deliver(delivery, await this.#inScope(poll));
      if (delivered === undefined) break;
      await delivered;
      if (share.usedUp) await share.nextTurn();
    }
    if (this.#stopping || this.#failed) return;
    this.#completed = this.#inScope(() => task.completed?.()) === true;
    if (!this.#completed) throw new ConnectorError('internal', 'the task ended although nobody stopped it');
  }

  /** Apart from the loop, whose frame would keep the last batch in memory for as long as the next poll waits. Undefined at the end. */
  #deliver(delivery: Delivery, records: readonly SourceRecord[]): Promise<void> | undefined {
    if (!Array.isArray(records))
      throw new ConnectorError('internal', 'poll answered with no list of records');
    return this.#over || records.length === 0 ? undefined : delivery.deliver(records);
  }

  #createGate(settings: TaskSettings): SendGate {
    const { platform, internalTopics, mayProduce, clock } = this.#options;
    return new SendGate({
      mayProduce,
      clock,
      admission: new TopicAdmission({ platform, internalTopics, specFor: settings.topicSpec }),
      signal: this.#hardStop.signal,
      onRefused: (error) => this.#delivery?.refuse(error),
      onCheckFailed: ({ error, attempt }) =>
        this.#log('topic_check_failed', { reason: error.message, attempt }),
    });
  }

  #createDelivery(task: SourceTask, settings: TaskSettings, producer: LogProducer): Delivery {
    const { metrics, clock } = this.#options;
    const { converters, tolerant } = settings;
    const gate = this.#createGate(settings);
    return new Delivery({
      producer,
      converters,
      tolerant,
      rereads: () => this.#rereads(task),
      tracker: this.#tracker,
      now: () => clock.now(),
      admit: (records) => gate.pass(records),
      metrics: (inFlight) => deliveryMetrics(metrics, inFlight),
      maxInFlightBatches: MAX_IN_FLIGHT_BATCHES,
      maxInFlightBytes: MAX_IN_FLIGHT_BYTES,
      onStored: this.#options.onTopic,
      onDrop: ({ topic, cause, error }) =>
        this.#log('record_dropped', { topic, cause, reason: error.message }),
      onFailure: (error) => this.#fail(error),
      onCommitted: (records, dropped) => this.#inScope(() => this.#task?.committed?.(records, dropped)),
    });
  }

  #context(): TaskContext {
    const { connectorName, taskId, logger, metrics, clock, offsets, resolveConfig, environment } =
      this.#options;
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
      offsets: {
        offset: async (partition: SourcePartition) => {
          await this.#options.scopes.outside(() => offsets.readToEnd(signal));
          return offsets.get(connectorName, partition);
        },
      },
      emit: () => {
        // a worker shows connections through `connection()`, and logs and counts what tasks log and count
      },
    };
  }

  /** A task that throws instead fails. */
  #rereads(task: SourceTask): boolean {
    try {
      return this.#inScope(() => task.rereads?.()) ?? true;
    } catch (thrown) {
      this.#fail(thrown);
      return true;
    }
  }

  #fail(thrown: unknown): void {
    if (this.#failed || this.#over) return;
    this.#failed = true;
    this.#log('task_failed', { reason: this.#options.scrub(messageOf(thrown)) });
    if (!this.#stopping) this.#options.onFailed(thrown);
    this.#giveUpAfter(this.#options.gracefulTimeoutMs);
    this.#endIntake();
  }

  /** Runs code of the connector: what it leaves behind and throws later comes back here. */
  #inScope<T>(work: () => T): T {
    return this.#options.scopes.run((thrown) => {
      this.#log('task_error_uncaught', { reason: this.#options.scrub(messageOf(thrown)) });
      this.#fail(thrown);
    }, work);
  }

  #endIntake(): void {
    // How a stop ends is looked at when the drain that follows is over.
    this.#stopTask().catch(() => undefined);
  }

  /** A task that throws instead of rejecting rejects. */
  async #stopTask(): Promise<void> {
    await this.#inScope(() => this.#task?.stop());
  }

  async #windDown(): Promise<void> {
    await this.#delivery?.settled();
    if (!this.#abandoned) await this.#commitAndStop();
    await this.#producer?.close({ timeoutMs: 0 });
    if (this.#abandoned) return;
    this.#log('task_ended', { undelivered: this.#delivery?.undelivered ?? 0 });
  }

  async #commitAndStop(): Promise<void> {
    this.#committer.stop();
    await this.#committer.commit(this.#commitMs());
    await this.#stopTask().catch((thrown: unknown) => this.#fail(thrown));
  }

  /** As long as any commit, but so that the task can still be stopped in time after it. */
  #commitMs(): number {
    const { clock, offsetFlushTimeoutMs } = this.#options;
    if (this.#deadline === undefined) return offsetFlushTimeoutMs;
    const { at, windDownMs } = this.#deadline;
    return Math.min(offsetFlushTimeoutMs, Math.max(0, at + windDownMs / 2 - clock.monotonic()));
  }

  #giveUpAfter(ms: number): void {
    if (this.#over || this.#hardStop.signal.aborted) return;
    const { clock } = this.#options;
    const windDownMs = closingShare(ms);
    const at = clock.monotonic() + ms - windDownMs;
    if (this.#deadline !== undefined && this.#deadline.at <= at) return;
    this.#deadline?.timer.cancel();
    this.#deadline = { at, windDownMs, timer: clock.after(ms - windDownMs, () => this.#giveUp()) };
  }

  /** The time is over: everything that still waits is cut off, and what is left is counted. */
  #giveUp(): void {
    this.#hardStop.abort();
    this.#delivery?.abandon();
    void this.#producer?.close({ timeoutMs: 0 });
    const { clock } = this.#options;
    const { at = clock.monotonic(), windDownMs = 0 } = this.#deadline ?? {};
    this.#deadline = { at, windDownMs, timer: clock.after(windDownMs, () => this.#abandon()) };
  }

  /** The task does not come to an end. Whatever it does from now on has no effect. */
  #abandon(): void {
    this.#abandoned = true;
    this.#delivery?.giveUp();
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
    this.#over = true;
    this.#deadline?.timer.cancel();
    this.#committer.stop();
    this.#ended.resolve();
  }
}

function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
