import { crc32 } from 'node:zlib';
import { ConnectorError } from '@levada/connect-runtime-core';

/**
 * The head of each file, little-endian: eight letters, the version of the format, the mark of the file, and the
 * CRC-32 of all that.
 */
export const SEGMENT_HEAD = 20;
const MAGIC = 'lvspool\n';
const VERSION = 1;

/** What a file's name says: place of the first entry, and the mark before each entry. */
export interface SegmentName {
  readonly first: number;
  readonly mark: number;
}

/** A part of a file in which no entry can be read. */
export interface Hole {
  readonly from: number;
  readonly to: number;
  /** Number of the entry after it. */
  readonly next: number;
  /** Entries that were in it. */
  readonly lost: number;
}

/** One file of a spool. */
export interface Segment extends SegmentName {
  readonly path: string;
  /** Bytes on disk. */
  size: number;
  /** Offset after the last durable entry. */
  end: number;
  /** Place after the last durable entry. */
  next: number;
  /** Damaged parts before `end`, in order. */
  holes: readonly Hole[];
}

/** Name of a file; in the order of the places when sorted. The mark is here, too, since a name survives what a head may not. */
export function segmentFileName({ first, mark }: SegmentName): string {
  return `${String(first).padStart(16, '0')}-${mark.toString(16).padStart(8, '0')}.spool`;
}

/** What a name says; undefined for other files. */
export function parseSegmentFileName(name: string): SegmentName | undefined {
  const match = /^(\d{16})-([0-9a-f]{8})\.spool$/.exec(name);
  if (match === null) return undefined;
  const first = Number(match[1]);
  return Number.isSafeInteger(first) ? { first, mark: Number.parseInt(match[2] as string, 16) } : undefined;
}

/** The first bytes of a file. */
export function segmentHead(mark: number): Buffer {
  return headOf(VERSION, mark);
}

/** Throws `unsupported` for a sound head of another version. A damaged head is accepted: the frames are validated one by one. */
export function checkSegmentHead(content: Buffer, path: string): void {
  if (content.length < SEGMENT_HEAD || content.toString('latin1', 0, 8) !== MAGIC) return;
  const version = content.readUInt32LE(8);
  if (
    version === VERSION ||
    !content.subarray(0, SEGMENT_HEAD).equals(headOf(version, content.readUInt32LE(12)))
  ) {
    return;
  }
  throw new ConnectorError(
    'unsupported',
    `file "${path}" is written in version ${version} of the format, expected ${VERSION}: use the release that wrote it until the spool is empty`,
  );
}

function headOf(version: number, mark: number): Buffer {
  const head = Buffer.alloc(SEGMENT_HEAD);
  head.write(MAGIC, 'latin1');
  head.writeUInt32LE(version, 8);
  head.writeUInt32LE(mark, 12);
  head.writeUInt32LE(crc32(head.subarray(0, 16)), 16);
  return head;
}
