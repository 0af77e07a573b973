import type { ConnectorError, EventLog, MetricGroup, SourceRecord } from '@levada/connect-runtime-core';
import type { ConnectionSnapshot, DroppedRecords } from '@levada/connect-runtime-core/contract';
import { type HeldTime, reportDropped } from '@levada/connect-runtime-core/source-kit';
import type { OtlpConfig } from './config/config.ts';
import { readConfiguredUsers } from './config/configured-users.ts';
import { liveSettings } from './config/live-settings.ts';
import { addressOf, portOf } from './config/protocol-settings.ts';
import { tokensOf } from './config/security-lists.ts';
import { readTls, type TlsContexts } from './config/tls-files.ts';
import { createCheckExport } from './export/check-export.ts';
import { createJsonToExport } from './export/json-to-export.ts';
import type { PlainExports } from './export/plain-exports.ts';
import { createSplitExport } from './export/split-export.ts';
import { OtlpHealthLine } from './health-line.ts';
import { ExportAdmission } from './intake/export-admission.ts';
import { OtlpIntake } from './intake/otlp-intake.ts';
import type { otlpEvents } from './model/events.ts';
import type { OtlpContext, otlpMetrics } from './model/metrics.ts';
import { otlpSchema } from './model/otlp-schema.ts';
import type { QueuedExport } from './model/queued-export.ts';
import { QueuedBatches } from './queue/queued-batches.ts';
import type { SignalQueue } from './queue/signal-queue.ts';
import { createAccess } from './receive/admission/access.ts';
import { InFlight } from './receive/admission/in-flight.ts';
import { createRateLimit } from './receive/admission/rate-limit.ts';
import { openReceivers, type Receivers, startFailures } from './receivers.ts';
import { ExportRecordMaker, type MadeBatch } from './record/record-maker.ts';
import { RecordValues } from './record/record-values.ts';
import type { Patience } from './retry-while-in-use.ts';
import { lastReceivedAt, observeRun } from './run-gauges.ts';
import { logStarted, logStarting, logStopped, reportFailure, sequenceOf } from './run-lines.ts';
import { TlsReload } from './tls-reload.ts';

export interface OtlpRunOptions {
  readonly config: OtlpConfig;
  readonly context: OtlpContext;
  readonly metrics: MetricGroup<typeof otlpMetrics>;
  readonly log: EventLog<typeof otlpEvents>;
  /** One per signal that is received, in order. The run closes their spools. */
  readonly queues: readonly SignalQueue[];
  /** While any request is held. */
  readonly heldTime: HeldTime;
  readonly plain: PlainExports | undefined;
  readonly sessionId: string;
  /** How ports are waited for that somebody else has. */
  readonly patience: Patience;
}

/** How long requests under way may take to be answered when the receivers stop. */
const GRACE_MS = 3000;

/** What lives between start and stop of a task: receivers, intake, queues, the making of records. */
export class OtlpRun {
  readonly #options: OtlpRunOptions;
  readonly #batches: QueuedBatches;
  readonly #values: RecordValues;
  readonly #maker: ExportRecordMaker;
  readonly #inFlight: InFlight;
  readonly #admission: ExportAdmission;
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
    const { config, context, metrics, queues, log, sessionId } = options;
    const { clock, emit, connectorName } = context;
    this.#options = options;
    const schema = otlpSchema();
    this.#batches = new QueuedBatches(queues);
    this.#values = new RecordValues(schema, options.plain);
    this.#maker = new ExportRecordMaker({
      values: this.#values,
      connectorName,
      sessionId,
      onUnconvertible: (exported, error) => this.#dropUnconvertible(exported, error),
    });
    this.#inFlight = new InFlight({
      requests: config['otlp.max.inflight.requests'],
      bytes: config['otlp.max.inflight.bytes'],
      sharePercent: config['otlp.max.inflight.share.percent'],
    });
    const preparation = {
      checkExport: createCheckExport(schema, options.plain),
      splitExport: createSplitExport(schema),
      jsonToExport: createJsonToExport(schema),
      values: this.#values,
    };
    const reports = { clock, emit, metrics };
    this.#admission = new ExportAdmission({
      access: createAccess({
        tokens: tokensOf(config['otlp.auth.tokens']?.reveal() ?? ''),
        users: readConfiguredUsers(config),
        hosts: config['otlp.allowed.hosts'],
      }),
      rateLimit: createRateLimit(config['otlp.rate.limit'], clock),
      inFlight: this.#inFlight,
      settings: liveSettings(config),
      preparation,
      context: reports,
      log,
    });
    this.#intake = new OtlpIntake({
      admission: this.#admission,
      preparation,
      queues: new Map(queues.map((queue) => [queue.signal, queue])),
      context: reports,
      log,
    });
  }

  /** Binds the ports. Rejects when that fails, with nothing left open but the spools. */
  async start(): Promise<void> {
    const { config, context, metrics, log, queues, sessionId } = this.#options;
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
      queues,
      inFlight: this.#inFlight,
      receivers: this.#receivers,
    });
    this.#health = new OtlpHealthLine({
      metrics,
      clock: context.clock,
      log,
      sessionId,
      sequence: (signal) => sequenceOf(queues, signal),
    });
    if (tls.size > 0) this.#tlsReload = this.#watchTls(tls);
    logStarted(this.#options, this.#receivers);
  }

  /** See `SourceTask.poll`. Rejects when a spool cannot be read; what is in it stays there. */
  async poll(): Promise<readonly SourceRecord[]> {
    for (;;) {
      const queued = await this.#nextBatch();
      if (queued.length === 0) {
        await this.#closeSpoolsIfSettled();
        return [];
      }
      const made = this.#maker.batch(queued);
      if (made.records.length === 0) {
        this.#values.giveBack(made.blocks);
        continue;
      }
      this.#unsettled.set(made.records, made);
      return made.records;
    }
  }

  async #nextBatch(): Promise<readonly QueuedExport[]> {
    let queued: readonly QueuedExport[] = [];
    try {
      queued = await this.#batches.take();
      return queued;
    } finally {
      this.#pollEnded = queued.length === 0;
    }
  }

  /** See `SourceTask.committed`. */
  committed(records: readonly SourceRecord[], dropped: DroppedRecords): void {
    const made = this.#unsettled.get(records);
    if (made === undefined) return;
    this.#unsettled.delete(records);
    this.#values.giveBack(made.blocks);
    made.exports.forEach(({ waiter, items, ready }, index) => {
      ready?.release?.();
      const cause = dropped.get(index);
      // Undelivered: the client may send it again.
      const lost = cause === 'delivery_unknown' || cause === 'shutdown_timeout' ? 'unknown' : 'lost';
      // What a transformation drops on purpose is accepted all the same.
      waiter?.settle(cause === undefined || cause === 'filtered' ? 'stored' : lost, items);
    });
    // The next run hands out again what this one did not deliver.
    this.#commitSpooled(made.exports.filter((_, index) => dropped.get(index) !== 'shutdown_timeout'));
    void this.#closeSpoolsIfSettled();
  }

  /** Settings that apply to later exports. */
  reconfigure(config: OtlpConfig): void {
    this.#admission.settings = liveSettings(config);
    for (const { memory } of this.#options.queues) memory.resize(config['otlp.message.queue.size']);
  }

  /** Whether the ports are open, and how long nothing came. */
  connection(): ConnectionSnapshot {
    const { context, heldTime, queues } = this.#options;
    const at = lastReceivedAt(queues);
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
    const { log, queues, heldTime, metrics, sessionId, context } = this.#options;
    const session = { session_id: sessionId };
    log('task_stopping', { ...session, queue_size: metrics.read('QueueSize') });
    log('otlp_receiver_stopping');
    this.#health?.stop();
    this.#tlsReload?.stop();
    this.#admission.stop();
    for (const { memory } of queues) memory.stopHolding();
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
    const spooled = queues.reduce((sum, { spool }) => sum + (spool?.size ?? 0), 0);
    log('task_stopped', { ...session, queue_size: metrics.read('QueueSize'), spooled });
  }

  /** What is queued stays for `poll`: on a hard stop the worker takes it from there and counts it. */
  readonly #hardStop = (): void => {
    for (const { memory } of this.#options.queues) memory.stopHolding();
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
    await Promise.all(this.#options.queues.map(async ({ spool }) => spool?.close()));
  }

  #abandonWaits(): void {
    for (const { memory } of this.#options.queues) memory.abandonWaits();
  }

  #commitSpooled(exports: readonly QueuedExport[]): void {
    const places = exports.flatMap(({ place }) => (place === undefined ? [] : [place]));
    const signal = exports[0]?.stamp.signal;
    if (places.length === 0) return;
    this.#options.queues.find((queue) => queue.signal === signal)?.spool?.commit(places);
  }

  #dropUnconvertible(exported: QueuedExport, error: ConnectorError): void {
    const { metrics, log, context } = this.#options;
    log('message_conversion_failed', {
      signal: exported.stamp.signal,
      sequence: exported.sequence,
      message_bytes: exported.value.length,
      error: error.message,
    });
    reportDropped({ metrics, emit: context.emit }, 'conversion_error');
    exported.ready?.release?.();
    exported.waiter?.settle('lost', exported.items);
    this.#commitSpooled([exported]);
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
