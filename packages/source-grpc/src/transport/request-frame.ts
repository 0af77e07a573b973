import { gzipSync } from 'node:zlib';

const PREFIX_BYTES = 5;

/** A message with its prefix: one byte that says whether it is compressed, four with its length. */
export function requestFrame(message: Uint8Array, compression: 'identity' | 'gzip'): Buffer {
  const payload = compression === 'gzip' ? gzipSync(message) : message;
  const frame = Buffer.allocUnsafe(PREFIX_BYTES + payload.length);
  frame[0] = compression === 'gzip' ? 1 : 0;
  frame.writeUInt32BE(payload.length, 1);
  frame.set(payload, PREFIX_BYTES);
  return frame;
}
