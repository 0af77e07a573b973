import type { ConnectorError, EventLog, MetricGroup, SourceRecord } from '@levada/connect-runtime-core';
import type { ConnectionSnapshot, DroppedRecords } from '@levada/connect-runtime-core/contract';
import { type HeldTime, reportDropped } from '@levada/connect-runtime-core/source-kit';
import type { OtlpConfig } from './config/config.ts';
import { configuredUsers } from './config/configured-users.ts';
import { liveSettings } from './config/live-settings.ts';
import { addressOf, portOf } from './config/protocol-settings.ts';
import { tokensOf } from './config/security-lists.ts';
import { readTls, type TlsContexts } from './config/tls-files.ts';
import { createCheckExport } from './export/check-export.ts';
import { createJsonToExport } from './export/json-to-export.ts';
import type { PlainExports } from './export/plain-exports.ts';
import { createSplitExport } from './export/split-export.ts';
import { OtlpHealthLine } from './health-line.ts';
import type { otlpEvents } from './model/events.ts';
import type { OtlpContext, otlpMetrics } from './model/metrics.ts';
import { otlpSchema } from './model/otlp-schema.ts';
import type { WaitingExport } from './model/waiting-export.ts';
import { ExportTaker } from './queue/export-taker.ts';
import { OtlpIntake } from './queue/otlp-intake.ts';
import type { SignalLane } from './queue/signal-lane.ts';
import { SpoolWrites } from './queue/spool-writes.ts';
import { WaitingBatches } from './queue/waiting-batches.ts';
import { createAccess } from './receive/admission/access.ts';
import { InFlight } from './receive/admission/in-flight.ts';
import { createRateLimit } from './receive/admission/rate-limit.ts';
import { openReceivers, type Receivers, startFailures } from './receivers.ts';
import { ExportRecordMaker, type MadeBatch } from './record/record-maker.ts';
import { RecordValues } from './record/record-values.ts';
import type { Patience } from './retry-while-in-use.ts';
import { observeRun } from './run-gauges.ts';
import { logStarted, logStarting, logStopped, reportFailure, sequenceOf } from './run-lines.ts';
import { TlsReload } from './tls-reload.ts';

export interface OtlpRunOptions {
  readonly config: OtlpConfig;
  readonly context: OtlpContext;
  readonly metrics: MetricGroup<typeof otlpMetrics>;
  readonly log: EventLog<typeof otlpEvents>;
  /** One per signal that is received, in order. The run closes their spools. */
  readonly lanes: readonly SignalLane[];
  /** While any request is held. */
  readonly heldTime: HeldTime;
  readonly plain: PlainExports | undefined;
  readonly sessionId: string;
  /** How ports are waited for that somebody else has. */
  readonly patience: Patience;
}

/** How long requests under way may take to be answered when the receivers stop. */
const GRACE_MS = 3000;

/** What lives between start and stop of a task: receivers, intake, lanes, the making of records. */
export class OtlpRun {
  readonly #options: OtlpRunOptions;
  readonly #batches: WaitingBatches;
  readonly #values: RecordValues;
  readonly #maker: ExportRecordMaker;
  readonly #inFlight: InFlight;
  readonly #taker: ExportTaker;
  readonly #intake: OtlpIntake;
  /** What was handed out and is not settled. */
  readonly #unsettled = new Map<readonly SourceRecord[], MadeBatch>();
  #receivers: Receivers = new Map();
  #health: OtlpHealthLine | undefined;
  #tlsReload: TlsReload | undefined;
  #listening = false;
  #pollEnded = false;
  #stopped: Promise<void> | undefined;
  #spoolsClosed: Promise<void> | undefined;

  constructor(options: OtlpRunOptions) {
    const { config, context, metrics, lanes, log, sessionId } = options;
    const { clock, emit, connectorName } = context;
    this.#options = options;
    const schema = otlpSchema();
    this.#batches = new WaitingBatches(lanes);
    this.#values = new RecordValues(schema, options.plain);
    this.#maker = new ExportRecordMaker({
      values: this.#values,
      connectorName,
      sessionId,
      onUnconvertible: (message, error) => this.#unconvertible(message, error),
    });
    this.#inFlight = new InFlight({
      requests: config['otlp.max.inflight.requests'],
      bytes: config['otlp.max.inflight.bytes'],
      sharePercent: config['otlp.max.inflight.share.percent'],
    });
    this.#taker = new ExportTaker({
      lanes: new Map(lanes.map((lane) => [lane.signal, lane])),
      preparation: {
        checkExport: createCheckExport(schema, options.plain),
        splitExport: createSplitExport(schema),
        jsonToExport: createJsonToExport(schema),
        values: this.#values,
      },
      settings: liveSettings(config),
      spoolWrites: config['otlp.ack.mode'] === 'spool' ? this.#createSpoolWrites() : undefined,
      metrics,
      clock,
      log,
      emit,
      onQueued: () => this.#batches.arrived(),
    });
    this.#intake = new OtlpIntake({
      access: createAccess({
        tokens: tokensOf(config['otlp.auth.tokens']?.reveal() ?? ''),
        users: configuredUsers(config),
        hosts: config['otlp.allowed.hosts'],
      }),
      rateLimit: createRateLimit(config['otlp.rate.limit'], clock),
      inFlight: this.#inFlight,
      taker: this.#taker,
      metrics,
      log,
      clock,
    });
  }

  /** Binds the ports. Rejects when that fails, with nothing left open but the spools. */
  async start(): Promise<void> {
    const { config, context, metrics, log, lanes, sessionId } = this.#options;
    const tls = readTls(config);
    logStarting(this.#options);
    context.signal.addEventListener('abort', this.#hardStop, { once: true });
    this.#receivers = await openReceivers({
      config,
      tls,
      intake: this.#intake,
      schema: otlpSchema(),
      clock: context.clock,
      patience: this.#options.patience,
      onError: (protocol, error) => log('receiver_error', { protocol, error: error.message }),
      onConnectionFailure: (protocol, failure) => reportFailure(this.#options, protocol, failure),
      onStarted: (protocol, { address, port }) =>
        log(`${protocol}_server_started`, { bind_address: address, port }),
      onFailed: (protocol, error) =>
        log(
          'otlp_receiver_start_failed',
          {
            protocol,
            bind_address: addressOf(protocol, config),
            port: portOf(protocol, config),
            error: error.message,
          },
          startFailures[protocol],
        ),
    });
    this.#listening = true;
    observeRun(metrics, {
      config,
      clock: context.clock,
      lanes,
      inFlight: this.#inFlight,
      receivers: this.#receivers,
      lastMessageAt: () => this.#taker.lastMessageAt,
    });
    this.#health = new OtlpHealthLine({
      metrics,
      clock: context.clock,
      log,
      sessionId,
      sequence: (signal) => sequenceOf(lanes, signal),
    });
    if (tls.size > 0) this.#tlsReload = this.#watchTls(tls);
    logStarted(this.#options, this.#receivers);
  }

  /** See `SourceTask.poll`. Rejects when a spool cannot be read; what is in it stays there. */
  async poll(): Promise<readonly SourceRecord[]> {
    for (;;) {
      const waiting = await this.#nextBatch();
      if (waiting.length === 0) {
        await this.#closeSpoolsIfSettled();
        return [];
      }
      const made = this.#maker.batch(waiting);
      if (made.records.length === 0) {
        this.#values.giveBack(made.blocks);
        continue;
      }
      this.#unsettled.set(made.records, made);
      return made.records;
    }
  }

  async #nextBatch(): Promise<readonly WaitingExport[]> {
    let waiting: readonly WaitingExport[] = [];
    try {
      waiting = await this.#batches.next();
      return waiting;
    } finally {
      this.#pollEnded = waiting.length === 0;
    }
  }

  /** See `SourceTask.committed`. */
  committed(records: readonly SourceRecord[], dropped: DroppedRecords): void {
    const made = this.#unsettled.get(records);
    if (made === undefined) return;
    this.#unsettled.delete(records);
    this.#values.giveBack(made.blocks);
    made.messages.forEach(({ waiter, items, ready }, index) => {
      ready?.release?.();
      const cause = dropped.get(index);
      // Undelivered: the client may send it again.
      const lost = cause === 'delivery_unknown' || cause === 'shutdown_timeout' ? 'unknown' : 'lost';
      // What a transformation drops on purpose is accepted all the same.
      waiter?.settle(cause === undefined || cause === 'filtered' ? 'stored' : lost, items);
    });
    // The next run hands out again what this one did not deliver.
    this.#commitSpooled(made.messages.filter((_, index) => dropped.get(index) !== 'shutdown_timeout'));
    void this.#closeSpoolsIfSettled();
  }

  /** Settings that apply to later exports. */
  reconfigure(config: OtlpConfig): void {
    this.#taker.settings = liveSettings(config);
    for (const { queue, room } of this.#options.lanes) {
      queue.resize(config['otlp.message.queue.size']);
      room.made();
    }
  }

  /** Whether the ports are open, and how long nothing came. */
  connection(): ConnectionSnapshot {
    const { context, heldTime } = this.#options;
    const at = this.#taker.lastMessageAt;
    const heldMs = heldTime.ms;
    return {
      state: this.#listening ? 'listening' : 'closed',
      ...(at === undefined ? {} : { lastMessageAgeMs: Math.round(context.clock.monotonic() - at) }),
      ...(heldMs === undefined ? {} : { heldUpMs: Math.round(heldMs) }),
    };
  }

  /** Closes the ports; what is queued can still be polled. Idempotent. */
  async stop(): Promise<void> {
    this.#stopped ??= this.#stopOnce();
    await this.#stopped;
    // A worker calls stop again when nothing more will be settled.
    if (this.#pollEnded || this.#options.context.signal.aborted) await this.#closeSpools();
  }

  async #stopOnce(): Promise<void> {
    const { log, lanes, heldTime, metrics, sessionId, context } = this.#options;
    const session = { session_id: sessionId };
    log('task_stopping', { ...session, queue_size: metrics.read('QueueSize') });
    log('otlp_receiver_stopping');
    this.#health?.stop();
    this.#tlsReload?.stop();
    this.#intake.stop();
    for (const { room } of lanes) room.close();
    heldTime.close();
    const closing = [...this.#receivers.values()].map((receiver) =>
      receiver.close({ graceMs: GRACE_MS, signal: context.signal }),
    );
    await Promise.all(closing);
    this.#listening = false;
    metrics.set('GrpcPort', 0);
    metrics.set('HttpPort', 0);
    logStopped(this.#options);
    this.#batches.close();
    const spooled = lanes.reduce((sum, { spool }) => sum + (spool?.size ?? 0), 0);
    log('task_stopped', { ...session, queue_size: metrics.read('QueueSize'), spooled });
  }

  /** What is queued stays for `poll`: on a hard stop the worker takes it from there and counts it. */
  readonly #hardStop = (): void => {
    for (const { room } of this.#options.lanes) room.close();
    this.#options.heldTime.close();
    this.#abandonWaits();
    this.#batches.close();
    void this.#closeSpools();
  };

  async #closeSpoolsIfSettled(): Promise<void> {
    if (this.#pollEnded && this.#unsettled.size === 0) await this.#closeSpools();
  }

  #closeSpools(): Promise<void> {
    this.#spoolsClosed ??= this.#closeSpoolsOnce();
    return this.#spoolsClosed;
  }

  async #closeSpoolsOnce(): Promise<void> {
    this.#options.context.signal.removeEventListener('abort', this.#hardStop);
    this.#abandonWaits();
    await Promise.all(this.#options.lanes.map(async ({ spool }) => spool?.close()));
  }

  #abandonWaits(): void {
    for (const { waits } of this.#options.lanes) waits?.abandon();
  }

  #commitSpooled(messages: readonly WaitingExport[]): void {
    const places = messages.flatMap(({ place }) => (place === undefined ? [] : [place]));
    const signal = messages[0]?.stamp.signal;
    if (places.length === 0) return;
    this.#options.lanes.find((lane) => lane.signal === signal)?.spool?.commit(places);
  }

  #unconvertible(message: WaitingExport, error: ConnectorError): void {
    const { metrics, log, context } = this.#options;
    log('message_conversion_failed', {
      signal: message.stamp.signal,
      sequence: message.sequence,
      message_bytes: message.value.length,
      error: error.message,
    });
    reportDropped({ metrics, emit: context.emit }, 'conversion_error');
    message.ready?.release?.();
    message.waiter?.settle('lost', message.items);
    this.#commitSpooled([message]);
  }

  #createSpoolWrites(): SpoolWrites {
    const { config, context, metrics, log } = this.#options;
    return new SpoolWrites({
      clock: context.clock,
      timeoutMs: config['otlp.ack.timeout.ms'],
      log,
      ackedLate: metrics.counter('AckedLate'),
    });
  }

  #watchTls(present: TlsContexts): TlsReload {
    const { config, context, log } = this.#options;
    return new TlsReload({
      clock: context.clock,
      everyMs: config['otlp.tls.reload.interval.ms'],
      present,
      read: () => readTls(config),
      onChanged: (changed) => {
        for (const [protocol, context] of changed) this.#receivers.get(protocol)?.setTls(context);
        log('tls_reloaded');
      },
      onFailed: (error) => log('tls_reload_failed', { error: error.message }),
    });
  }
}
