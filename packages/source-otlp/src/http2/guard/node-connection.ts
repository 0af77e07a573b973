import {
  constants,
  type IncomingHttpHeaders,
  performServerHandshake,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { Socket } from 'node:net';
import type { Timer } from '@levada/connect-runtime-core';
import { errorCode, preface } from '../frames/protocol.ts';
import type { RequestHeaders } from '../session/request-headers.ts';
import type { SessionLimits } from '../session/settings.ts';
import { ConnectionWatch } from './connection-watch.ts';
import { NodeStream } from './node-stream.ts';
import { ANSWER_MS, type ConnectionOptions, type Http2Connection, LINGER_MS } from './server-connection.ts';

/** What a header costs in addition to its name and value (RFC 9113, section 6.5.2). */
const FIELD_BYTES = 32;
/** For the answer to a ping, in milliseconds. */
const PONG_MS = 5000;

/**
 * A connection to the server of Node: what to use when ours has a fault. Its limits are those of Node where it has some; docs/decisions/0016
 * lists what is not limited, or later.
 */
export class NodeConnection implements Http2Connection {
  readonly peer: string;
  readonly streams = new Map<number, NodeStream>();
  readonly #options: ConnectionOptions;
  readonly #socket: Socket;
  readonly #watch: ConnectionWatch;
  /** Monotonic time at which it is too old. */
  readonly #endsAt: number;
  /** Undefined until the whole preface came. */
  #session: ServerHttp2Session | undefined;
  /** What came before that. */
  #read = Buffer.alloc(0);
  readonly #readPreface = (): void => this.#onReadable();
  #stopping = false;
  /** Streams that are not answered. */
  #waiting = 0;
  /** Monotonic time of a ping that is not answered. */
  #probedAt: number | undefined;
  #linger: Timer | undefined;

  constructor(socket: Socket, options: ConnectionOptions) {
    const now = options.clock.monotonic();
    this.#options = options;
    this.#socket = socket;
    this.peer = socket.remoteAddress ?? '';
    this.#watch = new ConnectionWatch(now);
    this.#endsAt = now + options.maxAgeMs;
    socket.once('close', () => this.#linger?.cancel());
    socket.on('readable', this.#readPreface);
    // Node leaves a socket open whose session failed and whose client closed its side.
    socket.once('end', () => this.#socket.end(() => this.destroy()));
  }

  get stopping(): boolean {
    return this.#stopping;
  }

  sweep(now: number): void {
    const { graceMs } = this.#options;
    this.#endWithSession(now);
    for (const { listener } of this.streams.values()) listener?.sweep(now);
    if (now >= this.#endsAt) this.#end();
    if (this.#isStuck(now) || now >= this.#endsAt + graceMs) this.destroy();
    if (this.#socket.destroyed) return;
    const verdict = this.#watch.look({ now, calls: this.streams.size, bytesRead: this.#socket.bytesRead });
    if (verdict === 'cut') this.destroy();
    else if (verdict === 'end') this.#end();
  }

  /**
   * Node ends a session by itself after GOAWAY of either side, and may leave its socket open without reading it. Calls that are open continue if the
   * client still gets an answer to its frames, which a ping shows.
   */
  #endWithSession(now: number): void {
    const session = this.#session;
    if (session?.destroyed === true) this.#lingerOn();
    else if (session?.closed === true && !this.#stopping) {
      this.#probedAt = now;
      session.ping((error) => {
        if (error === null) this.#probedAt = undefined;
      });
      this.#end();
    }
    if (this.#probedAt !== undefined && now - this.#probedAt >= PONG_MS) this.destroy();
  }

  drain(): void {
    this.#end();
    for (const { listener } of this.streams.values()) listener?.drain();
  }

  destroy(): void {
    this.#session?.destroy();
    this.#socket.destroy();
  }

  #onReadable(): void {
    const socket = this.#socket;
    for (let chunk = socket.read(); chunk !== null; chunk = socket.read()) {
      this.#read = Buffer.concat([this.#read, chunk]);
    }
    const length = Math.min(this.#read.length, preface.length);
    const isHttp2 = preface.compare(this.#read, 0, length, 0, length) === 0;
    if (isHttp2 && length < preface.length) return;
    socket.off('readable', this.#readPreface);
    if (isHttp2) this.#begin();
    else this.#answerForeign();
  }

  #answerForeign(): void {
    const answer = this.#options.handler.onForeign(this.#read, this);
    if (answer === undefined) this.destroy();
    else this.#socket.end(answer, 'latin1');
    this.#lingerOn();
  }

  #begin(): void {
    const { limits } = this.#options;
    // What read the socket before may have left it flowing.
    this.#socket.pause();
    this.#socket.unshift(this.#read);
    const session = performServerHandshake(this.#socket, {
      settings: {
        initialWindowSize: limits.streamWindowBytes,
        maxConcurrentStreams: limits.maxStreams,
        maxHeaderListSize: limits.maxHeaderBytes,
      },
    });
    this.#session = session;
    session.setLocalWindowSize(limits.connectionWindowBytes);
    // Its GOAWAY is sent; the socket may stay open otherwise, as long as the client likes.
    session.on('error', () => this.#lingerOn());
    session.on('remoteSettings', () => this.#watch.noteSettings());
    session.on('ping', () => this.#watch.notePing());
    session.on('stream', (stream, headers, _flags, rawHeaders) => {
      this.#onStream(stream, headers, rawHeaders);
    });
    if (this.#stopping) session.close();
  }

  #onStream(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, raw: readonly string[]): void {
    const { handler, limits, resets, clock } = this.#options;
    this.#waiting += 1;
    const own = new NodeStream(stream, () => {
      this.#waiting -= 1;
    });
    const id = stream.id ?? 0;
    this.#watch.noteCall();
    this.streams.set(id, own);
    stream.once('close', () => {
      this.streams.delete(id);
      own.listener?.onClosed();
      const isGivenUp = own.isLost && this.#session?.destroyed !== true;
      if (isGivenUp && !resets.spend(this.peer, clock.monotonic())) this.#fail();
      this.#lingerWhenDone();
    });
    const head = requestHeaders(headers, raw, limits);
    const isSuspect = this.#waiting > 1 && resets.isSuspect(this.peer, clock.monotonic());
    if (isSuspect || this.#waiting > limits.maxStreams) own.reset(errorCode.refusedStream);
    else if (head === 'too_large') own.reset(errorCode.enhanceYourCalm);
    else if (head === 'malformed') own.reset(errorCode.protocolError);
    else {
      handler.onRequest(own, head, this);
      own.read();
    }
  }

  /** GOAWAY, and the end of everything. */
  #fail(): void {
    this.#session?.destroy(undefined, constants.NGHTTP2_ENHANCE_YOUR_CALM);
    this.#lingerOn();
  }

  /** GOAWAY: requests that are open continue. Where HTTP/2 has not begun, nothing is sent. */
  #end(): void {
    if (this.#stopping) return;
    this.#stopping = true;
    if (this.#session === undefined) this.#socket.end();
    else this.#session.close();
    this.#lingerWhenDone();
  }

  /** Node waits for the client to close its side. */
  #lingerWhenDone(): void {
    if (this.#stopping && this.streams.size === 0) this.#lingerOn();
  }

  /** For the client to read what was sent last. */
  #lingerOn(): void {
    if (this.#socket.destroyed) return;
    this.#linger ??= this.#options.clock.after(LINGER_MS, () => this.#socket.destroy());
  }

  /** Its client does not read an answer. */
  #isStuck(now: number): boolean {
    for (const stream of this.streams.values()) {
      if (!stream.answered) continue;
      stream.answeredAt ??= now;
      if (now - stream.answeredAt >= ANSWER_MS) return true;
    }
    return false;
  }
}

/** What is kept of the headers; Node has checked that they are well-formed. */
function requestHeaders(
  headers: IncomingHttpHeaders,
  raw: readonly string[],
  { maxHeaderBytes, keptHeaders, includedHeaders }: SessionLimits,
): RequestHeaders | 'malformed' | 'too_large' {
  const kept = new Map<string, string>();
  const included: string[] = [];
  let bytes = 0;
  for (let at = 0; at < raw.length; at += 2) {
    const [name = '', value = ''] = raw.slice(at, at + 2);
    bytes += name.length + value.length + FIELD_BYTES;
    if (keptHeaders.has(name) && !kept.has(name)) kept.set(name, value);
    if (includedHeaders.has(name)) included.push(name, value);
  }
  if (bytes > maxHeaderBytes) return 'too_large';
  const { ':method': method, ':path': path, ':authority': authority, host } = headers;
  const length = headers['content-length'];
  if (method === undefined || path === undefined || path === '') return 'malformed';
  return {
    method,
    path,
    authority: authority ?? host,
    contentLength: length === undefined ? undefined : Number(length),
    kept,
    included,
  };
}
