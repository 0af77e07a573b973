import { copyBack } from './copy-back.ts';

const MAGIC = 0x184d2204;
const BLOCK_CHECKSUM = 0x10;
const CONTENT_SIZE = 0x08;
const CONTENT_CHECKSUM = 0x04;
const DICTIONARY = 0x01;
const UNCOMPRESSED = 0x80000000;

/**
 * Unpacks LZ4 frames (https://github.com/lz4/lz4/blob/dev/doc/lz4_Frame_format.md), the form of LZ4 in Kafka's clients. Does not
 * verify checksums, because the record batch has one. Throws a RangeError for invalid frames.
 */
export function unpackLz4(packed: Buffer, largest: number): Buffer {
  if (packed.readUInt32LE(0) !== MAGIC) throw new RangeError('the data is not an LZ4 frame');
  const flags = packed.readUInt8(4);
  if ((flags & DICTIONARY) !== 0) throw new RangeError('an LZ4 frame with a dictionary');
  let at = 7 + ((flags & CONTENT_SIZE) === 0 ? 0 : 8);
  const out = new Growing(largest);
  for (;;) {
    const header = packed.readUInt32LE(at);
    at += 4;
    if (header === 0) break;
    const length = header % UNCOMPRESSED;
    if (length > packed.length - at) throw new RangeError('an LZ4 block is cut off');
    const block = packed.subarray(at, at + length);
    if (header >= UNCOMPRESSED) out.append(block, 0, length);
    else unpackBlock(block, out);
    at += length + ((flags & BLOCK_CHECKSUM) === 0 ? 0 : 4);
  }
  if ((flags & CONTENT_CHECKSUM) !== 0 && packed.length - at < 4)
    throw new RangeError('an LZ4 frame is cut off');
  return out.bytes();
}

/** A sequence is a token, literals, and a copy of earlier output; the last one has no copy. */
function unpackBlock(block: Buffer, out: Growing): void {
  let at = 0;
  const longer = (nibble: number): number => {
    let length = nibble;
    for (let byte = nibble === 15 ? 255 : 0; byte === 255; at += 1) {
      byte = block.readUInt8(at);
      length += byte;
    }
    return length;
  };
  while (at < block.length) {
    const token = block.readUInt8(at);
    at += 1;
    const literals = longer(token >> 4);
    if (literals > block.length - at) throw new RangeError('an LZ4 literal is too long');
    out.append(block, at, literals);
    at += literals;
    if (at >= block.length) return;
    const distance = block.readUInt16LE(at);
    at += 2;
    out.repeat(distance, longer(token & 15) + 4);
  }
}

/** Output of unknown size. Copies may reach back over blocks. */
class Growing {
  readonly #largest: number;
  #buffer: Buffer = Buffer.allocUnsafe(64 * 1024);
  #length = 0;

  constructor(largest: number) {
    this.#largest = largest;
  }

  append(from: Buffer, at: number, length: number): void {
    this.#grow(length);
    from.copy(this.#buffer, this.#length, at, at + length);
    this.#length += length;
  }

  repeat(distance: number, size: number): void {
    if (distance < 1 || distance > this.#length) throw new RangeError('an LZ4 copy is out of range');
    this.#grow(size);
    this.#length = copyBack(this.#buffer, { to: this.#length, distance, size });
  }

  bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  #grow(more: number): void {
    const needed = this.#length + more;
    if (needed > this.#largest) throw new RangeError('an LZ4 frame is too large');
    if (needed <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.min(this.#largest, Math.max(needed, this.#buffer.length * 2)));
    this.#buffer.copy(larger, 0, 0, this.#length);
    this.#buffer = larger;
  }
}
