import type { IncomingMessage } from 'node:http';
import { RestError } from '../rest/message/rest-error.ts';

/** Largest request body, in bytes. */
export const MAX_BODY_BYTES = 1024 * 1024;

/** The connection cannot be used again, because what is left of the body is not read. */
const closing = { connection: 'close' } as const;

/**
 * The body as it came; `onPart` hears the size of each part. Rejects with 413 as soon as it is known to be larger than {@link MAX_BODY_BYTES}, with 415 for a
 * compressed one, with 400 when the connection ends before the body does.
 */
export function readRawBody(
  request: IncomingMessage,
  onPart: (bytes: number) => void = () => {},
): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const refuse = (status: number, message: string): void => {
      request.pause();
      reject(new RestError(status, message, closing));
    };
    const tooLarge = (): void => refuse(413, `The request body is larger than ${MAX_BODY_BYTES} bytes`);
    if ((request.headers['content-encoding'] ?? 'identity') !== 'identity') {
      return refuse(415, 'Content-Encoding is not supported, send the body as it is');
    }
    if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) return tooLarge();
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      onPart(chunk.length);
      if (size > MAX_BODY_BYTES) tooLarge();
      else chunks.push(chunk);
    });
    request.on('end', () => resolve(Buffer.concat(chunks)));
    const cut = (): void => refuse(400, 'The request ended before its body was complete');
    request.on('error', cut);
    request.on('close', cut);
  });
}
