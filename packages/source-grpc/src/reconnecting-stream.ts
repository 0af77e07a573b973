import { randomUUID } from 'node:crypto';
import type { SecureContextOptions } from 'node:tls';
import {
  type ConnectionHooks,
  type ConnectionState,
  ConnectorError,
  type EventLog,
  type MetricGroup,
  supervise,
  type TaskContext,
} from '@levada/connect-runtime-core';
import { readTlsFiles } from '@levada/connect-runtime-core/net';
import { type GrpcConfig, grpcConfig } from './config.ts';
import { type ConnectionPlan, connectionPlan } from './connection-plan.ts';
import { endpointText } from './endpoints.ts';
import { isPermanent, statusError } from './errors.ts';
import type { grpcEvents } from './events.ts';
import { reflectedMethod } from './method-definition.ts';
import type { grpcMetrics } from './metrics.ts';
import { TokenSource, tokenEndpoint } from './oauth2-token.ts';
import { requestOf } from './request-of.ts';
import { endpointsOf, liveValues, reconnectPolicy } from './run-settings.ts';
import type { MethodDefinition, Session } from './session.ts';
import { Stream } from './stream.ts';
import { tlsFiles } from './tls-files.ts';
import type { Channel, MetadataEntry } from './transport/channel.ts';
import type { GrpcStatus } from './transport/grpc-status.ts';

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
  #config: GrpcConfig;
  #tls: SecureContextOptions;
  readonly #tokens: TokenSource;
  #state: ConnectionState = { kind: 'disconnected' };
  #stream: Stream | undefined;
  #lastError: string | undefined;
  /** Which endpoint the next attempt goes to. */
  #endpoint = 0;
  #keepaliveTimeMs: number;
  #session: Session | undefined;
  /** Whether the last stream brought a message. */
  #heard = false;
  #completed = false;

  /** Reads the TLS files; throws when they cannot be read. Nothing is open afterwards. */
  constructor(options: ReconnectingStreamOptions) {
    const { config, context } = options;
    this.#options = options;
    this.#config = config;
    this.#tls = readTlsFiles(tlsFiles(config));
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
    this.#config = config;
  }

  /** Streams until it is stopped, or the method is complete; rejects with the ConnectorError that leaves no point in going on. */
  async run(): Promise<void> {
    const { context, log } = this.#options;
    try {
      await supervise({
        run: (hooks) => this.#connect(hooks),
        policy: () => reconnectPolicy(this.#config),
        clock: context.clock,
        signal: this.#stop.signal,
        onState: (state) => this.#changed(state),
        onEnd: ({ error, established }) => this.#ended(error, established),
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

  /** Stops reading, so that the server is held up. */
  pause(): void {
    this.#stream?.pause();
  }

  resume(): void {
    this.#stream?.resume();
  }

  /** One connection. */
  async #connect(hooks: ConnectionHooks): Promise<void> {
    await this.#refresh();
    if (hooks.signal.aborted) return;
    const config = this.#config;
    this.#options.onAttempt(config);
    const plan = this.#plan();
    const { clock } = this.#options.context;
    const { metrics } = this.#options;
    const received = metrics.read('MessagesReceived');
    let startedAt: number | undefined;
    const stream = new Stream({
      ...this.#streamOptions(config, plan),
      onStarted: (definition, peer) => {
        startedAt = clock.monotonic();
        this.#started(hooks, definition, peer);
      },
    });
    this.#stream = stream;
    const end = (): void => stream.stop();
    hooks.signal.addEventListener('abort', end, { once: true });
    try {
      const status = await stream.run();
      if (!hooks.signal.aborted) this.#judge(status, plan);
    } finally {
      hooks.signal.removeEventListener('abort', end);
      this.#stream = undefined;
      this.#heard = metrics.read('MessagesReceived') > received;
      const lived = startedAt === undefined ? 0 : clock.monotonic() - startedAt;
      // A server that greets and ends at once is not healthy, so that attempts keep getting rarer.
      if (this.#heard && lived > config['grpc.reconnect.interval.ms']) hooks.healthy();
      else if (!this.#heard) this.#endpoint += 1;
    }
  }

  #plan(): ConnectionPlan {
    const endpoints = endpointsOf(this.#config);
    const endpoint = endpoints[this.#endpoint % endpoints.length] as (typeof endpoints)[number];
    return connectionPlan(this.#config, { endpoint, tls: this.#tls, keepaliveTimeMs: this.#keepaliveTimeMs });
  }

  #streamOptions(config: GrpcConfig, plan: ConnectionPlan) {
    const { context, log, onMessage, onOversized, lastMessageAt, resumeValue } = this.#options;
    return {
      channel: plan.channel,
      clock: context.clock,
      maxMessageBytes: config['grpc.max.inbound.message.size'],
      compression: config['grpc.compression'] as 'identity' | 'gzip',
      idleTimeoutMs: config['grpc.stream.idle.timeout.ms'],
      metadata: (signal: AbortSignal) => this.#metadata(plan, signal),
      definition: (channel: Channel, metadata: readonly MetadataEntry[], signal: AbortSignal) =>
        this.#definition(channel, metadata, signal),
      request: (definition: MethodDefinition) => requestOf(config, definition, resumeValue()),
      onMessage,
      onOversized,
      onIdle: (idleMs: number) =>
        log('stream_idle', { server: endpointText(plan.channel.endpoint), idle_ms: idleMs }),
      lastMessageAt,
    };
  }

  async #metadata({ metadata }: ConnectionPlan, signal: AbortSignal): Promise<readonly MetadataEntry[]> {
    const endpoint = tokenEndpoint(this.#config);
    if (endpoint === undefined) return metadata;
    const others = metadata.filter(([name]) => name !== 'authorization');
    return [...others, ['authorization', await this.#tokens.authorization(endpoint, signal)]];
  }

  async #definition(
    channel: Channel,
    metadata: readonly MetadataEntry[],
    signal: AbortSignal,
  ): Promise<MethodDefinition> {
    const { definition, context, log } = this.#options;
    if (definition !== undefined) return definition;
    const reflected = await reflectedMethod(this.#config, channel, {
      metadata,
      clock: context.clock,
      signal,
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

  /** Throws what the end of a stream means, unless it means that all is done. */
  #judge(status: GrpcStatus, { print, failOn, channel }: ConnectionPlan): void {
    const { log, metrics } = this.#options;
    const peer = endpointText(channel.endpoint);
    const shown = (text: string): string => print(this.#tokens.hide(text));
    if (isPermanent(status)) metrics.counter('PermanentErrors').value += 1;
    // Before the token is forgotten, which the server may have quoted.
    const error = statusError(status, { peer, failOn, print: shown });
    if (status.code === 'UNAUTHENTICATED') this.#tokens.invalidate();
    if (status.tooManyPings === true) this.#backOffKeepalive(peer);
    if (status.code !== 'OK') throw error;
    const policy = this.#config['grpc.completion.policy'];
    log('stream_completed', {
      messages_received: metrics.read('MessagesReceived'),
      completion_policy: policy,
    });
    if (policy === 'stop') {
      this.#completed = true;
      this.stop();
    }
    const text = `${peer}: the server ended the stream`;
    if (policy === 'fail') throw new ConnectorError('connection_lost', text, { retriable: false });
    throw new ConnectorError('connection_lost', text);
  }

  #backOffKeepalive(server: string): void {
    if (this.#keepaliveTimeMs === 0) return;
    this.#keepaliveTimeMs = Math.max(
      this.#keepaliveTimeMs,
      Math.min(MAX_KEEPALIVE_MS, this.#keepaliveTimeMs * 2),
    );
    this.#options.log('keepalive_backed_off', { server, keepalive_time_ms: this.#keepaliveTimeMs });
  }

  /** Secrets and certificates may have been replaced since the last attempt. */
  async #refresh(): Promise<void> {
    if (this.#state.kind !== 'connecting' || this.#state.attempt === 0) return;
    const { context, log } = this.#options;
    try {
      const { resolveConfig } = context;
      const resolved = resolveConfig === undefined ? this.#config : grpcConfig.parse(await resolveConfig());
      this.#tls = readTlsFiles(tlsFiles(resolved));
      this.#config = { ...resolved, ...liveValues(this.#config) };
    } catch (thrown) {
      log('credentials_unresolved', { error_message: ConnectorError.from(thrown).message });
    }
  }

  #changed(state: ConnectionState): void {
    this.#state = state;
    if (state.kind !== 'connecting' || state.attempt === 0) return;
    this.#options.metrics.counter('TotalReconnects').value += 1;
    this.#options.log('reconnect_executing', { attempt: state.attempt });
  }

  #ended(error: ConnectorError, established: boolean): void {
    const { log, context, metrics } = this.#options;
    this.#lastError = error.message;
    const fields = { error_message: error.message, error_code: error.code };
    // A call that was refused before anything came was never a connection to those who look at the log.
    const refused = error.code === 'handshake_rejected' && !this.#heard;
    if (!established || refused) log('connection_failed', fields);
    else log('connection_closed', { ...fields, messages_received: metrics.read('MessagesReceived') });
    if (established) context.emit({ type: 'disconnected', reason: error.message });
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
      max_attempts: this.#config['grpc.reconnect.max.attempts'],
      error_message: failure.message,
    });
  }
}
