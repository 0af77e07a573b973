import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '@levada/connect-runtime-core';

/** A server that is to be closed, and how long that may take. */
export interface ClosingServer {
  readonly server: Server;
  readonly sockets: ReadonlySet<Socket>;
  readonly clock: Clock;
  readonly graceMs: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Stops listening, and waits for requests to be answered, for `graceMs` or until the signal is aborted; then cuts what is left.
 * Node ends connections that wait for a further request by itself.
 */
export async function closeHttpServer({
  server,
  sockets,
  clock,
  graceMs,
  signal,
}: ClosingServer): Promise<void> {
  const gone = Array.from(
    sockets,
    (socket) => new Promise<void>((resolve) => void socket.once('close', () => resolve())),
  );
  const stopped = new Promise<void>((resolve) => {
    const cut = (): void => {
      for (const socket of sockets) socket.destroy();
    };
    const timer = clock.after(graceMs, cut);
    signal?.addEventListener('abort', cut, { once: true });
    server.close(() => {
      timer.cancel();
      signal?.removeEventListener('abort', cut);
      resolve();
    });
    for (const socket of sockets) {
      // Node takes a connection on which nothing has arrived for one whose first request arrives.
      if (socket.bytesRead === 0) socket.destroy();
    }
    if (signal?.aborted === true || graceMs <= 0) cut();
  });
  await Promise.all([stopped, ...gone]);
}
