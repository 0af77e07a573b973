import { createSecureContext } from 'node:tls';
import {
  type ChannelCredentials,
  Client,
  type ClientOptions,
  compressionAlgorithms,
  connectivityState,
  credentials,
  InterceptingCall,
  type Interceptor,
  Metadata,
  type StatusObject,
} from '@grpc/grpc-js';
import { ConnectorError, isConnectorError, type Timer } from '@levada/connect-runtime-core';
import { type HttpProxy, isDeniedAddress } from '@levada/connect-runtime-core/source-kit';
import type { Endpoint } from '../model/endpoints.ts';
import { type GrpcStatus, localStatus } from '../model/grpc-status.ts';
import { hostAndPort, hostOfAuthority } from '../transport/authority.ts';
import type { Call, CallOptions, Channel, ChannelOptions } from '../transport/channel.ts';
import { connectError } from '../transport/connect-error.ts';
import { endedCall } from '../transport/ended-call.ts';
import { userAgent } from '../transport/request-headers.ts';
import { GrpcJsCall } from './grpc-js-call.ts';
import type { GrpcJsOptions, GrpcJsSettings } from './index.ts';
import { invalidTransport } from './invalid-transport.ts';
import { TrackedSockets } from './tracked-sockets.ts';
import { watchHeaders } from './watch-headers.ts';

/** Receive window of a call, as that of our own transport. The default of 64 KiB is slow over distance. */
const WINDOW_BYTES = 4 * 1024 * 1024;

/** How long the server may take to close its side when the channel is closed, in milliseconds; then the connection is cut. */
const CLOSE_GRACE_MS = 250;

/** Longer messages are not read at all: their length is more likely something else. As that of our own transport. */
const ABSURD_BYTES = 64 * 1024 * 1024;

/** A channel of grpc-js that is ready for calls. See `GrpcTransport.open`. */
export async function openGrpcJsChannel(
  options: ChannelOptions,
  own: GrpcJsOptions,
  settings: GrpcJsSettings,
): Promise<Channel> {
  if (options.signal.aborted) throw aborted(options.signal);
  // Names are looked up by grpc-js, and what they lead to is not guarded.
  if (isDeniedAddress(options.endpoint.host)) {
    const denied = new Error('a link-local, metadata, multicast or unspecified address');
    throw connectError(denied, options);
  }
  const sockets = new TrackedSockets();
  const peer = settings.target ?? hostAndPort(options.endpoint);
  const channel = new GrpcJsChannel(checkedClient({ options, own, settings, sockets }), {
    sockets,
    options,
    peer,
  });
  try {
    await channel.ready();
    return channel;
  } catch (thrown) {
    channel.destroy();
    if (options.signal.aborted) throw aborted(options.signal);
    if (settings.target !== undefined && thrown instanceof Error && unusableTarget.test(thrown.message))
      throw invalidTransport(thrown);
    throw connectError(thrown, { ...options, peer });
  }
}

/** What grpc-js says of a target that is no address, each time that it is to connect. */
const unusableTarget = /^Failed to parse DNS address /;

interface ChannelParts {
  readonly sockets: TrackedSockets;
  readonly options: ChannelOptions;
  readonly peer: string;
}

class GrpcJsChannel implements Channel {
  readonly peer: string;
  readonly #client: Client;
  readonly #sockets: TrackedSockets;
  readonly #options: ChannelOptions;
  readonly #calls = new Set<GrpcJsCall>();
  readonly #abort = (): void => this.destroy();
  readonly #unwatch: () => void;
  #closed = false;
  #closing: Promise<void> | undefined;

  constructor(client: Client, { sockets, options, peer }: ChannelParts) {
    this.#client = client;
    this.#sockets = sockets;
    this.#options = options;
    this.peer = peer;
    this.#unwatch = watchHeaders(
      (connection) => sockets.hasConnection(connection),
      (status) => this.destroy(status),
    );
    options.signal.addEventListener('abort', this.#abort, { once: true });
  }

  /** Resolves when calls can be made; rejects with the first failure, as when to try again is not decided here. */
  async ready(): Promise<void> {
    const { signal, clock, connectTimeoutMs } = this.#options;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const late = new Error(`no connection within ${connectTimeoutMs} ms`);
    const timer: Timer | undefined =
      connectTimeoutMs > 0 ? clock.after(connectTimeoutMs, () => reject(late)) : undefined;
    const stop = (): void => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    this.#watch(resolve, reject);
    try {
      await promise;
    } finally {
      timer?.cancel();
      signal.removeEventListener('abort', stop);
    }
  }

  call(options: CallOptions): Call {
    if (this.#closed) return endedCall(localStatus('UNAVAILABLE', 'the connection is closed'));
    try {
      const call = new GrpcJsCall(this.#client, options, {
        pings: this.#options.keepaliveTimeMs > 0,
        onEnded: (ended) => this.#calls.delete(ended),
      });
      this.#calls.add(call);
      return call;
    } catch (thrown) {
      return endedCall(localStatus('INTERNAL', ConnectorError.from(thrown).message, thrown));
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** Ends everything at once, without waiting for anything. */
  destroy(status?: GrpcStatus): void {
    this.#end(status);
    this.#sockets.destroy();
  }

  async #close(): Promise<void> {
    this.#end();
    const timer = this.#options.clock.after(CLOSE_GRACE_MS, () => this.#sockets.destroy());
    await this.#sockets.closed();
    timer.cancel();
    this.#sockets.destroy(); // and one that is being opened
  }

  #end(status: GrpcStatus = localStatus('CANCELLED', 'the channel was closed')): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#unwatch();
    this.#options.signal.removeEventListener('abort', this.#abort);
    for (const call of this.#calls) call.end(status);
    this.#client.close();
  }

  #watch(onReady: () => void, onFailed: (error: Error) => void): void {
    if (this.#closed) return;
    const channel = this.#client.getChannel();
    const state = channel.getConnectivityState(true);
    if (state === connectivityState.READY) onReady();
    else if (state === connectivityState.TRANSIENT_FAILURE) this.#askWhy(onFailed);
    else
      channel.watchConnectivityState(state, Number.POSITIVE_INFINITY, () => this.#watch(onReady, onFailed));
  }

  /** The reason of a failure is given only to calls, which end with it at once and reach no server. */
  #askWhy(onFailed: (error: Error) => void): void {
    const call = this.#client
      .getChannel()
      .createCall('/', Number.POSITIVE_INFINITY, undefined, null, undefined);
    call.start(new Metadata(), {
      onReceiveMetadata: () => undefined,
      onReceiveMessage: () => undefined,
      onReceiveStatus: ({ details }: StatusObject) => onFailed(new Error(plainReason(details))),
    });
    call.halfClose();
  }
}

interface ClientSettings {
  readonly options: ChannelOptions;
  readonly own: GrpcJsOptions;
  readonly settings: GrpcJsSettings;
  readonly sockets: TrackedSockets;
}

/** Throws `config_invalid` for options that grpc-js does not take: they are as wrong at the next attempt. */
function checkedClient(all: ClientSettings): Client {
  try {
    return clientFor(all);
  } catch (thrown) {
    throw isConnectorError(thrown) ? thrown : invalidTransport(thrown);
  }
}

function clientFor({ options, own, settings, sockets }: ClientSettings): Client {
  const { endpoint, authority, calls, keepaliveTimeMs, keepaliveTimeoutMs } = options;
  const proxy = settings.target === undefined ? options.proxy : undefined;
  const usual: ClientOptions = {
    'grpc.primary_user_agent': userAgent,
    'grpc.keepalive_time_ms': keepaliveTimeMs === 0 ? -1 : keepaliveTimeMs,
    'grpc.keepalive_timeout_ms': keepaliveTimeoutMs,
    'grpc.keepalive_permit_without_calls': 1,
    'grpc.max_receive_message_length': Math.max(ABSURD_BYTES, 16 * (calls?.maxMessageBytes ?? 0)),
    'grpc.default_compression_algorithm': compressionAlgorithms[calls?.compression ?? 'identity'],
    'grpc-node.flow_control_window': WINDOW_BYTES,
    // Closing the channel is to close its connections.
    'grpc.use_local_subchannel_pool': 1,
    ...(settings.target === undefined ? proxyOptions(proxy, endpoint) : {}),
    ...(authority === undefined
      ? {}
      : { 'grpc.default_authority': authority, 'grpc.ssl_target_name_override': hostOfAuthority(options) }),
  };
  const target = settings.target ?? dnsTarget(proxy ?? endpoint);
  const { credentials: given = credentialsOf(options) } = settings;
  return new Client(target, sockets.knownTo(given), {
    ...usual,
    ...own,
    ...interceptorsOf(own, settings),
  });
}

/** grpc-js takes either interceptors or what provides them. */
function interceptorsOf(own: ClientOptions, { interceptors }: GrpcJsSettings): ClientOptions {
  const providers = own.interceptor_providers;
  if (interceptors === undefined && providers !== undefined)
    return { interceptor_providers: [() => laterStatus, ...providers] };
  return { interceptors: [laterStatus, ...(interceptors ?? own.interceptors ?? [])] };
}

/** An interceptor may end a call while it is being started, when nothing listens to its status yet. */
const laterStatus: Interceptor = (options, next) =>
  new InterceptingCall(next(options), {
    start: (metadata, _listener, start) =>
      start(metadata, {
        onReceiveStatus: (status, deliver) => queueMicrotask(() => deliver(status)),
      }),
  });

function dnsTarget(endpoint: Endpoint): string {
  return `dns:${hostAndPort(endpoint)}`;
}

/** Which proxy is used was decided before; grpc-js does not look for one then. */
function proxyOptions(proxy: HttpProxy | undefined, endpoint: Endpoint): ClientOptions {
  const none = { 'grpc.enable_http_proxy': 0 };
  if (proxy === undefined) return none;
  if (proxy.secure)
    throw new ConnectorError('config_invalid', `grpc-js needs an http:// proxy, got ${proxy.shown}`);
  const login = proxy.authorization?.replace(/^Basic /, '');
  return {
    ...none,
    'grpc.http_connect_target': dnsTarget(endpoint),
    // Otherwise it is the target, which is the proxy.
    'grpc.default_authority': hostAndPort(endpoint),
    ...(login === undefined
      ? {}
      : { 'grpc.http_connect_creds': Buffer.from(login, 'base64').toString('utf8') }),
  };
}

function credentialsOf({ tls }: ChannelOptions): ChannelCredentials {
  if (tls === undefined) return credentials.createInsecure();
  const { rejectUnauthorized, ...context } = tls;
  return credentials.createFromSecureContext(createSecureContext(context), { rejectUnauthorized });
}

/** What grpc-js says of a connection that failed, without what it puts around the error. */
function plainReason(details: string): string {
  return details
    .replace(/^.*?No connection established\. Last error: (?:Error: )?/, '')
    .replace(/\. Resolution note: .*$/s, '');
}

function aborted(signal: AbortSignal): ConnectorError {
  return new ConnectorError('aborted', 'connecting was cancelled', { cause: signal.reason });
}
