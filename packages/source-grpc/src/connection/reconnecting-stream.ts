import type { EventLog } from '@levada/connect-runtime-core';
import { ConnectorError } from '@levada/connect-runtime-core';
import type { LogFields } from '@levada/connect-runtime-core/contract';
import {
  type ConnectionAttempt,
  type ConnectionSettings,
  type EndedAttempt,
  printable,
} from '@levada/connect-runtime-core/source-kit';
import type { GrpcConfig, grpcConfig } from '../config/config.ts';
import { type ConnectionPlan, connectionPlan } from '../config/connection-plan.ts';
import { requestOf } from '../config/request-of.ts';
import { endpointsOf } from '../config/run-settings.ts';
import { type Endpoint, endpointText } from '../model/endpoints.ts';
import { isPermanent, statusError } from '../model/errors.ts';
import type { grpcEvents } from '../model/events.ts';
import type { GrpcStatus } from '../model/grpc-status.ts';
import type { GrpcContext } from '../model/metrics.ts';
import type { MethodDefinition, Session } from '../model/session.ts';
import type { Channel, MetadataEntry } from '../transport/channel.ts';
import type { Transport } from '../transport/transport.ts';
import { reflectedMethod } from './method-definition.ts';
import { TokenSource, tokenEndpoint } from './oauth2-token.ts';
import { Stream, type StreamOptions } from './stream.ts';

export interface ReconnectingStreamOptions {
  readonly transport: Transport;
  readonly settings: ConnectionSettings<typeof grpcConfig.keys>;
  readonly context: GrpcContext;
  readonly log: EventLog<typeof grpcEvents>;
  /** From the configured descriptor; undefined when the server is asked at each connection. */
  readonly definition: MethodDefinition | undefined;
  /** Before each attempt, with the configuration in force. */
  readonly onAttempt: (config: GrpcConfig) => void;
  /** What the next request continues after; undefined at the beginning, or when nothing is to be resumed. */
  readonly resumeValue: () => string | number | undefined;
  /** A stream began; its messages follow. */
  readonly onSession: (session: Session) => void;
  readonly onMessage: (message: Uint8Array) => void;
  readonly onOversized: (bytes: number) => void;
  readonly lastMessageAt: () => number | undefined;
}

/** Longest time between pings that complaints of a server lead to. */
const MAX_KEEPALIVE_MS = 5 * 60_000;

/** One connection, from the attempt to its end. */
interface Connection {
  readonly plan: ConnectionPlan;
  readonly attempt: ConnectionAttempt;
  /** How far it got: calls can be made when it is open, and messages arrive once the call was made. */
  reached: 'dialling' | 'open' | 'call';
  /** How its call ended, or reflection before it; undefined while it has not, or when none was made. */
  status: GrpcStatus | undefined;
}

type Phase =
  | { readonly name: 'idle' }
  | { readonly name: 'connected'; readonly connection: Connection; readonly stream: Stream }
  | { readonly name: 'between' | 'completed'; readonly connection: Connection };

/** The stream of a method, one connection after the other; when to connect again is its supervisor's business. */
export class ReconnectingStream {
  readonly #options: ReconnectingStreamOptions;
  readonly #tokens: TokenSource;
  #phase: Phase = { name: 'idle' };
  /** Which endpoint the next attempt goes to. */
  #endpoint = 0;
  #keepaliveTimeMs: number;

  constructor(options: ReconnectingStreamOptions) {
    this.#options = options;
    this.#tokens = new TokenSource(options.context.clock);
    this.#keepaliveTimeMs = options.settings.config['grpc.keepalive.time.ms'];
  }

  /** Whether the server ended the stream for good. */
  get completed(): boolean {
    return this.#phase.name === 'completed';
  }

  /** Host and port that the next attempt goes to. */
  get nextServer(): string {
    return endpointText(this.#nextEndpoint());
  }

  /** Cuts the present connection without notifying the server. */
  terminate(): void {
    this.#stream?.terminate();
  }

  /** Stops reading, so that the server is held up. */
  pause(): void {
    this.#stream?.pause();
  }

  resume(): void {
    this.#stream?.resume();
  }

  /** Makes what the server says fit for a log: without control characters, without our own secrets. */
  print(text: string): string {
    const secrets = this.#phase.name === 'idle' ? [] : this.#phase.connection.plan.secrets;
    return printable([...secrets, ...this.#tokens.secrets])(text);
  }

  /** One connection, to its end. Rejects with what that end means. */
  async connect(attempt: ConnectionAttempt): Promise<void> {
    this.#options.onAttempt(this.#config);
    const plan = this.#nextPlan();
    const connection: Connection = { plan, attempt, reached: 'dialling', status: undefined };
    const stream = new Stream(this.#streamOptions(connection));
    this.#phase = { name: 'connected', connection, stream };
    const end = (): void => stream.stop();
    attempt.signal.addEventListener('abort', end, { once: true });
    let completed = false;
    try {
      const status = await stream.run();
      connection.status = status;
      if (attempt.signal.aborted) return;
      completed = status.code === 'OK' && this.#config['grpc.completion.policy'] === 'stop';
      throw this.#judge(status, connection);
    } finally {
      attempt.signal.removeEventListener('abort', end);
      this.#phase = { name: completed ? 'completed' : 'between', connection };
      if (completed) attempt.complete();
      if (!attempt.isHealthy) this.#endpoint += 1;
      // Its end is not reported by the supervisor then.
      if (attempt.signal.aborted && connection.reached === 'call') this.#logClosed(connection);
    }
  }

  /** An attempt ended that was not stopped. */
  ended({ error, attempt }: EndedAttempt): void {
    if (this.#phase.name === 'idle') return;
    const { connection } = this.#phase;
    const reason = { error_code: error.code, error_message: error.message };
    if (connection.reached === 'call' && !wasRefused(connection, attempt))
      this.#logClosed(connection, reason);
    else this.#options.log('connection_failed', { ...endOf(connection), ...reason });
  }

  get #config(): GrpcConfig {
    return this.#options.settings.config;
  }

  get #stream(): Stream | undefined {
    return this.#phase.name === 'connected' ? this.#phase.stream : undefined;
  }

  #nextPlan(): ConnectionPlan {
    return connectionPlan(this.#config, {
      endpoint: this.#nextEndpoint(),
      tls: this.#options.settings.tls,
      keepaliveTimeMs: this.#keepaliveTimeMs,
      environment: this.#options.context.environment,
    });
  }

  #nextEndpoint(): Endpoint {
    const endpoints = endpointsOf(this.#config);
    return endpoints[this.#endpoint % endpoints.length] as Endpoint;
  }

  #streamOptions(connection: Connection): StreamOptions {
    const { transport, context, log, onMessage, onOversized, lastMessageAt, resumeValue } = this.#options;
    const { plan } = connection;
    const config = this.#config;
    return {
      transport,
      channel: plan.channel,
      clock: context.clock,
      maxMessageBytes: config['grpc.max.inbound.message.size'],
      compression: config['grpc.compression'] as 'identity' | 'gzip',
      idleTimeoutMs: config['grpc.stream.idle.timeout.ms'],
      metadata: (signal) => {
        connection.reached = 'open';
        return this.#metadata(plan, signal);
      },
      definition: (channel, metadata, signal) => this.#definition(connection, channel, { metadata, signal }),
      request: (definition) => requestOf(config, definition, resumeValue()),
      onStarted: (definition, peer) => this.#started(connection, definition, peer),
      onMessage,
      onOversized,
      onEndedUnread: (status) => connection.attempt.peerEnded(this.#endError(status, connection)),
      onIdle: (idleMs) => log('stream_idle', { server: serverOf(connection), idle_ms: idleMs }),
      lastMessageAt,
    };
  }

  async #metadata({ metadata }: ConnectionPlan, signal: AbortSignal): Promise<readonly MetadataEntry[]> {
    const { context, settings } = this.#options;
    const endpoint = tokenEndpoint(settings.config, { tls: settings.tls, environment: context.environment });
    if (endpoint === undefined) return metadata;
    const others = metadata.filter(([name]) => name !== 'authorization');
    return [...others, ['authorization', await this.#tokens.authorization(endpoint, signal)]];
  }

  async #definition(
    connection: Connection,
    channel: Channel,
    call: { readonly metadata: readonly MetadataEntry[]; readonly signal: AbortSignal },
  ): Promise<MethodDefinition> {
    const { definition, context, log } = this.#options;
    if (definition !== undefined) return definition;
    const reflected = await reflectedMethod(this.#config, channel, {
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

  #started(connection: Connection, definition: MethodDefinition, peer: string): void {
    const { log, onSession } = this.#options;
    connection.reached = 'call';
    connection.attempt.connected(peer, (id) => {
      log('streaming_started', {
        service: definition.method.parent.typeName,
        method: definition.method.name,
        server: peer,
      });
      onSession({ id, definition });
    });
  }

  /** The error that the end of a stream is reported as. */
  #judge(status: GrpcStatus, connection: Connection): ConnectorError {
    this.#note(status);
    if (status.exhausted === 'too_many_pings') this.#backOffKeepalive(serverOf(connection));
    if (status.code === 'OK') this.#logCompletion(connection);
    return this.#endError(status, connection);
  }

  #endError(status: GrpcStatus, connection: Connection): ConnectorError {
    const peer = serverOf(connection);
    if (status.code === 'OK') {
      const isFailure = this.#config['grpc.completion.policy'] === 'fail';
      const text = `${peer}: the server ended the stream`;
      return new ConnectorError('connection_lost', text, isFailure ? { retriable: false } : {});
    }
    return statusError(status, {
      peer,
      failOn: connection.plan.failOn,
      print: (text) => this.print(text),
    });
  }

  /** Counts a refusal, and no longer trusts a token that was refused. */
  #note(status: GrpcStatus): void {
    if (isPermanent(status)) this.#options.context.metrics.counter('PermanentErrors').value += 1;
    if (status.code === 'UNAUTHENTICATED') this.#tokens.invalidate();
  }

  #logCompletion(connection: Connection): void {
    this.#options.log('stream_completed', {
      server: serverOf(connection),
      messages_received: connection.attempt.received,
      completion_policy: this.#config['grpc.completion.policy'],
    });
  }

  #backOffKeepalive(server: string): void {
    if (this.#keepaliveTimeMs === 0) return;
    this.#keepaliveTimeMs = Math.max(
      this.#keepaliveTimeMs,
      Math.min(MAX_KEEPALIVE_MS, this.#keepaliveTimeMs * 2),
    );
    this.#options.log('keepalive_backed_off', { server, keepalive_time_ms: this.#keepaliveTimeMs });
  }

  #logClosed(connection: Connection, reason: LogFields = {}): void {
    const messages = { messages_received: connection.attempt.received };
    this.#options.log('connection_closed', { ...endOf(connection), ...reason, ...messages });
  }
}

/** Host and port, as configured. */
function serverOf({ plan }: Connection): string {
  return endpointText(plan.channel.endpoint);
}

/** Its status is UNAVAILABLE when the server was not reached, and null when no call was made after that. */
function endOf(connection: Connection): LogFields {
  const { reached, status } = connection;
  const code = reached === 'dialling' ? 'UNAVAILABLE' : status?.code;
  return { server: serverOf(connection), status_code: code ?? null };
}

/** A call that was refused before anything came was never a connection to those who look at the log. */
function wasRefused({ status }: Connection, attempt: ConnectionAttempt): boolean {
  const isAnswer = status !== undefined && status.source !== 'local' && status.code !== 'OK';
  return isAnswer && attempt.received === 0 && !attempt.isHealthy;
}
