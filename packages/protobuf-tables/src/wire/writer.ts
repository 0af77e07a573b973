// Writes the wire format. Output ends at `q`. The caller makes sure that there is room.

/** An output and the writing position. */
export interface Writer {
  out: Buffer;
  /** A view of the same memory. */
  view: DataView;
  q: number;
}

/** Thrown if the output is too small. The input must be read again with a larger one. */
export const NO_ROOM = new Error('output too small');

export function outputOf(bytes: number): Pick<Writer, 'out' | 'view'> {
  const out = Buffer.allocUnsafeSlow(bytes);
  return { out, view: new DataView(out.buffer, out.byteOffset, out.length) };
}

/** Writes an unsigned 32-bit integer. */
export function putVarint32(writer: Pick<Writer, 'out' | 'q'>, value: number): void {
  const { out } = writer;
  let { q } = writer;
  while (value > 127 || value < 0) {
    out[q++] = (value & 127) | 128;
    value >>>= 7;
  }
  out[q] = value;
  writer.q = q + 1;
}

/** Writes an integer of 64 bits. */
export function putVarint64(writer: Writer, low: number, high: number): void {
  const { out } = writer;
  let { q } = writer;
  while (high !== 0) {
    out[q++] = (low & 127) | 128;
    low = (low >>> 7) | (high << 25);
    high >>>= 7;
  }
  writer.q = q;
  putVarint32(writer, low);
}

/** Size of a length in bytes. */
export function varintBytes(length: number): number {
  if (length < 128) return 1;
  return length < 16_384 ? 2 : length < 2_097_152 ? 3 : length < 268_435_456 ? 4 : 5;
}

/** Reserves bytes for the length of the following output, and returns their position. */
export function open(writer: Writer, room: number): number {
  const at = writer.q;
  writer.out[at] = room;
  writer.q = at + room;
  return at;
}

/**
 * Writes the length of the output since `open` returned `at`, and returns the size of that length. Moves the output if another
 * size was reserved; the size of the previous length is a good guess.
 */
export function close(writer: Writer, at: number): number {
  const { out, q } = writer;
  const room = out[at] as number;
  const size = q - at - room;
  if (size < 128 && room === 1) {
    out[at] = size;
    return 1;
  }
  const bytes = varintBytes(size);
  if (bytes !== room) out.copyWithin(at + bytes, at + room, q);
  writer.q = at;
  putVarint32(writer, size);
  writer.q = at + bytes + size;
  return bytes;
}
