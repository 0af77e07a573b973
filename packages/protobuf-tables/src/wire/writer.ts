// Writing the wire. What is written ends at `q`; that there is room is the caller's business.

/** An output and how far it is written. */
export interface Writer {
  out: Buffer;
  /** The same memory. */
  view: DataView;
  q: number;
}

/** Thrown when the output is too small: what is read is to be read again with a larger one. */
export const NO_ROOM = new Error('output too small');

/** Memory to write to. */
export function outputOf(bytes: number): Pick<Writer, 'out' | 'view'> {
  const out = Buffer.allocUnsafeSlow(bytes);
  return { out, view: new DataView(out.buffer, out.byteOffset, out.length) };
}

/** Writes an integer of 32 bits without sign. */
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

/** How many bytes a length has. */
export function varintBytes(length: number): number {
  if (length < 128) return 1;
  return length < 16_384 ? 2 : length < 2_097_152 ? 3 : length < 268_435_456 ? 4 : 5;
}

/** Leaves so many bytes for the length of what follows, which is not known yet, and answers where. */
export function open(writer: Writer, room: number): number {
  const at = writer.q;
  writer.out[at] = room;
  writer.q = at + room;
  return at;
}

/**
 * Writes the length of what was written since `open` answered `at`, and answers how many bytes it has. What was written is
 * moved if that is another number than was left: a good guess is the length of the one before.
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
