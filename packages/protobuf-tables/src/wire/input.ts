import { PADDING, type Reader } from './reader.ts';

const FIRST_BYTES = 4096;
/** Inputs up to this size are copied to memory that is kept. */
const KEPT_BYTES = 256 * 1024;

/** A reader without an input. */
export function createReader(maxDepth: number): Reader {
  return {
    ...inputOf(FIRST_BYTES),
    length: 0,
    pos: 0,
    high: 0,
    maxDepth,
    at: -1,
    reason: '',
    groupEnds: new Int32Array(0),
    knowsGroups: false,
  };
}

/**
 * Sets the input. Copying is cheaper than a view of each input, does not keep the caller's memory alive, and always gives the
 * engine the same kind of array.
 */
export function setInput(reader: Reader, wire: Uint8Array): void {
  const { length } = wire;
  if (length + PADDING > reader.src.length) {
    const room = length > KEPT_BYTES ? length : Math.min(length * 2, KEPT_BYTES);
    const { src, from } = inputOf(room);
    reader.src = src;
    reader.from = from;
  }
  reader.src.set(wire);
  // A varint that is cut off ends in the padding
  reader.src.fill(0, length, length + PADDING);
  reader.length = length;
  reader.at = -1;
  reader.knowsGroups = false;
}

/** Releases a large input and other large memory. */
export function releaseInput(reader: Reader): void {
  if (reader.groupEnds.length > KEPT_BYTES) reader.groupEnds = new Int32Array(0);
  if (reader.src.length <= KEPT_BYTES + PADDING) return;
  const { src, from } = inputOf(FIRST_BYTES);
  reader.src = src;
  reader.from = from;
}

function inputOf(bytes: number): Pick<Reader, 'src' | 'from'> {
  const src = Buffer.allocUnsafeSlow(bytes + PADDING);
  return { src, from: new DataView(src.buffer, src.byteOffset, src.length) };
}
