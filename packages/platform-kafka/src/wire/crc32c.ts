import { createPieceChecksum, PIECE_BYTES } from './crc32c-lanes.ts';

/** Sixteen tables of 256 entries: a step takes four words. Reflected polynomial of CRC-32C (Castagnoli). */
const tables = makeTables();
const pieceChecksum = createPieceChecksum(tables);

function makeTables(): Int32Array {
  const made = new Int32Array(16 * 256);
  for (let n = 0; n < 256; n++) {
    let crc = n;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
    made[n] = crc;
  }
  for (let n = 256; n < made.length; n++) {
    const before = made[n - 256] as number;
    made[n] = (before >>> 8) ^ (made[before & 255] as number);
  }
  return made;
}

/** Bytes, and the same bytes as 32-bit words. */
export interface WordView {
  readonly bytes: Uint8Array;
  readonly words: Int32Array;
}

/** Views of a buffer that starts on a word boundary of its memory. Words are little-endian, as on all machines that Node supports. */
export function wordView(bytes: Uint8Array): WordView {
  return { bytes, words: new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >>> 2) };
}

/** CRC-32C (RFC 3720, appendix B.4) of `from` to `to` (exclusive), as an unsigned number. */
export function crc32c({ bytes, words }: WordView, from: number, to: number): number {
  const t = tables;
  let crc = -1;
  let at = from;
  if (pieceChecksum !== undefined) {
    for (; to - at >= PIECE_BYTES; at += PIECE_BYTES)
      crc = pieceChecksum(crc, bytes.subarray(at, at + PIECE_BYTES));
  }
  while (at < to && (at & 3) !== 0) crc = step(crc, bytes[at++] as number);
  const end = at + ((to - at) & ~15);
  for (let w = at >>> 2, stop = end >>> 2; w < stop; w += 4) {
    const a = (words[w] as number) ^ crc;
    const b = words[w + 1] as number;
    const c = words[w + 2] as number;
    const d = words[w + 3] as number;
    crc =
      (t[3840 | (a & 255)] as number) ^
      (t[3584 | ((a >>> 8) & 255)] as number) ^
      (t[3328 | ((a >>> 16) & 255)] as number) ^
      (t[3072 | (a >>> 24)] as number) ^
      (t[2816 | (b & 255)] as number) ^
      (t[2560 | ((b >>> 8) & 255)] as number) ^
      (t[2304 | ((b >>> 16) & 255)] as number) ^
      (t[2048 | (b >>> 24)] as number) ^
      (t[1792 | (c & 255)] as number) ^
      (t[1536 | ((c >>> 8) & 255)] as number) ^
      (t[1280 | ((c >>> 16) & 255)] as number) ^
      (t[1024 | (c >>> 24)] as number) ^
      (t[768 | (d & 255)] as number) ^
      (t[512 | ((d >>> 8) & 255)] as number) ^
      (t[256 | ((d >>> 16) & 255)] as number) ^
      (t[d >>> 24] as number);
  }
  for (at = end; at < to; at++) crc = step(crc, bytes[at] as number);
  return ~crc >>> 0;
}

function step(crc: number, byte: number): number {
  return (crc >>> 8) ^ (tables[(crc ^ byte) & 255] as number);
}
