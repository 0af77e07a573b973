import type { RawConfig } from '../config/config-key.ts';
import type { OffsetStore } from '../contract/offset-store.ts';
import type { AnySourceConnector } from '../contract/source-connector.ts';
import type { SourceEvent, SourceEventMap } from '../contract/source-event.ts';
import type { SourceRecord } from '../contract/source-record.ts';
import type { DroppedRecords, SourceTask } from '../contract/source-task.ts';
import type { OffsetReader, TaskContext } from '../contract/task-context.ts';
import { type DeliveryMetrics, deliveryMetrics } from '../delivery/delivery-metrics.ts';
import type { SubmittedOffset } from '../delivery/offset-tracker.ts';
import { TaskRun } from '../delivery/task-run.ts';
import { ConnectorError } from '../diagnostics/connector-error.ts';
import type { Logger } from '../diagnostics/logger.ts';
import { MetricGroup } from '../diagnostics/metric-group.ts';
import { withCommonMetrics } from '../diagnostics/polled-metrics.ts';
import type { DropCause } from '../diagnostics/source-metrics.ts';
import type { Clock } from '../time/clock.ts';
import { settlesWithin, within } from '../time/deadline.ts';
import { type SourceChannels, sourceChannels } from './source-channels.ts';
import { type SourceEvents, sourceEvents } from './source-events.ts';
import type { CloseOptions, CloseReport, SourceHealth } from './source-handle.ts';
import { sourceHealth } from './source-health.ts';
import { SourceOffsets } from './source-offsets.ts';

/** The configuration is valid. */
export interface LibraryRunOptions {
  readonly connector: AnySourceConnector;
  readonly createTask: () => SourceTask;
  readonly raw: RawConfig;
  /** The configuration with values that may change, before each connection. */
  readonly resolve: (() => Promise<RawConfig>) | undefined;
  readonly name: string;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly offsets: OffsetReader | OffsetStore | undefined;
  readonly environment: TaskContext['environment'];
}

/** How long a close waits for the consumer by default. */
const CLOSE_TIMEOUT_MS = 5000;
/** How long functions among the options may take. */
const RESOLVE_MS = 10_000;
/** How long a task is waited for after its hard stop. Tasks that keep their contract need none of it. */
const HARD_STOP_MS = 1000;

/** The one run of a source in library use: hands out batches to one consumer, counts, closes. */
export class LibraryRun {
  readonly metrics: MetricGroup;
  readonly events: SourceEvents;
  readonly #options: LibraryRunOptions;
  readonly #channels: SourceChannels;
  readonly #run: TaskRun;
  readonly #counters: DeliveryMetrics;
  readonly #ready = Promise.withResolvers<void>();
  readonly #consumed = Promise.withResolvers<void>();
  readonly #givenUp = Promise.withResolvers<void>();
  readonly #over = Promise.withResolvers<void>();
  readonly #hard = new AbortController();
  readonly #offsets: SourceOffsets;
  #consumer: 'none' | 'active' | 'left' = 'none';
  #connected = false;
  #ahead: Promise<readonly SourceRecord[]> | undefined;
  #release: (() => void) | undefined;
  #stopped: Promise<void> | undefined;
  #failureThrown = false;
  #discarding = false;
  #closing: Promise<CloseReport> | undefined;
  #aborted: ConnectorError | undefined;
  #closed = false;
  #warned = false;
  /** Records that were handed out and are not settled. */
  #inFlight = 0;
  #delivered = 0;
  #undelivered = 0;

  constructor(options: LibraryRunOptions) {
    const { connector, logger } = options;
    this.#options = options;
    this.metrics = new MetricGroup(withCommonMetrics(connector.metrics));
    this.#counters = deliveryMetrics(this.metrics, () => this.#inFlight, connector.metrics);
    this.events = sourceEvents(logger);
    const { offsets, name, clock } = options;
    const rereads = (): boolean => this.rereads;
    const { signal } = this.#hard;
    const closing = (): Promise<unknown> | undefined => this.#closing;
    this.#offsets = new SourceOffsets({ offsets, source: name, rereads, closing, logger, clock, signal });
    this.#channels = sourceChannels({
      name: options.name,
      connector: connector.className,
      metrics: this.metrics.table,
      status: () => this.metrics.snapshot(),
      health: () => this.health(),
    });
    this.#run = new TaskRun({
      open: async (adopt) => {
        const task = options.createTask();
        adopt(task);
        await this.#startTask(task);
      },
      onFailed: (error) => this.#channels.publish('failed', { error: ConnectorError.from(error) }),
      onDrained: () => this.#onDrained(),
    });
    // A rejection that is not waited for must not end the process.
    this.#ready.promise.catch(() => undefined);
  }

  /** Resolves when everything is closed. */
  get closed(): Promise<void> {
    return this.#over.promise;
  }

  /** Whether everything is closed: nothing is handed out or counted any more. */
  get isClosed(): boolean {
    return this.#closed;
  }

  /** See `OffsetTracking`; undefined, too, where offsets are not stored. */
  submit(record: SourceRecord): SubmittedOffset | undefined {
    return this.#offsets.areStored ? this.#offsets.submit(record) : undefined;
  }

  /** See `OffsetTracking`. */
  ack(submitted: SubmittedOffset): void {
    if (!this.#closed) this.#offsets.ack(submitted);
  }

  /** Becomes the one consumer. */
  consume(): void {
    if (this.#consumer !== 'none')
      throw new ConnectorError(
        'unsupported',
        'a source can be read only once, and this one is being read or was read already',
      );
    this.#consumer = 'active';
  }

  /** The consumer takes no more. Rejects when offsets of what was delivered could not be stored, unless the source has failed already. */
  async leave(): Promise<void> {
    this.#consumer = 'left';
    this.#consumed.resolve();
    const { offsetsError } = await this.close();
    if (offsetsError !== undefined && this.#failure === undefined) throw offsetsError;
  }

  ready(): Promise<void> {
    if (this.#closing === undefined) void this.#run.start().then(() => this.#watchStart());
    return this.#ready.promise;
  }

  /** The next batch; none at the end. Rejects once when the task has failed. */
  async next(): Promise<readonly SourceRecord[]> {
    const mayTake = !this.#closed && (this.#closing === undefined || this.#run.state.phase !== 'idle');
    const records = mayTake ? await this.#takeOrRelease() : [];
    const failure = this.#failure;
    if (records.length === 0 && failure !== undefined && !this.#failureThrown) {
      this.#failureThrown = true;
      throw failure;
    }
    if (records.length > 0) this.#channels.publish('batch', { records });
    return records;
  }

  /** Records were delivered. */
  produced(count: number): void {
    if (this.#closed) return;
    this.#inFlight -= count;
    this.#counters.produced.value += count;
    this.#delivered += count;
    this.#checkConsumed();
  }

  /** Records were given up. */
  dropped(cause: DropCause, count: number): void {
    if (this.#closed || count === 0) return;
    this.#inFlight -= count;
    this.#counters.dropped(cause, count);
    if (this.#closing !== undefined) this.#undelivered += count;
    this.#onEvent({ type: 'dropped', cause, count });
    this.#checkConsumed();
  }

  /** Everything of a batch is stored or dropped. */
  committed(records: readonly SourceRecord[], dropped: DroppedRecords): void {
    if (this.#closed) return;
    this.#channels.publish('settled', { records, dropped });
    try {
      this.#run.committed(records, dropped);
    } catch (error) {
      // Against its contract. The records are delivered, and their consumer cannot help it.
      this.#options.logger.error({ event: 'committed_failed', error }, 'the task threw in committed');
    }
  }

  /** Whether a new run reads again what was not committed. */
  get rereads(): boolean {
    return this.#options.connector.rereads?.(this.#taskConfig()) ?? true;
  }

  health(): SourceHealth {
    // A task that is not started yet cannot say why.
    const connection = this.#offsets.isOpening ? undefined : this.#run.connection();
    const status = this.metrics.snapshot();
    return sourceHealth({
      notRunning: this.#notRunning(),
      connection,
      status,
      offsets: this.#offsets.trouble,
    });
  }

  /** The signal was aborted. */
  abort(reason: unknown): void {
    this.#aborted ??= new ConnectorError('aborted', 'the source was closed by its signal', { cause: reason });
    void this.close();
  }

  close(options: CloseOptions = {}): Promise<CloseReport> {
    const timeoutMs = options.timeoutMs ?? CLOSE_TIMEOUT_MS;
    if (timeoutMs <= 0) this.#givenUp.resolve();
    this.#closing ??= this.#close();
    const timer = this.#options.clock.after(timeoutMs, () => this.#givenUp.resolve());
    return this.#closing.finally(() => timer.cancel());
  }

  /** The error that the task failed with, if it failed. */
  get #failure(): ConnectorError | undefined {
    const { outcome } = this.#run;
    return outcome?.kind === 'failed' ? ConnectorError.from(outcome.error) : undefined;
  }

  #taskConfig(raw = this.#options.raw) {
    const { connector } = this.#options;
    return connector.config.parse(connector.taskConfigs(raw, 1)[0] ?? raw);
  }

  async #startTask(task: SourceTask): Promise<void> {
    const { name, logger, clock, environment, resolve } = this.#options;
    this.#channels.publish('started', {});
    if (this.#offsets.areStored) await this.#offsets.open();
    const raw =
      resolve && (await within({ clock, ms: RESOLVE_MS }, 'a function among the options', resolve()));
    await task.start(this.#taskConfig(raw), {
      connectorName: name,
      taskId: 0,
      logger,
      clock,
      offsets: this.#offsets,
      environment,
      metrics: this.metrics,
      ...(resolve === undefined ? {} : { resolveConfig: resolve }),
      signal: this.#hard.signal,
      emit: (event) => this.#onEvent(event),
    });
    const state = task.connection?.().state;
    if (this.#connected || state === undefined || state === 'connected' || state === 'listening') {
      this.#ready.resolve();
    }
  }

  /** Without a poll a failure would go unseen. The batch that this gives is the consumer's first. */
  #watchStart(): void {
    if (this.#run.state.phase === 'running' && !this.#connected && this.#closing === undefined) {
      this.#ahead ??= this.#take();
    }
  }

  #onEvent(event: SourceEvent): void {
    if (event.type === 'connected') {
      this.#connected = true;
      if (this.#run.state.phase === 'running') this.#ready.resolve();
    }
    if (event.type === 'dropped') this.#warnOfLoss(event);
    this.events.emit(event);
    this.#channels.event(event);
  }

  /** Once per source: a loss that was not asked for must not stay unseen where there is neither a listener nor a logger. */
  #warnOfLoss({ cause, count, refused }: SourceEventMap['dropped']): void {
    if (this.#warned || refused === true || this.#closing !== undefined) return;
    this.#warned = true;
    const first = count === 1 ? 'a record' : `${count} records`;
    process.emitWarning(
      `source "${this.#options.name}" dropped ${first} (${cause}); on('dropped') reports each loss, status() counts them`,
      { type: 'RecordsDroppedWarning', code: 'LEVADA_RECORDS_DROPPED' },
    );
  }

  /** A task that failed, or has nothing more, still has things to release. */
  #onDrained(): void {
    void this.#stopTask();
    this.#ready.reject(this.#failure ?? new ConnectorError('closed', 'the source has ended'));
    this.#checkConsumed();
  }

  #takeOrRelease(): Promise<readonly SourceRecord[]> {
    this.#ahead ??= this.#take();
    const batch = this.#ahead;
    return new Promise((resolve) => {
      this.#release = () => resolve([]);
      void batch.then((records) => {
        this.#passed(batch);
        resolve(records);
      });
    });
  }

  #passed(batch: Promise<readonly SourceRecord[]>): void {
    if (this.#ahead === batch) this.#ahead = undefined;
  }

  async #take(): Promise<readonly SourceRecord[]> {
    for (;;) {
      const records = await this.#run.poll();
      this.#inFlight += records.length;
      this.#counters.taken?.(records.length);
      if (records.length === 0 || !this.#discarding) return records;
      this.dropped('shutdown_timeout', records.length);
    }
  }

  async #close(): Promise<CloseReport> {
    this.#ready.reject(this.#aborted ?? new ConnectorError('closed', 'the source was closed'));
    if (this.#run.state.phase !== 'idle') {
      await this.#orGivenUp(this.#run.start());
      const stopped = this.#stopTask();
      if (this.#consumer === 'active') await this.#orGivenUp(this.#consumed.promise);
      this.#discarding = true;
      const over = Promise.all([stopped, this.#discardRest()]);
      await this.#orGivenUp(over);
      this.#hard.abort(new ConnectorError('closed', 'the source was closed'));
      await settlesWithin({ clock: this.#options.clock, ms: HARD_STOP_MS }, over);
    }
    this.dropped(this.#consumer === 'active' ? 'delivery_unknown' : 'shutdown_timeout', this.#inFlight);
    this.#closed = true;
    this.#release?.();
    const offsetsError = await this.#offsets.close();
    this.#over.resolve();
    const report = { delivered: this.#delivered, undelivered: this.#undelivered };
    const whole = offsetsError === undefined ? report : { ...report, offsetsError };
    this.#channels.publish('closed', whole);
    return whole;
  }

  #stopTask(): Promise<void> {
    this.#stopped ??= this.#run.stop().catch((error: unknown) => {
      this.#options.logger.warn({ event: 'stop_failed', error }, 'the task could not stop cleanly');
    });
    return this.#stopped;
  }

  async #discardRest(): Promise<void> {
    for (let left = true; left; ) {
      this.#ahead ??= this.#take();
      const batch = this.#ahead;
      left = (await batch).length > 0;
      this.#passed(batch);
    }
  }

  #checkConsumed(): void {
    if (this.#run.state.phase === 'drained' && this.#inFlight === 0) this.#consumed.resolve();
  }

  async #orGivenUp(promise: Promise<unknown>): Promise<void> {
    await Promise.race([promise, this.#givenUp.promise]);
  }

  #notRunning(): string | undefined {
    const failure = this.#failure;
    if (failure !== undefined) return failure.message;
    if (this.#closing !== undefined) return 'closed';
    const { phase } = this.#run.state;
    if (phase === 'idle') return 'not started';
    return phase === 'drained' ? 'ended' : undefined;
  }
}
