import type { Socket } from 'node:net';
import type { Clock, Timer } from '@levada/connect-runtime-core';
import { statusCodes } from '@levada/grpc-wire';
import { HEADERS_MS } from '../../http2/guard/connection-watch.ts';
import { ResetBudgets } from '../../http2/guard/reset-budgets.ts';
import { type ConnectionHandler, ServerConnection } from '../../http2/guard/server-connection.ts';
import { headerBlock } from '../../http2/hpack/header-block.ts';
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
 * Answers the first request on a connection with a message in its own protocol, as gRPC or as plain HTTP/2, and ends it; at the
 * latest after the time that headers may take. Whatever else reads the socket must have been taken off it.
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

function wrongPortHandler(message: string): ConnectionHandler {
  return {
    onForeign: () => undefined,
    onRequest: (stream, { kept }, connection) => {
      if (isGrpc(kept.get('content-type'))) {
        answerStatus(stream, { code: statusCodes.UNIMPLEMENTED, message, retry: false });
      } else {
        stream.begin(headerBlock({ ':status': '400', 'content-type': 'text/plain; charset=utf-8' }));
        stream.send(Buffer.from(`${message}\n`));
        stream.end(headerBlock({}));
      }
      connection.drain();
    },
  };
}
