import { crc32 } from 'node:zlib';

/**
 * The head of each entry in a file, little-endian: the mark of the file, by which frames are found again after damage and
 * distinguished from what clients send; the CRC-32 of all that follows; the length, whose highest bit marks the last entry of an append;
 * and the entry's number in the file.
 */
export const FRAME_HEAD = 16;
const CHECKSUM = 4;
const LENGTH = 8;
const NUMBER = 12;
const LAST = 0x8000_0000;

/** Most bytes of one entry, since its length has 31 bits. */
export const LONGEST_ENTRY = 0x7fff_ffff;

/** One entry as it is in a file, or in a piece of one. */
export interface Frame {
  readonly number: number;
  /** Whether the entry is the last one of its append. */
  readonly last: boolean;
  /** Where the entry's bytes begin and end. */
  readonly start: number;
  readonly end: number;
}

/** What a frame is written for. */
export interface FrameSource {
  readonly mark: number;
  readonly number: number;
  readonly last: boolean;
  readonly bytes: Uint8Array;
}

/** Writes the 16 bytes before an entry. `head` has exactly that size. */
export function writeFrameHead(head: Buffer, { mark, number, last, bytes }: FrameSource): void {
  head.writeUInt32LE(mark, 0);
  head.writeUInt32LE((bytes.length | (last ? LAST : 0)) >>> 0, LENGTH);
  head.writeUInt32LE(number, NUMBER);
  head.writeUInt32LE(crc32(bytes, crc32(head.subarray(LENGTH))), CHECKSUM);
}

/** End of the frame that begins at `offset`, as its head has it; undefined when the head is not whole. */
export function frameEnd(content: Buffer, offset: number): number | undefined {
  if (offset + FRAME_HEAD > content.length) return undefined;
  return offset + FRAME_HEAD + (content.readUInt32LE(offset + LENGTH) & LONGEST_ENTRY);
}

/** The frame that begins at `offset`; undefined when it is not whole or not right. */
export function frameAt(content: Buffer, offset: number, mark: number): Frame | undefined {
  const end = frameEnd(content, offset);
  if (end === undefined || end > content.length || content.readUInt32LE(offset) !== mark) return undefined;
  const sum = crc32(content.subarray(offset + LENGTH, end));
  if (sum !== content.readUInt32LE(offset + CHECKSUM)) return undefined;
  const last = content.readUInt32LE(offset + LENGTH) >= LAST;
  return { number: content.readUInt32LE(offset + NUMBER), last, start: offset + FRAME_HEAD, end };
}

/** Bytes of these entries in a file. */
export function framedBytes(entries: readonly Uint8Array[]): number {
  let bytes = 0;
  for (const entry of entries) bytes += FRAME_HEAD + entry.length;
  return bytes;
}
