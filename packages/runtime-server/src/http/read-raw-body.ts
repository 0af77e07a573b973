import type { IncomingMessage } from 'node:http';
import type { Clock } from '@levada/connect-runtime-core';
import { signatureHeaders } from '../rest/call-worker.ts';
import { splitTarget } from '../rest/message/match-path.ts';
import { RestError } from '../rest/message/rest-error.ts';

/** Largest request body, in bytes. */
export const MAX_BODY_BYTES = 1024 * 1024;

/** Largest body of the route for task configurations, when it has a signature: room for those of thousands of tasks. */
const MAX_SIGNED_BODY_BYTES = 16 * 1024 * 1024;

/** Largest body that is read of a request. A signature can be checked only when all of the body is there. */
export function maxBodyBytes({ method, url = '', headers }: IncomingMessage): number {
  const isOfTasks = method === 'POST' && /^\/connectors\/[^/]+\/tasks\/?$/.test(splitTarget(url).path);
  return isOfTasks && signatureHeaders.every((name) => name in headers)
    ? MAX_SIGNED_BODY_BYTES
    : MAX_BODY_BYTES;
}

/** Most bytes, and most milliseconds, of the rest of a refused body that are read: a client that sends more finds its connection broken. */
const REST_BYTES = 16 * 1024 * 1024;
const REST_MS = 5000;

/** The connection cannot be used again: what is left of the body may have no end. */
const closing = { connection: 'close' } as const;

/**
 * The body as it came; `onPart` hears the size of each part. Rejects with 413 as soon as it is known to be larger than {@link maxBodyBytes} allows,
 * with 415 for a compressed one, with 400 when the connection ends before the body does.
 */
export function readRawBody(
  request: IncomingMessage,
  onPart: (bytes: number) => void = () => {},
): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const most = maxBodyBytes(request);
    let size = 0;
    const refuse = (status: number, message: string): void => {
      request.pause();
      for (const [event, listener] of listeners) request.off(event, listener);
      // The request may stay open for as long as the rest of its body is read.
      chunks.length = 0;
      reject(new RestError(status, message, closing));
    };
    const read = (chunk: Buffer): void => {
      size += chunk.length;
      onPart(chunk.length);
      if (size > most) tooLarge();
      else chunks.push(chunk);
    };
    const tooLarge = (): void => refuse(413, `The request body is larger than ${most} bytes`);
    const cut = (): void => refuse(400, 'The request ended before its body was complete');
    const listeners = [
      ['data', read],
      ['end', () => resolve(Buffer.concat(chunks))],
      ['error', cut],
      ['close', cut],
    ] as const;
    if ((request.headers['content-encoding'] ?? 'identity') !== 'identity') {
      return refuse(415, 'Content-Encoding is not supported, send the body as it is');
    }
    if (Number(request.headers['content-length'] ?? 0) > most) return tooLarge();
    for (const [event, listener] of listeners) request.on(event, listener);
  });
}

/**
 * Reads what is left of a body that was refused, and throws it away: closing a connection with unread bytes resets it, and a client that
 * sends all before it reads would see a broken pipe in place of the answer. Resolves at the end of the body, or when it is too long.
 */
export function discardBody(request: IncomingMessage, clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    let left = REST_BYTES;
    const timer = clock.after(REST_MS, () => over());
    const over = (): void => {
      timer.cancel();
      request.pause();
      resolve();
    };
    request.on('data', (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) over();
    });
    request.once('end', over);
    request.once('close', over);
    request.resume();
  });
}
