import { gunzipSync, inflateSync } from 'node:zlib';
import type { GrpcStatus } from '../model/grpc-status.ts';
import { localStatus } from './local-status.ts';

/** What became of a compressed message. */
export type Decompressed =
  | { readonly kind: 'message'; readonly bytes: Buffer }
  | { readonly kind: 'oversized' }
  | { readonly kind: 'broken'; readonly status: GrpcStatus };

/** What this side reads beside `identity`, as `grpc-accept-encoding` tells it. */
const decoders: ReadonlyMap<string, typeof gunzipSync> = new Map([
  ['gzip', gunzipSync],
  ['deflate', inflateSync],
]);

/** Decompresses one message with `grpc-encoding`, and stops at the limit: a bomb costs no more than a message. */
export function decompress(payload: Buffer, encoding: string, maxMessageBytes: number): Decompressed {
  const decode = decoders.get(encoding);
  if (decode === undefined) return { kind: 'broken', status: noDecoder(encoding) };
  try {
    const options = { maxOutputLength: maxMessageBytes, chunkSize: chunkBytes(payload.length) };
    return { kind: 'message', bytes: decode(payload, options) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return { kind: 'oversized' };
    const status = localStatus('INTERNAL', `message is no ${encoding}: ${(error as Error).message}`, error);
    return { kind: 'broken', status };
  }
}

/** A buffer that suits the message: Node's 16 KiB cost more than a third of the time of a small one. */
function chunkBytes(payloadBytes: number): number {
  return Math.min(Math.max(4 * payloadBytes, 1024), 64 * 1024);
}

function noDecoder(encoding: string): GrpcStatus {
  if (encoding === 'identity' || encoding === '') {
    return localStatus(
      'INTERNAL',
      'message is flagged as compressed, but grpc-encoding names no compression',
    );
  }
  const shown = encoding.slice(0, 64);
  return localStatus('UNIMPLEMENTED', `message is compressed with "${shown}", expected "gzip" or "deflate"`);
}
