import type { ClientHttp2Session } from 'node:http2';
import type { Socket } from 'node:net';
import { ConnectorError, type Timer } from '@levada/connect-runtime-core';
import { type GrpcStatus, localStatus } from '../model/grpc-status.ts';
import { hostAndPort } from './authority.ts';
import type { Call, CallOptions, Channel, ChannelOptions } from './channel.ts';
import { tlsAdvice } from './connect-error.ts';
import { endedCall } from './ended-call.ts';
import { headersTooLarge } from './header-limits.ts';
import { Http2Call } from './http2-call.ts';
import { goawayOf } from './http2-codes.ts';
import { Keepalive } from './keepalive.ts';
import { requestHeaders } from './request-headers.ts';

/** Number of nghttp2 for headers in more frames than it takes, some 144 KiB; it ends the connection then. */
const TOO_MANY_CONTINUATIONS = -905;

/** Number of nghttp2 for violations that it does not tell apart, a value that is too long for it among them. */
const PROTOCOL_ERROR = -505;

/** How long the server may take to close its side when the channel is closed, in milliseconds; then the connection is cut. */
const CLOSE_GRACE_MS = 250;

/** A channel over one socket. Listens to the socket from its making, so make it before the session. */
export class Http2Channel implements Channel {
  readonly peer: string;
  /** Settled once: resolves when the server's settings allow calls, rejects with what ended the connection before. */
  readonly ready: Promise<void>;
  readonly #options: ChannelOptions;
  readonly #socket: Socket;
  readonly #ready = Promise.withResolvers<void>();
  readonly #socketClosed = Promise.withResolvers<void>();
  readonly #calls = new Set<Http2Call>();
  readonly #abort = (): void => this.destroy(this.#options.signal.reason);
  #session: ClientHttp2Session | undefined;
  #keepalive: Keepalive | undefined;
  /** Why calls end, as soon as that is known. */
  #end: GrpcStatus | undefined;
  #goingAway: GrpcStatus | undefined;
  #closing: Promise<void> | undefined;

  constructor(socket: Socket, options: ChannelOptions) {
    this.#socket = socket;
    this.#options = options;
    const { remoteAddress, remotePort } = socket;
    this.peer = hostAndPort({
      host: remoteAddress ?? options.endpoint.host,
      port: remotePort ?? options.endpoint.port,
    });
    this.ready = this.#ready.promise;
    this.ready.catch(() => undefined); // a caller that could not create the session does not wait for it
    socket.on('error', (error) => this.#lost(error));
    socket.once('close', () => this.#closed());
    options.signal.addEventListener('abort', this.#abort, { once: true });
  }

  /** The session that reads and writes the socket. */
  attach(session: ClientHttp2Session): void {
    this.#session = session;
    session.on('remoteSettings', () => {
      if (allowsCalls(session)) this.#settled();
    });
    session.on('goaway', (code, _last, debugData) => this.#goaway(code, debugData));
    session.on('error', (error) => this.#lost(error));
    // Pushed streams are switched off; a server that sends one all the same must not be able to raise an error.
    session.on('stream', (stream) => stream.on('error', () => undefined).destroy());
  }

  call(options: CallOptions): Call {
    const session = this.#session;
    const refusal = this.#end ?? this.#goingAway;
    if (refusal !== undefined) return endedCall(refusal);
    if (session === undefined || session.closed || session.destroyed) {
      return endedCall(localStatus('UNAVAILABLE', 'the connection is closed'));
    }
    if (!allowsCalls(session)) {
      return endedCall(localStatus('UNAVAILABLE', 'the server allows no calls: MAX_CONCURRENT_STREAMS is 0'));
    }
    try {
      const scheme = this.#options.tls === undefined ? 'http' : 'https';
      const authority = this.#options.authority ?? hostAndPort(this.#options.endpoint);
      const stream = session.request(requestHeaders(options, authority, scheme));
      const call: Http2Call = new Http2Call({
        stream,
        call: options,
        clock: this.#options.clock,
        connectionEnd: (error) => (session.destroyed ? this.#endStatus(error) : undefined),
        onEnded: () => this.#calls.delete(call),
        onTooManyHeaders: (status) => this.#cut(status),
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

  /** Ends everything at once, without waiting for anybody. */
  destroy(cause?: unknown): void {
    this.#cut(localStatus('CANCELLED', 'the channel was closed', cause));
  }

  #cut(status: GrpcStatus): void {
    this.#end ??= status;
    for (const call of this.#calls) call.end(this.#end);
    this.#session?.destroy();
    this.#socket.destroy();
  }

  async #close(): Promise<void> {
    this.#end ??= localStatus('CANCELLED', 'the channel was closed');
    for (const call of this.#calls) call.end(this.#end);
    this.#session?.close();
    const timer: Timer = this.#options.clock.after(CLOSE_GRACE_MS, () => this.destroy());
    await this.#socketClosed.promise;
    timer.cancel();
  }

  #settled(): void {
    const { clock, keepaliveTimeMs, keepaliveTimeoutMs } = this.#options;
    this.#ready.resolve();
    if (keepaliveTimeMs === 0 || this.#end !== undefined || this.#keepalive !== undefined) return;
    this.#keepalive = new Keepalive({
      clock,
      timeMs: keepaliveTimeMs,
      timeoutMs: keepaliveTimeoutMs,
      ping: (answered) => this.#ping(answered),
      bytesRead: () => this.#socket.bytesRead,
      onDead: () => this.#dead(),
    });
    this.#keepalive.start();
  }

  #ping(answered: () => void): void {
    const session = this.#session;
    if (session === undefined || session.destroyed) return;
    session.ping((error) => {
      if (error === null) answered();
    });
  }

  #dead(): void {
    const text = `keepalive ping had no answer within ${this.#options.keepaliveTimeoutMs} ms`;
    this.#end ??= localStatus('UNAVAILABLE', text);
    this.#session?.destroy();
    this.#socket.destroy();
  }

  #goaway(code: number, debugData: Uint8Array | undefined): void {
    const { graceful, status } = goawayOf(code, debugData);
    this.#goingAway ??= status;
    if (!graceful) this.#end ??= status;
  }

  #lost(error: Error): void {
    this.#end ??= this.#endStatus(error);
    this.#ready.reject(error);
  }

  #closed(): void {
    this.#end ??= this.#endStatus(undefined);
    this.#ready.reject(this.#end.cause ?? new ConnectorError('connection_lost', this.#notReady(this.#end)));
    this.#keepalive?.stop();
    this.#options.signal.removeEventListener('abort', this.#abort);
    this.#socketClosed.resolve();
  }

  #notReady({ message }: GrpcStatus): string {
    // A server that expects TLS, or a client certificate, does not say so.
    const { tls } = this.#options;
    const certificate = `; perhaps it demands a client certificate (${tlsAdvice.clientCertificate})`;
    const hasCertificate = tls?.cert !== undefined;
    const guess =
      tls === undefined
        ? `; perhaps it expects TLS (${tlsAdvice.withTls})`
        : hasCertificate
          ? ''
          : certificate;
    return `${message} before its HTTP/2 settings arrived${guess}`;
  }

  #endStatus(error: unknown): GrpcStatus {
    if (this.#end !== undefined) return this.#end;
    const goaway = this.#goingAway === undefined ? '' : `; ${this.#goingAway.message}`;
    if (!(error instanceof Error)) {
      return localStatus('UNAVAILABLE', `connection closed by the server${goaway}`);
    }
    const errno = 'errno' in error ? error.errno : undefined;
    if (errno === TOO_MANY_CONTINUATIONS) return headersTooLarge(error.message);
    // Node's code for whatever nghttp2 finds wrong with the frames of a peer.
    if ('code' in error && error.code === 'ERR_HTTP2_ERROR') {
      const hint = errno === PROTOCOL_ERROR ? ', or sent a header value above 64 KiB' : '';
      return localStatus('INTERNAL', `HTTP/2 violated by the server: ${error.message}${hint}`, error);
    }
    return localStatus('UNAVAILABLE', `connection lost: ${error.message}${goaway}`, error);
  }
}

/** A call beyond what the server allows would wait, unsent, for as long as the server likes. */
function allowsCalls({ remoteSettings }: ClientHttp2Session): boolean {
  return remoteSettings.maxConcurrentStreams !== 0;
}
