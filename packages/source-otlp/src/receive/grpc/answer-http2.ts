import type { Socket } from 'node:net';
import type { Clock, Timer } from '@levada/connect-runtime-core';
import { statusCodes } from '@levada/grpc-wire';
import { HEADERS_MS } from '../../http2/guard/connection-watch.ts';
import { ResetBudgets } from '../../http2/guard/reset-budgets.ts';
import { type ConnectionHandler, ServerConnection } from '../../http2/guard/server-connection.ts';
import { headerBlock } from '../../http2/hpack/header-block.ts';
import type { Http2Stream, StreamListener } from '../../http2/session/server-stream.ts';
import { usualLimits } from '../../http2/session/settings.ts';
import { answerStatus } from './answer.ts';
import { callHeaders, isGrpc } from './call-head.ts';

/** The answer to a connection that uses HTTP/2 where another protocol is expected. */
export interface Http2Answering {
  /** What was read of it, from the preface on. */
  readonly read: Buffer;
  readonly message: string;
  readonly clock: Clock;
}

/**
 * Answers the first request on a connection with a message in its own protocol, as gRPC or as plain HTTP/2, and ends it. What has
 * not arrived within the time that headers may take is cut. Whatever else reads the socket must have been taken off it.
 */
export function answerHttp2(socket: Socket, { read, message, clock }: Http2Answering): void {
  // Its age ends it: nothing looks at it meanwhile.
  new ServerConnection(socket, {
    handler: wrongPortHandler(message),
    limits: { ...usualLimits, keptHeaders: callHeaders, includedHeaders: new Set() },
    resets: new ResetBudgets(),
    clock,
    maxAgeMs: Number.POSITIVE_INFINITY,
    graceMs: 0,
  });
  const timer: Timer = clock.after(HEADERS_MS, () => socket.destroy());
  socket.once('close', () => timer.cancel());
  socket.unshift(read);
}

/** So much of a body is read before its client is answered all the same. */
const MAX_BODY_BYTES = 1024 * 1024;

function wrongPortHandler(message: string): ConnectionHandler {
  return {
    onForeign: () => undefined,
    onRequest: (stream, { kept }, connection) => {
      const isCall = isGrpc(kept.get('content-type'));
      const answer = (): void => {
        if (isCall) answerStatus(stream, { code: statusCodes.UNIMPLEMENTED, message, retry: false });
        else answerText(stream, message);
        connection.drain();
      };
      if (isCall) answer();
      else stream.listener = new AnswerAtEnd(answer);
    },
  };
}

/**
 * Answers when the whole request has arrived. gRPC clients expect an answer earlier; curl (7.88) takes one that comes with RST_STREAM
 * and GOAWAY while it still sends for a broken transfer, and shows nothing of it.
 */
class AnswerAtEnd implements StreamListener {
  readonly #answer: () => void;
  #received = 0;

  constructor(answer: () => void) {
    this.#answer = answer;
  }

  onBytes(chunk: Buffer): void {
    this.#received += chunk.length;
    if (this.#received > MAX_BODY_BYTES) this.#answer();
  }

  onEnd(): void {
    this.#answer();
  }

  onClosed(): void {}

  sweep(): void {}

  drain(): void {}
}

function answerText(stream: Http2Stream, message: string): void {
  stream.begin(headerBlock({ ':status': '400', 'content-type': 'text/plain; charset=utf-8' }));
  stream.send(Buffer.from(`${message}\n`));
  stream.end(headerBlock({}));
}
