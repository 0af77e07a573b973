import type { Socket } from 'node:net';
import type { Clock, Timer } from '@levada/connect-runtime-core';
import { errorCode } from '../frames/protocol.ts';
import type { RequestHeaders } from '../session/request-headers.ts';
import { ServerSession } from '../session/server-session.ts';
import type { Http2Stream, ServerStream } from '../session/server-stream.ts';
import type { SessionHost } from '../session/session-host.ts';
import type { SessionLimits } from '../session/settings.ts';
import { ConnectionWatch } from './connection-watch.ts';
import type { ResetBudgets } from './reset-budgets.ts';
import { TokenBucket } from './token-bucket.ts';

/** Frames that a client may send in addition to calls and their data. A call grants more, since some clients measure with pings. */
const RARE_FRAMES = { capacity: 1000, perSecond: 100 } as const;
const RARE_FRAMES_PER_CALL = 4;
/** For an answer to be read by its client; then the connection is cut. In milliseconds. */
export const ANSWER_MS = 30_000;
/** For the client to close its side of a connection that was ended. */
export const LINGER_MS = 250;

/** Answers the requests of a connection. */
export interface ConnectionHandler {
  /** A request that may be served. The handler answers it, or sets its listener. */
  onRequest(stream: Http2Stream, headers: RequestHeaders, connection: Http2Connection): void;
  /** See {@link SessionHost}. */
  onForeign(bytes: Buffer, connection: Http2Connection): string | undefined;
}

export interface ConnectionOptions {
  readonly handler: ConnectionHandler;
  readonly limits: SessionLimits;
  /** Shared by all connections of a server. */
  readonly resets: ResetBudgets;
  readonly clock: Clock;
  /** From then on the connection takes no more requests. Infinity: no limit. */
  readonly maxAgeMs: number;
  /** For its requests to be answered after that; then it is cut. */
  readonly graceMs: number;
}

/** One connection of a client, from the end of its TLS handshake. */
export interface Http2Connection {
  /** Address of the client. */
  readonly peer: string;
  /** It takes no more requests than those that are open. */
  readonly stopping: boolean;
  /** The streams that are open. */
  readonly streams: ReadonlyMap<number, Http2Stream>;
  /** Looks at what takes too long. Call it about once a second with the monotonic time. */
  sweep(now: number): void;
  /** The server stops: calls that are open are answered, then the connection ends. */
  drain(): void;
  destroy(): void;
}

/** A connection to our own server: a session, and who ends it when it costs more than it may. */
export class ServerConnection implements SessionHost, Http2Connection {
  readonly peer: string;
  readonly #options: ConnectionOptions;
  readonly #socket: Socket;
  readonly #session: ServerSession;
  readonly #watch: ConnectionWatch;
  readonly #rareFrames: TokenBucket;
  /** Its address gave up too many calls: one at a time is taken from it. */
  #suspect: boolean;
  /** Monotonic time at which it is too old. */
  readonly #endsAt: number;
  #stopping = false;
  #blockedSince: number | undefined;
  #linger: Timer | undefined;

  constructor(socket: Socket, options: ConnectionOptions) {
    const now = options.clock.monotonic();
    this.#options = options;
    this.#socket = socket;
    this.peer = socket.remoteAddress ?? '';
    this.#watch = new ConnectionWatch(now);
    this.#rareFrames = new TokenBucket(RARE_FRAMES, now);
    this.#endsAt = now + options.maxAgeMs;
    this.#suspect = options.resets.isSuspect(this.peer, now);
    this.#session = new ServerSession(socket, { host: this, limits: options.limits });
    socket.once('close', () => this.#linger?.cancel());
  }

  get stopping(): boolean {
    return this.#stopping;
  }

  get streams(): ReadonlyMap<number, ServerStream> {
    return this.#session.streams;
  }

  sweep(now: number): void {
    const { streams } = this.#session;
    const { resets, graceMs } = this.#options;
    for (const stream of streams.values()) stream.listener?.sweep(now);
    if (this.#suspect) this.#suspect = resets.isSuspect(this.peer, now);
    if (now >= this.#endsAt) this.#end();
    if (this.#isStuck(now) || now >= this.#endsAt + graceMs) this.destroy();
    if (this.#session.isOver) return;
    const { bytesRead } = this.#socket;
    const verdict = this.#watch.look({ now, calls: streams.size, bytesRead });
    if (verdict === 'cut') this.destroy();
    else if (verdict === 'end') this.#end();
  }

  drain(): void {
    this.#end();
    for (const { listener } of this.#session.streams.values()) listener?.drain();
  }

  destroy(): void {
    this.#session.destroy();
  }

  onForeign(bytes: Buffer): string | undefined {
    return this.#options.handler.onForeign(bytes, this);
  }

  onRequest(stream: ServerStream, headers: RequestHeaders): void {
    this.#watch.noteCall();
    this.#rareFrames.give(RARE_FRAMES_PER_CALL);
    if (this.#suspect && this.streams.size > 1) stream.reset(errorCode.refusedStream);
    else this.#options.handler.onRequest(stream, headers, this);
  }

  onRareFrame(): boolean {
    this.#watch.notePing();
    return this.#rareFrames.take(this.#options.clock.monotonic());
  }

  onReset(): boolean {
    return this.#options.resets.spend(this.peer, this.#options.clock.monotonic());
  }

  onSettings(): void {
    this.#watch.noteSettings();
  }

  onDone(): void {
    this.#linger = this.#options.clock.after(LINGER_MS, () => this.destroy());
  }

  #end(): void {
    this.#stopping = true;
    this.#session.end();
  }

  /** Its client does not read: neither what was sent, nor an answer for which it leaves no window. */
  #isStuck(now: number): boolean {
    if (this.#socket.writableLength === 0) this.#blockedSince = undefined;
    else this.#blockedSince ??= now;
    let since = this.#blockedSince ?? now;
    for (const stream of this.#session.streams.values()) {
      if (!stream.answered) continue;
      stream.answeredAt ??= now;
      since = Math.min(since, stream.answeredAt);
    }
    return now - since >= ANSWER_MS;
  }
}
