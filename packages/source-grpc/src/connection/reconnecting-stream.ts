import { randomUUID } from 'node:crypto';
import {
  type ConnectionHooks,
  type ConnectionState,
  ConnectorError,
  type EventLog,
  type LogFields,
  type MetricGroup,
  printable,
  supervise,
  type TaskContext,
} from '@levada/connect-runtime-core';
import type { GrpcConfig } from '../config/config.ts';
import { type ConnectionPlan, connectionPlan } from '../config/connection-plan.ts';
import { ConnectionSettings } from '../config/connection-settings.ts';
import { requestOf } from '../config/request-of.ts';
import { endpointsOf, reconnectPolicy } from '../config/run-settings.ts';
import { type Endpoint, endpointText } from '../model/endpoints.ts';
import { isPermanent, statusError } from '../model/errors.ts';
import type { grpcEvents } from '../model/events.ts';
import type { GrpcStatus } from '../model/grpc-status.ts';
import type { grpcMetrics } from '../model/metrics.ts';
import type { MethodDefinition, Session } from '../model/session.ts';
import type { Channel, MetadataEntry } from '../transport/channel.ts';
import { ConnectionLife } from './connection-life.ts';
import { reflectedMethod } from './method-definition.ts';
import { TokenSource, tokenEndpoint } from './oauth2-token.ts';
import { Stream, type StreamOptions } from './stream.ts';

/** What a reconnecting stream works with, and what it tells. */
export interface ReconnectingStreamOptions {
  readonly config: GrpcConfig;
  readonly context: TaskContext;
  readonly log: EventLog<typeof grpcEvents>;
  readonly metrics: MetricGroup<typeof grpcMetrics>;
  /** From the configured descriptor; undefined when the server is asked at each connection. */
  readonly definition: MethodDefinition | undefined;
  /** Before each attempt, with the configuration in force. */
  readonly onAttempt: (config: GrpcConfig) => void;
  /** What the next request goes on behind; undefined at the beginning, or when nothing is to be resumed. */
  readonly resumeValue: () => string | number | undefined;
  /** A stream began; its messages follow. */
  readonly onSession: (session: Session) => void;
  readonly onMessage: (message: Uint8Array) => void;
  readonly onOversized: (bytes: number) => void;
  readonly lastMessageAt: () => number | undefined;
}

/** Longest time between pings that complaints of a server lead to. */
const MAX_KEEPALIVE_MS = 5 * 60_000;

/** The stream of a method, made again whenever it ends: the connection's whole life of a task. */
export class ReconnectingStream {
  readonly #options: ReconnectingStreamOptions;
  readonly #stop = new AbortController();
  readonly #settings: ConnectionSettings;
  readonly #tokens: TokenSource;
  #state: ConnectionState = { kind: 'disconnected' };
  #stream: Stream | undefined;
  /** The present connection, or the last one. */
  #connection: ConnectionLife | undefined;
  #lastError: string | undefined;
  /** Which endpoint the next attempt goes to. */
  #endpoint = 0;
  #keepaliveTimeMs: number;
  #session: Session | undefined;
  #completed = false;

  /** Reads the TLS files; throws when they cannot be read. Nothing is open afterwards. */
  constructor(options: ReconnectingStreamOptions) {
    const { config, context, log } = options;
    this.#options = options;
    this.#settings = new ConnectionSettings(config, context, log);
    this.#tokens = new TokenSource(context.clock);
    this.#keepaliveTimeMs = config['grpc.keepalive.time.ms'];
  }

  get state(): ConnectionState {
    return this.#state;
  }

  /** Text of the last failure, until a stream begins. */
  get lastError(): string | undefined {
    return this.#lastError;
  }

  /** Of the present or last stream. */
  get session(): Session | undefined {
    return this.#session;
  }

  /** Whether the server ended the stream for good. */
  get completed(): boolean {
    return this.#completed;
  }

  /** Values that hold from the next attempt on. */
  reconfigure(config: GrpcConfig): void {
    this.#settings.reconfigure(config);
  }

  /** Streams until it is stopped, or the method is complete; rejects with the ConnectorError that leaves no point in going on. */
  async run(): Promise<void> {
    const { context, log } = this.#options;
    try {
      await supervise({
        run: (hooks) => this.#connect(hooks),
        policy: () => reconnectPolicy(this.#settings.config),
        clock: context.clock,
        signal: this.#stop.signal,
        onState: (state) => this.#changed(state),
        onEnd: ({ error }) => this.#ended(error),
        onRetry: ({ attempt, delayMs, error }) => {
          log('reconnect_scheduled', { attempt, backoff_ms: delayMs });
          context.emit({ type: 'reconnecting', attempt, delayMs, error });
        },
      });
    } catch (thrown) {
      const failure = ConnectorError.from(thrown);
      this.#gaveUp(failure);
      throw failure;
    }
  }

  /** Ends the present stream and makes no other. Idempotent. */
  stop(): void {
    this.#stop.abort();
  }

  /** The same at once, without a word to the server. */
  terminate(): void {
    this.#stream?.terminate();
    this.#stop.abort();
  }

  /** Makes what the server says fit for a log: without control characters, without our own secrets. */
  print(text: string): string {
    const secrets = this.#connection?.plan.secrets ?? [];
    return printable([...secrets, ...this.#tokens.secrets])(text);
  }

  /** Stops reading, so that the server is held up. */
  pause(): void {
    this.#stream?.pause();
  }

  resume(): void {
    this.#stream?.resume();
  }

  /** One connection. */
  async #connect(hooks: ConnectionHooks): Promise<void> {
    const isFirst = this.#connection === undefined;
    if (!isFirst) await this.#settings.refresh(hooks.signal);
    if (hooks.signal.aborted) return;
    this.#options.onAttempt(this.#settings.config);
    const connection = this.#newConnection();
    this.#connection = connection;
    const stream = new Stream(this.#streamOptions(connection, hooks));
    this.#stream = stream;
    const end = (): void => stream.stop();
    hooks.signal.addEventListener('abort', end, { once: true });
    try {
      connection.status = await stream.run();
      if (!hooks.signal.aborted) this.#judge(connection.status, connection);
    } finally {
      hooks.signal.removeEventListener('abort', end);
      this.#stream = undefined;
      if (connection.isHealthy(this.#intervalMs)) hooks.healthy();
      else this.#endpoint += 1;
      // The supervisor does not ask for it then.
      if (hooks.signal.aborted && connection.wasStarted) this.#logClosed(connection);
    }
  }

  #newConnection(): ConnectionLife {
    const { context, metrics } = this.#options;
    const { config, tls } = this.#settings;
    const target = {
      endpoint: this.#nextEndpoint(),
      tls,
      keepaliveTimeMs: this.#keepaliveTimeMs,
      environment: context.environment,
    };
    return new ConnectionLife(connectionPlan(config, target), context.clock, metrics);
  }

  #nextEndpoint(): Endpoint {
    const endpoints = endpointsOf(this.#settings.config);
    return endpoints[this.#endpoint % endpoints.length] as Endpoint;
  }

  #streamOptions(connection: ConnectionLife, hooks: ConnectionHooks): StreamOptions {
    const { context, log, onMessage, onOversized, lastMessageAt, resumeValue } = this.#options;
    const { config } = this.#settings;
    const { plan, server } = connection;
    return {
      channel: plan.channel,
      clock: context.clock,
      maxMessageBytes: config['grpc.max.inbound.message.size'],
      compression: config['grpc.compression'] as 'identity' | 'gzip',
      idleTimeoutMs: config['grpc.stream.idle.timeout.ms'],
      metadata: (signal) => {
        connection.open();
        return this.#metadata(plan, signal);
      },
      definition: (channel, metadata, signal) => this.#definition(connection, channel, { metadata, signal }),
      request: (definition) => requestOf(config, definition, resumeValue()),
      onStarted: (definition, peer) => {
        connection.start();
        this.#started(hooks, definition, peer);
      },
      onMessage,
      onOversized,
      onIdle: (idleMs) => log('stream_idle', { server, idle_ms: idleMs }),
      lastMessageAt,
    };
  }

  async #metadata({ metadata }: ConnectionPlan, signal: AbortSignal): Promise<readonly MetadataEntry[]> {
    const { config, tls } = this.#settings;
    const endpoint = tokenEndpoint(config, { tls, environment: this.#options.context.environment });
    if (endpoint === undefined) return metadata;
    const others = metadata.filter(([name]) => name !== 'authorization');
    return [...others, ['authorization', await this.#tokens.authorization(endpoint, signal)]];
  }

  async #definition(
    connection: ConnectionLife,
    channel: Channel,
    call: { readonly metadata: readonly MetadataEntry[]; readonly signal: AbortSignal },
  ): Promise<MethodDefinition> {
    const { definition, context, log } = this.#options;
    if (definition !== undefined) return definition;
    const reflected = await reflectedMethod(this.#settings.config, channel, {
      ...call,
      clock: context.clock,
      failOn: connection.plan.failOn,
      print: (text) => this.print(text),
      onRefused: (status) => {
        connection.status = status;
        this.#note(status);
      },
    });
    log('descriptor_by_reflection', { server: channel.peer, files: [...reflected.registry.files].length });
    return reflected;
  }

  #started(hooks: ConnectionHooks, definition: MethodDefinition, peer: string): void {
    const { log, context, onSession } = this.#options;
    const session = { id: randomUUID(), definition };
    this.#session = session;
    this.#lastError = undefined;
    hooks.connected();
    log('streaming_started', {
      service: definition.method.parent.typeName,
      method: definition.method.name,
      server: peer,
    });
    onSession(session);
    context.emit({ type: 'connected', peer });
    context.emit({ type: 'session', sessionId: session.id });
  }

  /** Throws what the end of a stream means. */
  #judge(status: GrpcStatus, connection: ConnectionLife): void {
    const { plan, server } = connection;
    this.#note(status);
    const error = statusError(status, {
      peer: server,
      failOn: plan.failOn,
      print: (text) => this.print(text),
    });
    if (status.exhausted === 'too_many_pings') this.#backOffKeepalive(server);
    throw status.code === 'OK' ? this.#completion(connection) : error;
  }

  /** Counts a refusal, and trusts in no token that was refused. */
  #note(status: GrpcStatus): void {
    if (isPermanent(status)) this.#options.metrics.counter('PermanentErrors').value += 1;
    if (status.code === 'UNAUTHENTICATED') this.#tokens.invalidate();
  }

  /** What the end with OK means. */
  #completion({ server, received }: ConnectionLife): ConnectorError {
    const policy = this.#settings.config['grpc.completion.policy'];
    this.#options.log('stream_completed', {
      server,
      messages_received: received,
      completion_policy: policy,
    });
    if (policy === 'stop') {
      this.#completed = true;
      this.stop();
    }
    const text = `${server}: the server ended the stream`;
    return new ConnectorError('connection_lost', text, policy === 'fail' ? { retriable: false } : {});
  }

  #backOffKeepalive(server: string): void {
    if (this.#keepaliveTimeMs === 0) return;
    this.#keepaliveTimeMs = Math.max(
      this.#keepaliveTimeMs,
      Math.min(MAX_KEEPALIVE_MS, this.#keepaliveTimeMs * 2),
    );
    this.#options.log('keepalive_backed_off', { server, keepalive_time_ms: this.#keepaliveTimeMs });
  }

  #changed(state: ConnectionState): void {
    this.#state = state;
    if (state.kind !== 'connecting' || state.attempt === 0) return;
    this.#options.metrics.counter('TotalReconnects').value += 1;
    this.#options.log('reconnect_executing', {
      attempt: state.attempt,
      server: endpointText(this.#nextEndpoint()),
    });
  }

  #ended(error: ConnectorError): void {
    const { log, context } = this.#options;
    this.#lastError = error.message;
    const connection = this.#connection;
    if (connection === undefined) return;
    const reason = { error_code: error.code, error_message: error.message };
    if (!connection.wasStarted || connection.wasRefused(this.#intervalMs))
      log('connection_failed', { ...endOf(connection), ...reason });
    else this.#logClosed(connection, reason);
    if (connection.wasStarted) context.emit({ type: 'disconnected', reason: error.message });
  }

  #logClosed(connection: ConnectionLife, reason: LogFields = {}): void {
    const { received } = connection;
    this.#options.log('connection_closed', { ...endOf(connection), ...reason, messages_received: received });
  }

  get #intervalMs(): number {
    return this.#settings.config['grpc.reconnect.interval.ms'];
  }

  #gaveUp(failure: ConnectorError): void {
    const { log } = this.#options;
    this.#lastError = failure.message;
    if (failure.code === 'reconnect_disabled') {
      log('reconnect_skipped', { reason: 'disabled' });
      return;
    }
    log('reconnect_failed', {
      reason: failure.code === 'reconnect_exhausted' ? 'max_attempts_reached' : failure.code,
      max_attempts: this.#settings.config['grpc.reconnect.max.attempts'],
      error_message: failure.message,
    });
  }
}

function endOf({ server, statusCode }: ConnectionLife): LogFields {
  return { server, status_code: statusCode ?? null };
}
