import type { Socket } from 'node:net';
import type { Clock, Timer } from '@levada/connect-runtime-core';
import { statusCodes } from '@levada/grpc-wire';
import {
  HEADERS_MS,
  headerBlock,
  type RequestHeaders,
  ServerSession,
  type ServerStream,
  type SessionHost,
  usualLimits,
} from '@levada/http2-server';
import { answerStatus } from './answer.ts';
import { callHeaders, isGrpc } from './call-head.ts';

/** The answer to a connection that uses HTTP/2 where another protocol is expected. */
export interface Http2Answering {
  /** What was read of it, from the preface on. */
  readonly read: Buffer;
  readonly message: string;
  readonly clock: Clock;
}

/** Frames that such a client may send in addition to one request: far more than the settings and pings that come with one. */
const MAX_FRAMES = 100;

/**
 * Answers the first request on a connection with a message in its own protocol, as gRPC or as plain HTTP/2, and ends it; at the
 * latest after the time that headers may take. Whatever else reads the socket must have been taken off it.
 */
export function answerHttp2(socket: Socket, { read, message, clock }: Http2Answering): void {
  const host = new WrongPortHost(message);
  host.session = new ServerSession(socket, {
    host,
    limits: { ...usualLimits, keptHeaders: callHeaders, includedHeaders: new Set() },
  });
  const timer: Timer = clock.after(HEADERS_MS, () => socket.destroy());
  socket.once('close', () => timer.cancel());
  socket.unshift(read);
}

class WrongPortHost implements SessionHost {
  session: ServerSession | undefined;
  readonly #message: string;
  #frames = 0;

  constructor(message: string) {
    this.#message = message;
  }

  onRequest(stream: ServerStream, { kept }: RequestHeaders): void {
    if (isGrpc(kept.get('content-type'))) {
      answerStatus(stream, { code: statusCodes.UNIMPLEMENTED, message: this.#message, retry: false });
    } else {
      stream.begin(headerBlock({ ':status': '400', 'content-type': 'text/plain; charset=utf-8' }));
      stream.send(Buffer.from(`${this.#message}\n`));
      stream.end(headerBlock({}));
    }
    this.session?.end();
  }

  onRareFrame(): boolean {
    this.#frames += 1;
    return this.#frames <= MAX_FRAMES;
  }

  onReset(): boolean {
    return this.onRareFrame();
  }

  onForeign(): undefined {}

  onSettings(): void {}

  onDone(): void {}
}
