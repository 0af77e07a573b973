import { randomUUID } from 'node:crypto';
import type { SecureContextOptions } from 'node:tls';
import {
  type ConnectionSnapshot,
  ConnectorError,
  type EventLog,
  eventLog,
  type MetricGroup,
  type SourceRecord,
} from '@levada/connect-runtime-core';
import {
  BoundedQueue,
  type ConnectionHooks,
  type ConnectionState,
  connectionSnapshot,
  dropAttribute,
  freezeGauges,
  type GaugeSources,
  HealthLine,
  observeGauges,
  readTlsFiles,
  supervise,
} from '@levada/connect-runtime-core/source-kit';
import { type WebSocketConfig, webSocketConfig } from './config.ts';
import { type ConnectionPlan, connectionPlan } from './connection-plan.ts';
import { webSocketEvents } from './events.ts';
import { type MessageIntake, messageIntake, messageReceiver } from './intake.ts';
import type { WebSocketContext, webSocketMetrics } from './metrics.ts';
import { type BinaryMode, inMode, type WaitingRecord } from './record.ts';
import { redactUrl } from './redact-url.ts';
import { liveValues, queueBounds, reconnectPolicy } from './run-settings.ts';
import { SocketConnection } from './socket.ts';
import { tlsFiles } from './tls-files.ts';

/** Most records of one poll, and most bytes of them unless one alone has more. */
const BATCH = 2000;
const BATCH_BYTES = 4 * 1024 * 1024;

/** What lives between start and stop of a task: queue, intake, supervised connection. */
export class SourceRun {
  readonly #context: WebSocketContext;
  readonly #metrics: MetricGroup<typeof webSocketMetrics>;
  readonly #log: EventLog<typeof webSocketEvents>;
  readonly #queue: BoundedQueue<WaitingRecord>;
  readonly #intake: MessageIntake;
  readonly #receive: ReturnType<typeof messageReceiver>;
  readonly #health: HealthLine;
  readonly #gauges: GaugeSources;
  #tls: SecureContextOptions;
  readonly #stop = new AbortController();
  readonly #shownUrl: string;
  readonly #capacity: number;
  readonly #blocks: boolean;
  /** Whether binary messages wait in the queue that become text. */
  readonly #converts: boolean;
  #config: WebSocketConfig;
  #state: ConnectionState = { kind: 'disconnected' };
  #connection: SocketConnection | undefined;
  #sessionId: string | undefined;
  #lastError: string | undefined;
  #ended: Promise<void> = Promise.resolve();
  #stopped: Promise<void> | undefined;

  /** Reads the TLS files; throws when they cannot be read. Nothing is open afterwards. */
  constructor(config: WebSocketConfig, context: WebSocketContext) {
    this.#config = config;
    this.#context = context;
    this.#tls = readTlsFiles(tlsFiles(config));
    this.#metrics = context.metrics;
    this.#log = eventLog(webSocketEvents, context.logger, context.clock);
    this.#shownUrl = redactUrl(config['websocket.url']);
    this.#capacity = config['websocket.message.queue.size'];
    this.#blocks = config['websocket.queue.full.policy'] === 'block';
    this.#converts = ['base64', 'utf8'].includes(config['websocket.binary.mode']);
    this.#queue = new BoundedQueue(queueBounds(config));
    this.#intake = messageIntake({
      context,
      metrics: this.#metrics,
      log: this.#log,
      queue: this.#queue,
      config: () => this.#config,
      onFull: () => this.#full(),
    });
    this.#receive = messageReceiver(this.#intake, config['websocket.binary.mode'] === 'drop');
    this.#gauges = {
      clock: context.clock,
      queue: this.#queue,
      capacity: () => this.#capacity,
      state: () => this.#state,
      lastMessageAt: () => this.#intake.lastMessageAt,
    };
    this.#health = new HealthLine({
      metrics: this.#metrics,
      clock: context.clock,
      log: this.#log,
      sessionId: () => this.#sessionId,
    });
  }

  /** Begins to connect. */
  start(): void {
    const config = this.#config;
    const queue = { queue_capacity: this.#capacity };
    const { connectorName, signal } = this.#context;
    const topic = config['platform.topic'];
    this.#log('task_starting', {
      connector_name: connectorName,
      websocket_url: this.#shownUrl,
      platform_topic: topic,
    });
    observeGauges(this.#metrics, this.#gauges);
    this.#announcePlan();
    this.#log('websocket_client_starting', {
      url: this.#shownUrl,
      ...queue,
      connection_timeout_ms: config['websocket.connection.timeout.ms'],
      reconnect_enabled: config['websocket.reconnect.enabled'],
    });
    this.#health.start();
    signal.addEventListener('abort', this.#hardStop, { once: true });
    this.#ended = this.#supervised();
    if (signal.aborted) this.#hardStop();
    this.#log('websocket_client_started', { url: this.#shownUrl });
    this.#log('task_started', queue);
  }

  /** See `SourceTask.poll`. */
  async poll(): Promise<readonly SourceRecord[]> {
    for (;;) {
      const waiting = await this.#queue.take(BATCH, BATCH_BYTES);
      if (this.#blocks) this.#readOn();
      const records = this.#converts ? this.#inMode(waiting) : waiting;
      if (records.length > 0 || waiting.length === 0) return records;
    }
  }

  /** Values that hold for what comes next. */
  reconfigure(config: WebSocketConfig): void {
    this.#config = config;
  }

  /** How the connection is doing. */
  connection(): ConnectionSnapshot {
    return connectionSnapshot(this.#gauges, this.#lastError);
  }

  /** Closes the connection; what is queued can still be polled. Idempotent. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stopOnce();
    return this.#stopped;
  }

  async #stopOnce(): Promise<void> {
    this.#log('task_stopping', { queue_size: this.#queue.size });
    this.#health.stop();
    this.#log('websocket_client_stopping', { url: this.#shownUrl });
    this.#stop.abort();
    await this.#ended;
    freezeGauges(this.#metrics);
    this.#log('websocket_client_stopped', {
      url: this.#shownUrl,
      messages_received: this.#metrics.read('MessagesReceived'),
      messages_dropped: this.#metrics.read('MessagesDropped'),
      reconnect_attempts: this.#metrics.read('TotalReconnects'),
    });
    this.#log('task_stopped', { queue_size: this.#queue.size });
  }

  /** What is queued stays for `poll`: whoever stops hard takes it from there and counts it. */
  readonly #hardStop = (): void => {
    this.#connection?.terminate();
    this.#stop.abort();
  };

  async #supervised(): Promise<void> {
    let failure: ConnectorError | undefined;
    try {
      await supervise({
        run: (hooks) => this.#connect(hooks),
        policy: () => reconnectPolicy(this.#config),
        clock: this.#context.clock,
        signal: this.#stop.signal,
        onState: (state) => this.#changed(state),
        onEnd: ({ error, established }) => {
          this.#lastError = error.message;
          if (established) this.#context.emit({ type: 'disconnected', reason: error.message });
        },
        onRetry: ({ attempt, delayMs, error }) => {
          this.#log('reconnect_scheduled', { attempt, backoff_ms: delayMs });
          this.#context.emit({ type: 'reconnecting', attempt, delayMs, error });
        },
      });
    } catch (thrown) {
      failure = ConnectorError.from(thrown);
      this.#giveUp(failure);
    }
    this.#context.signal.removeEventListener('abort', this.#hardStop);
    this.#health.stop();
    this.#queue.close(failure);
  }

  /** One connection. */
  async #connect(hooks: ConnectionHooks): Promise<void> {
    const { clock } = this.#context;
    await this.#refresh();
    if (hooks.signal.aborted) return;
    let openedAt: number | undefined;
    const received = this.#metrics.read('MessagesReceived');
    const connection = new SocketConnection({
      ...this.#plan(),
      clock,
      log: this.#log,
      onOpen: () => {
        openedAt = clock.monotonic();
        this.#opened(hooks);
      },
      onMessage: this.#receive,
      lastMessageAt: () => this.#intake.lastMessageAt,
    });
    this.#connection = connection;
    const end = (): void => connection.stop();
    hooks.signal.addEventListener('abort', end, { once: true });
    try {
      await connection.run();
    } finally {
      hooks.signal.removeEventListener('abort', end);
      this.#connection = undefined;
      const lived = openedAt === undefined ? 0 : clock.monotonic() - openedAt;
      // A server that greets and closes at once is not healthy, so that attempts keep getting rarer.
      const longEnough = lived > this.#config['websocket.reconnect.interval.ms'];
      if (longEnough && this.#metrics.read('MessagesReceived') > received) hooks.healthy();
    }
  }

  #opened(hooks: ConnectionHooks): void {
    this.#sessionId = randomUUID();
    this.#lastError = undefined;
    hooks.connected();
    this.#log('session_initialized', { session_id: this.#sessionId });
    this.#context.emit({ type: 'connected', peer: this.#shownUrl });
    this.#context.emit({ type: 'session', sessionId: this.#sessionId });
  }

  /** Secrets and certificates may have been replaced since the last attempt. */
  async #refresh(): Promise<void> {
    if (this.#state.kind !== 'connecting' || this.#state.attempt === 0) return;
    const { resolveConfig } = this.#context;
    try {
      const resolved =
        resolveConfig === undefined ? this.#config : webSocketConfig.parse(await resolveConfig());
      this.#tls = readTlsFiles(tlsFiles(resolved));
      this.#config = { ...resolved, ...liveValues(this.#config) };
    } catch (thrown) {
      this.#log('credentials_unresolved', { error_message: ConnectorError.from(thrown).message });
    }
  }

  #changed(state: ConnectionState): void {
    this.#state = state;
    if (state.kind !== 'connecting' || state.attempt === 0) return;
    this.#metrics.counter('TotalReconnects').value += 1;
    this.#log('reconnect_executing', { attempt: state.attempt });
  }

  #giveUp(failure: ConnectorError): void {
    this.#lastError = failure.message;
    if (failure.code === 'reconnect_disabled') {
      this.#log('reconnect_skipped', { reason: 'disabled' });
      return;
    }
    const exhausted = failure.code === 'reconnect_exhausted';
    this.#log('reconnect_failed', {
      reason: exhausted ? 'max_attempts_reached' : failure.code,
      max_attempts: this.#config['websocket.reconnect.max.attempts'],
      error_message: failure.message,
    });
  }

  #inMode(waiting: readonly WaitingRecord[]): SourceRecord[] {
    const mode = this.#config['websocket.binary.mode'] as BinaryMode;
    const records: SourceRecord[] = [];
    for (const one of waiting) {
      const record = inMode(one, mode);
      if (record === undefined) this.#unconvertible(one);
      else records.push(record);
    }
    return records;
  }

  #unconvertible({ value }: WaitingRecord): void {
    this.#metrics.counter(dropAttribute('conversion_error')).value += 1;
    this.#log('conversion_failed', { message_bytes: value.length });
    this.#context.emit({ type: 'dropped', cause: 'conversion_error', count: 1 });
  }

  #full(): void {
    if (this.#blocks) this.#connection?.pause();
  }

  /** Waits for half of the room, so that pausing and reading do not alternate for each message. */
  #readOn(): void {
    const bytes = this.#config['websocket.message.queue.bytes'];
    const roomy = this.#queue.size <= this.#capacity / 2 && this.#queue.bytes <= bytes / 2;
    if (roomy) this.#connection?.resume();
  }

  #plan(): ConnectionPlan {
    return connectionPlan(this.#config, { tls: this.#tls, environment: this.#context.environment });
  }

  #announcePlan(): void {
    const plan = this.#plan();
    const { authorization, ignored, proxy } = plan;
    if (proxy !== undefined)
      this.#log('proxy_used', { url: plan.shownUrl, proxy: proxy.shown, source: proxy.source });
    if (ignored.length > 0) this.#log('authorization_replaced', { used: authorization, ignored });
    const secure = plan.url.protocol === 'wss:';
    if (secure && plan.tls.rejectUnauthorized === false)
      this.#log('tls_verification_off', { url: plan.shownUrl });
  }
}
