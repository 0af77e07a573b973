import type { Socket } from 'node:net';
import type { Timer } from '@levada/connect-runtime-core';
import { ageOfOne } from '../admission/connection-age.ts';
import { wireProtocol } from '../admission/connection-failure.ts';
import { refused } from '../admission/export-outcome.ts';
import { wrongPortMessage } from '../admission/wrong-port.ts';
import { answerStatus } from './answer.ts';
import { callHead } from './call-head.ts';
import { ConnectionWatch } from './connection-watch.ts';
import { errorCode } from './http2/protocol.ts';
import type { RequestHeaders } from './http2/request-headers.ts';
import { ServerSession, type SessionHost } from './http2/server-session.ts';
import type { ServerStream } from './http2/server-stream.ts';
import type { ReceiverParts } from './receiver-parts.ts';
import { startCall } from './start-call.ts';
import { ANSWER_MS, LINGER_MS } from './time-limits.ts';
import { TokenBucket } from './token-bucket.ts';

/** Frames that a client may send beside calls and their data. A call grants more, since some clients measure with pings. */
const RARE_FRAMES = { capacity: 1000, perSecond: 100 } as const;
const RARE_FRAMES_PER_CALL = 4;

/** One connection of a client, from the end of its TLS handshake. */
export class GrpcConnection implements SessionHost {
  readonly #parts: ReceiverParts;
  readonly #socket: Socket;
  readonly #session: ServerSession;
  readonly #peer: string;
  readonly #watch: ConnectionWatch;
  readonly #rareFrames: TokenBucket;
  /** Its address gave up too many calls: one at a time is taken from it. */
  #suspect: boolean;
  /** Monotonic time at which it is too old. */
  readonly #endsAt: number;
  #ending = false;
  #blockedSince: number | undefined;
  #linger: Timer | undefined;

  constructor(socket: Socket, parts: ReceiverParts) {
    const now = parts.clock.monotonic();
    this.#parts = parts;
    this.#socket = socket;
    this.#peer = socket.remoteAddress ?? '';
    this.#watch = new ConnectionWatch(now);
    this.#rareFrames = new TokenBucket(RARE_FRAMES, now);
    this.#endsAt = now + ageOfOne(parts.target.connectionAge);
    this.#suspect = parts.resets.isSuspect(this.#peer, now);
    this.#session = new ServerSession(socket, { host: this, limits: parts.limits });
    socket.once('close', () => this.#linger?.cancel());
  }

  /** Looks at what takes too long. */
  sweep(now: number): void {
    const { streams } = this.#session;
    for (const stream of streams.values()) stream.listener?.sweep(now);
    if (this.#suspect) this.#suspect = this.#parts.resets.isSuspect(this.#peer, now);
    if (now >= this.#endsAt) this.#end();
    if (this.#isStuck(now) || now >= this.#endsAt + (this.#parts.target.connectionAge?.graceMs ?? 0)) {
      this.destroy();
    }
    if (this.#session.isOver) return;
    const { bytesRead } = this.#socket;
    const verdict = this.#watch.look({ now, calls: streams.size, bytesRead });
    if (verdict === 'cut') this.destroy();
    else if (verdict === 'end') this.#end();
  }

  /** The receiver stops: calls that are open are answered, then the connection ends. */
  drain(): void {
    this.#end();
    for (const { listener } of this.#session.streams.values()) listener?.drain();
  }

  destroy(): void {
    this.#session.destroy();
  }

  onForeign(bytes: Buffer): string | undefined {
    const { onConnectionFailure, elsewhere, answerHttp1 } = this.#parts.target;
    const found = wireProtocol(bytes);
    onConnectionFailure({ kind: 'wrong_protocol', peer: this.#peer, found });
    if (found !== 'HTTP/1') return undefined;
    return answerHttp1(refused('invalid', wrongPortMessage('grpc', elsewhere())));
  }

  onRequest(stream: ServerStream, headers: RequestHeaders): void {
    this.#watch.called();
    this.#rareFrames.give(RARE_FRAMES_PER_CALL);
    const { streams } = this.#session;
    if (this.#suspect && streams.size > 1) {
      stream.reset(errorCode.refusedStream);
      return;
    }
    const head = callHead(headers, this.#parts.methods);
    if (head.kind === 'foreign') stream.answerHead(head.head);
    else if (head.kind === 'refused') answerStatus(stream, head.status);
    else {
      const { method, timeoutMs } = head;
      const [peer, stopping] = [this.#peer, this.#ending];
      const opening = { stream, headers, method, timeoutMs, peer, stopping, streams };
      stream.listener = startCall(this.#parts, opening);
    }
  }

  onRareFrame(): boolean {
    this.#watch.heard();
    return this.#rareFrames.take(this.#parts.clock.monotonic());
  }

  onReset(): boolean {
    return this.#parts.resets.spend(this.#peer, this.#parts.clock.monotonic());
  }

  onSettings(): void {
    this.#watch.settled();
  }

  onDone(): void {
    this.#linger = this.#parts.clock.after(LINGER_MS, () => this.destroy());
  }

  #end(): void {
    this.#ending = true;
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
