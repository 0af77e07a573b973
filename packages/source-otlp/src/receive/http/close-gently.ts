import type { Clock } from '@levada/connect-runtime-core';
import { type HttpConnection, leave, type Underway } from './http-connection.ts';

/** A client that still sends is given this much, and this long, to see the last answer before its connection is cut. */
const LINGER_BYTES = 1024 * 1024;
const LINGER_MS = 2000;

/**
 * Closes the sending side of a connection whose last answer is written, and waits for the client to close the other. Cut while
 * bytes are unread it would be reset, and a reset discards answers that the client has not read (RFC 9112, 9.6).
 */
export function closeGently(connection: HttpConnection, clock: Clock): void {
  const { socket } = connection;
  connection.ending = true;
  connection.readLimit = socket.bytesRead + LINGER_BYTES;
  socket.end();
  const timer = clock.after(LINGER_MS, () => {
    leave(connection, lingering);
    socket.destroy();
  });
  const lingering: Underway = { state: 'answered', abandon: () => timer.cancel(), fail: () => {} };
  connection.underway.push(lingering);
}
