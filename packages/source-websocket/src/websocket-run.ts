import { type EventLog, eventLog, type SourceRecord } from '@levada/connect-runtime-core';
import type { ConnectionSnapshot } from '@levada/connect-runtime-core/contract';
import {
  BoundedQueue,
  type ConnectionAttempt,
  ConnectionSettings,
  HoldUp,
  reconnectPolicy,
  reportDropped,
  SupervisedConnection,
} from '@levada/connect-runtime-core/source-kit';
import { type WebSocketConfig, webSocketConfig } from './config/config.ts';
import { configProblems, tlsFiles } from './config/config-checks.ts';
import { redactUrl } from './config/redact-url.ts';
import { sessionPlan } from './config/session-plan.ts';
import { type ConnectionPlan, connectionPlan } from './connection/connection-plan.ts';
import { webSocketEvents } from './connection/events.ts';
import { type MessageIntake, messageIntake, messageReceiver, queueLimits } from './connection/intake.ts';
import type { WebSocketContext } from './connection/metrics.ts';
import { type BinaryMode, inMode, type WaitingRecord } from './connection/record.ts';
import { SocketConnection } from './connection/socket.ts';
import { SequenceNumbers } from './session/sequence-numbers.ts';
import type { SessionContext } from './session/session.ts';

/** Most records of one poll, and most bytes of them unless one alone has more. */
const BATCH = 2000;
const BATCH_BYTES = 4 * 1024 * 1024;

/** What lives between start and stop of a task: queue, intake, supervised connection. */
export class WebSocketRun {
  readonly #context: WebSocketContext;
  readonly #log: EventLog<typeof webSocketEvents>;
  readonly #settings: ConnectionSettings<typeof webSocketConfig.keys>;
  readonly #queue: BoundedQueue<WaitingRecord>;
  readonly #holdUp: HoldUp;
  readonly #intake: MessageIntake;
  readonly #receive: ReturnType<typeof messageReceiver>;
  readonly #connection: SupervisedConnection;
  readonly #shownUrl: string;
  /** Whether binary messages wait in the queue that become text. */
  readonly #converts: boolean;
  readonly #sequence: SequenceNumbers | undefined;
  #socket: SocketConnection | undefined;
  #stopped: Promise<void> | undefined;

  /** Reads the TLS files; throws when they cannot be read. Nothing is open afterwards. */
  constructor(config: WebSocketConfig, context: WebSocketContext) {
    const { metrics, logger, clock } = context;
    const log = eventLog(webSocketEvents, logger, clock);
    this.#context = context;
    this.#log = log;
    this.#settings = new ConnectionSettings({
      definition: webSocketConfig,
      config,
      context,
      log,
      tlsFiles,
      problems: configProblems,
    });
    this.#shownUrl = redactUrl(config['websocket.url']);
    this.#converts = ['base64', 'utf8'].includes(config['websocket.binary.mode']);
    const sequence = sessionPlan(config)?.sequence;
    this.#sequence = sequence === undefined ? undefined : new SequenceNumbers(sequence, context.clock);
    const limits = queueLimits(config);
    this.#queue = new BoundedQueue(limits.full);
    this.#holdUp = new HoldUp({
      queue: this.#queue,
      clock,
      metrics,
      log,
      limits,
      throttledUntil: context.throttledUntil,
      pause: () => this.#socket?.pause(),
      resume: () => this.#socket?.resume(),
    });
    this.#intake = messageIntake({
      context,
      log,
      queue: this.#queue,
      config: () => this.#settings.config,
      holdUp: this.#holdUp,
    });
    this.#receive = messageReceiver(this.#intake, config['websocket.binary.mode'] === 'drop');
    this.#connection = new SupervisedConnection({
      context,
      metrics,
      log,
      queue: this.#queue,
      capacity: () => this.#holdUp.full.capacity,
      lastMessageAt: () => this.#intake.lastMessageAt,
      holdUp: this.#holdUp,
      policy: () => reconnectPolicy('websocket', this.#settings.config),
      refresh: (signal) => this.#settings.refresh(signal),
      connect: (attempt) => this.#connect(attempt),
      terminate: () => this.#socket?.terminate(),
      onOver: (failure) => {
        this.#holdUp.close();
        this.#queue.close(failure);
      },
    });
  }

  /** Begins to connect. */
  start(): void {
    const { config } = this.#settings;
    const queue = { queue_capacity: this.#holdUp.full.capacity };
    this.#log('task_starting', {
      connector_name: this.#context.connectorName,
      websocket_url: this.#shownUrl,
      platform_topic: config['platform.topic'],
    });
    this.#announcePlan();
    this.#log('websocket_client_starting', {
      url: this.#shownUrl,
      ...queue,
      connection_timeout_ms: config['websocket.connection.timeout.ms'],
      reconnect_enabled: config['websocket.reconnect.enabled'],
    });
    this.#connection.start();
    this.#log('websocket_client_started', { url: this.#shownUrl });
    this.#log('task_started', queue);
  }

  /** See `SourceTask.poll`. */
  async poll(): Promise<readonly SourceRecord[]> {
    for (;;) {
      const waiting = await this.#queue.take(BATCH, BATCH_BYTES);
      this.#holdUp.taken();
      const records = this.#converts ? this.#inMode(waiting) : waiting;
      if (records.length > 0 || waiting.length === 0) return records;
    }
  }

  /** Values that hold for what comes next. */
  reconfigure(config: WebSocketConfig): void {
    this.#settings.reconfigure(config);
    this.#holdUp.configure(queueLimits(config));
  }

  /** See `SourceTask.committed`. */
  committed(): void {
    this.#holdUp.progressed();
  }

  /** How the connection is doing. */
  connection(): ConnectionSnapshot {
    return this.#connection.snapshot();
  }

  /** Closes the connection; what is queued can still be polled. Idempotent. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    const { metrics } = this.#context;
    this.#log('task_stopping', { queue_size: this.#queue.size });
    this.#log('websocket_client_stopping', { url: this.#shownUrl });
    await this.#connection.stop();
    this.#log('websocket_client_stopped', {
      url: this.#shownUrl,
      messages_received: metrics.read('MessagesReceived'),
      messages_dropped: metrics.read('MessagesDropped'),
      reconnect_attempts: metrics.read('TotalReconnects'),
    });
    this.#log('task_stopped', { queue_size: this.#queue.size });
  }

  async #connect(attempt: ConnectionAttempt): Promise<void> {
    this.#sequence?.reconnected();
    const socket = new SocketConnection({
      ...this.#plan(),
      sessionContext: this.#sessionContext(attempt.signal),
      clock: this.#context.clock,
      log: this.#log,
      onOpen: () =>
        attempt.connected(this.#shownUrl, (session_id) => this.#log('session_initialized', { session_id })),
      onMessage: this.#receive,
      lastMessageAt: () => this.#intake.lastMessageAt,
    });
    this.#socket = socket;
    const end = (): void => socket.stop();
    attempt.signal.addEventListener('abort', end, { once: true });
    try {
      await socket.run();
    } finally {
      attempt.signal.removeEventListener('abort', end);
      this.#socket = undefined;
    }
  }

  #sessionContext(signal: AbortSignal): Omit<SessionContext, 'clock' | 'log'> {
    const { metrics, emit } = this.#context;
    return {
      metrics,
      secrets: () => this.#settings.config['websocket.secret.'],
      refresh: () => this.#settings.refresh(signal),
      sequence: this.#sequence,
      onGap: (gap) => emit({ type: 'gap', ...gap }),
    };
  }

  #inMode(waiting: readonly WaitingRecord[]): SourceRecord[] {
    const mode = this.#settings.config['websocket.binary.mode'] as BinaryMode;
    const records: SourceRecord[] = [];
    for (const one of waiting) {
      const record = inMode(one, mode);
      if (record === undefined) this.#unconvertible(one);
      else records.push(record);
    }
    return records;
  }

  #unconvertible({ value }: WaitingRecord): void {
    this.#log('conversion_failed', { message_bytes: value.length });
    reportDropped(this.#context, 'conversion_error');
  }

  #plan(): ConnectionPlan {
    const { config, tls } = this.#settings;
    return connectionPlan(config, { tls, environment: this.#context.environment });
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
