import { copyBack } from './copy-back.ts';

/** Header of Java's snappy streams: eight bytes, then two version numbers. */
const STREAM_MAGIC = Buffer.from([0x82, 0x53, 0x4e, 0x41, 0x50, 0x50, 0x59, 0x00]);
const STREAM_HEADER = 16;

/** Unpacks snappy as Kafka's clients write it: Java's stream of blocks, or one raw block. Throws a RangeError for other bytes. */
export function unpackSnappy(packed: Buffer, largest: number): Buffer {
  if (!packed.subarray(0, STREAM_MAGIC.length).equals(STREAM_MAGIC)) return unpackBlock(packed, largest);
  const blocks: Buffer[] = [];
  let total = 0;
  for (let at = STREAM_HEADER; at < packed.length; ) {
    const length = packed.readInt32BE(at);
    at += 4;
    if (length < 0 || length > packed.length - at) throw new RangeError('a snappy block is cut off');
    const block = unpackBlock(packed.subarray(at, at + length), largest - total);
    total += block.length;
    blocks.push(block);
    at += length;
  }
  return Buffer.concat(blocks);
}

/** The format of https://github.com/google/snappy/blob/main/format_description.txt. */
function unpackBlock(packed: Buffer, largest: number): Buffer {
  const [length, start] = readLength(packed);
  if (length > largest) throw new RangeError('a snappy block is too large');
  const out = Buffer.allocUnsafe(length);
  let to = 0;
  for (let at = start; at < packed.length; ) {
    const tag = packed.readUInt8(at);
    at += 1;
    if ((tag & 3) === 0) {
      const extra = Math.max(0, (tag >> 2) - 59);
      const size = 1 + (extra === 0 ? tag >> 2 : packed.readUIntLE(at, extra));
      at += extra;
      if (size > packed.length - at || size > length - to)
        throw new RangeError('a snappy literal is too long');
      packed.copy(out, to, at, at + size);
      at += size;
      to += size;
    } else {
      const [size, distance, used] = readCopy(packed, at, tag);
      at += used;
      if (distance < 1 || distance > to || size > length - to)
        throw new RangeError('a snappy copy is out of range');
      to = copyBack(out, { to, distance, size });
    }
  }
  if (to !== length) throw new RangeError('a snappy block is too short');
  return out;
}

function readLength(packed: Buffer): readonly [length: number, at: number] {
  let length = 0;
  for (let at = 0; at < 5; at += 1) {
    const byte = packed.readUInt8(at);
    length += (byte & 0x7f) * 128 ** at;
    if (byte < 0x80) return [length, at + 1];
  }
  throw new RangeError('a length in the snappy data has too many bytes');
}

function readCopy(
  packed: Buffer,
  at: number,
  tag: number,
): readonly [size: number, distance: number, used: number] {
  if ((tag & 3) === 1) return [4 + ((tag >> 2) & 7), ((tag >> 5) << 8) | packed.readUInt8(at), 1];
  const size = 1 + (tag >> 2);
  return (tag & 3) === 2 ? [size, packed.readUInt16LE(at), 2] : [size, packed.readUInt32LE(at), 4];
}
