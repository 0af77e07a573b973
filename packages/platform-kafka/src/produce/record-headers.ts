import type { LogHeader } from '@levada/connect-runtime-core/platform';
import { lengthWidth, writeVarint, zigzag } from './varint.ts';

const none: Uint8Array = Uint8Array.of(0);

/** Headers as they stand at the end of a record. */
export function encodeHeaders(headers: readonly LogHeader[]): Uint8Array {
  if (headers.length === 0) return none;
  const parts = headers.map(({ key, value }) => ({ key: Buffer.from(key), value }));
  const size = parts.reduce((sum, { key, value }) => {
    return sum + field(key.length) + (value === null ? 1 : field(value.length));
  }, lengthWidth(headers.length));
  const buffer = new Uint8Array(size);
  let at = writeVarint(buffer, 0, zigzag(headers.length));
  for (const { key, value } of parts) {
    at = writeBytes(buffer, at, key);
    at = value === null ? writeVarint(buffer, at, zigzag(-1)) : writeBytes(buffer, at, value);
  }
  return buffer;
}

function field(length: number): number {
  return lengthWidth(length) + length;
}

function writeBytes(buffer: Uint8Array, at: number, bytes: Uint8Array): number {
  const start = writeVarint(buffer, at, zigzag(bytes.length));
  buffer.set(bytes, start);
  return start + bytes.length;
}
