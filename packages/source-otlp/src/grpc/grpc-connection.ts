import {
  constants,
  type IncomingHttpHeaders,
  performServerHandshake,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { Socket } from 'node:net';
import type { Timer } from '@levada/connect-runtime-core';
import { answerHeaders, answerStatus } from './answer.ts';
import { callHead } from './call-head.ts';
import { ConnectionWatch } from './connection-watch.ts';
import type { OpenCall } from './open-call.ts';
import type { ReceiverParts } from './receiver-parts.ts';
import { CONNECTION_WINDOW_BYTES, sessionOptions } from './session-options.ts';
import { startCall } from './start-call.ts';
import { LINGER_MS } from './time-limits.ts';
import { TokenBucket } from './token-bucket.ts';

/** PING and SETTINGS that a client may send: each must be answered. A call grants more, since some clients measure with pings. */
const CONTROL_FRAMES = { capacity: 1000, perSecond: 100 } as const;
const CONTROL_FRAMES_PER_CALL = 2;

/** One connection of a client, from the end of its TLS handshake. */
export class GrpcConnection {
  readonly #parts: ReceiverParts;
  readonly #socket: Socket;
  readonly #session: ServerHttp2Session;
  readonly #peer: string;
  readonly #calls = new Set<OpenCall>();
  readonly #watch: ConnectionWatch;
  readonly #controls: TokenBucket;
  /** Its address gave up too many calls: one at a time is taken from it. */
  #suspect: boolean;
  #state: 'open' | 'ending' | 'cut' = 'open';
  readonly #onEnded = (call: OpenCall, reset: boolean): void => {
    this.#calls.delete(call);
    if (reset) this.#onReset();
    this.#lingerWhenDone();
  };
  #linger: Timer | undefined;

  constructor(socket: Socket, parts: ReceiverParts) {
    const now = parts.clock.monotonic();
    this.#parts = parts;
    this.#socket = socket;
    this.#peer = socket.remoteAddress ?? '';
    this.#watch = new ConnectionWatch(now);
    this.#controls = new TokenBucket(CONTROL_FRAMES, now);
    this.#suspect = parts.resets.isSuspect(this.#peer, now);
    this.#session = performServerHandshake(socket, sessionOptions);
    this.#session.setLocalWindowSize(CONNECTION_WINDOW_BYTES);
    // What a client does wrong with HTTP/2 ends its connection, and is nobody else's matter.
    this.#session.on('error', () => undefined);
    this.#session.on('remoteSettings', () => this.#onSettings());
    this.#session.on('ping', () => this.#onControl());
    this.#session.on('stream', (stream, headers, flags) => this.#onStream(stream, headers, flags));
    socket.once('close', () => this.#linger?.cancel());
  }

  /** Looks at what takes too long. */
  sweep(now: number): void {
    for (const call of this.#calls) call.sweep(now);
    if (this.#suspect) this.#suspect = this.#parts.resets.isSuspect(this.#peer, now);
    if (this.#state !== 'open') return;
    const { bytesRead } = this.#socket;
    const verdict = this.#watch.look({ now, calls: this.#calls.size, bytesRead });
    if (verdict === 'cut') this.destroy();
    if (verdict === 'end') this.#end();
  }

  /** The receiver stops: calls that are open are answered, then the connection ends. */
  drain(): void {
    this.#end();
    for (const call of this.#calls) call.drain();
  }

  destroy(code: number = constants.NGHTTP2_NO_ERROR): void {
    this.#state = 'cut';
    // A session that was closed before only half-closes its socket then.
    const graceful = this.#session.closed;
    const error = code === constants.NGHTTP2_NO_ERROR ? undefined : new Error('the client sends too much');
    this.#session.destroy(error, code);
    if (graceful) this.#socket.destroy();
  }

  /** GOAWAY: calls that the client began without knowing are not processed, and it is told so. */
  #end(): void {
    if (this.#state !== 'open') return;
    this.#state = 'ending';
    this.#session.close();
    this.#lingerWhenDone();
  }

  #lingerWhenDone(): void {
    if (this.#state !== 'ending' || this.#calls.size > 0 || this.#linger !== undefined) return;
    this.#linger = this.#parts.clock.after(LINGER_MS, () => this.destroy());
  }

  #onSettings(): void {
    this.#watch.settled();
    this.#onControl();
  }

  #onControl(): void {
    this.#watch.heard();
    if (this.#state !== 'cut' && !this.#controls.take(this.#parts.clock.monotonic())) {
      this.destroy(constants.NGHTTP2_ENHANCE_YOUR_CALM);
    }
  }

  #onStream(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, flags: number): void {
    stream.on('error', () => undefined);
    if (this.#state === 'cut') return;
    // Reset before it was looked at: it came with the reset in one piece.
    if (stream.closed || stream.destroyed) {
      this.#onReset();
      return;
    }
    this.#watch.called();
    this.#controls.give(CONTROL_FRAMES_PER_CALL);
    if (this.#suspect && this.#calls.size > 0) {
      stream.close(constants.NGHTTP2_REFUSED_STREAM);
      return;
    }
    const head = callHead(headers, this.#parts.methods);
    if (head.kind === 'foreign') answerHeaders(stream, head.headers);
    else if (head.kind === 'refused') answerStatus(stream, head.status);
    else {
      const call = startCall(this.#parts, {
        ...head,
        stream,
        headers,
        ended: (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0,
        peer: this.#peer,
        stopping: this.#state !== 'open',
        calls: this.#calls,
        onEnded: this.#onEnded,
      });
      if (call !== undefined) this.#calls.add(call);
    }
  }

  #onReset(): void {
    const { clock, resets } = this.#parts;
    if (this.#state !== 'cut' && !resets.spend(this.#peer, clock.monotonic())) {
      this.destroy(constants.NGHTTP2_ENHANCE_YOUR_CALM);
    }
  }
}
