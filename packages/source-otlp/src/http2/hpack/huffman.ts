/**
 * Length in bits of the code of each byte (RFC 7541, appendix B). The code is canonical: codes of one length follow one another in
 * the order of their bytes, after those that are shorter.
 */
// biome-ignore format: sixteen in a line, as bytes are counted
const lengths: readonly number[] = [
  13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28,
  28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 28,
  6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6,
  5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 8, 15, 6, 12, 10,
  13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
  7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6,
  15, 5, 6, 5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5,
  6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13, 28,
  20, 22, 20, 20, 22, 22, 22, 23, 22, 23, 23, 23, 23, 23, 24, 23,
  24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24,
  22, 21, 20, 22, 22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23,
  21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23,
  26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25,
  19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27, 27,
  20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23,
  26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26,
];

const MAX_LENGTH = 30;
/** Codes up to this length are found at one look. */
const LOOK = 8;

/** Bytes in the order of their codes. */
const ordered: readonly number[] = lengths
  .map((_, byte) => byte)
  .toSorted((a, b) => lengthOf(a) - lengthOf(b) || a - b);

/** By length: the code that follows its last one, and where its last byte ends in {@link ordered}. */
const ends: readonly { readonly code: number; readonly index: number }[] = codeEnds();

/** By the next eight bits: length and byte of the code that they begin with; 0 when it is longer. */
const looked: Uint16Array = lookTable();

/** Decodes a string (RFC 7541, section 5.2), as Latin-1. Undefined when it is broken. */
export function huffmanText(bytes: Buffer): string | undefined {
  const decoded = Buffer.allocUnsafe(Math.floor((bytes.length * 8) / 5));
  let length = 0;
  let bits = 0;
  let count = 0;
  let at = 0;
  for (;;) {
    while (count < LOOK && at < bytes.length) {
      bits = ((bits << 8) | (bytes[at] ?? 0)) & 0xffff;
      count += 8;
      at += 1;
    }
    if (count < LOOK) break;
    const found = looked[(bits >> (count - LOOK)) & 0xff] ?? 0;
    if (found === 0) return decodeBitByBit(bytes, { at: at * 8 - count, decoded, length });
    decoded[length] = found & 0xff;
    length += 1;
    count -= found >> 8;
  }
  return decodeBitByBit(bytes, { at: at * 8 - count, decoded, length });
}

/** Continues bit by bit, from the bit `at`: for long codes, which are rare, and for the last byte with its padding. */
function decodeBitByBit(
  bytes: Buffer,
  { at, decoded, length }: { readonly at: number; readonly decoded: Buffer; readonly length: number },
): string | undefined {
  let end = length;
  let code = 0;
  let size = 0;
  for (let bit = at; bit < bytes.length * 8; bit += 1) {
    code = code * 2 + (((bytes[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1);
    size += 1;
    const byte = byteOf(code, size);
    if (byte !== undefined) {
      decoded[end] = byte;
      end += 1;
      code = 0;
      size = 0;
    } else if (size === MAX_LENGTH) return undefined;
  }
  // Padding is less than a byte of ones.
  return size < 8 && code === 2 ** size - 1 ? decoded.toString('latin1', 0, end) : undefined;
}

function byteOf(code: number, size: number): number | undefined {
  const end = ends[size];
  const before = ends[size - 1];
  if (end === undefined || before === undefined || end.index === before.index || code >= end.code)
    return undefined;
  const index = end.index - (end.code - code);
  return index >= before.index ? ordered[index] : undefined;
}

function lengthOf(byte: number): number {
  return lengths[byte] ?? 0;
}

function codeEnds(): { code: number; index: number }[] {
  const found = [{ code: 0, index: 0 }];
  let code = 0;
  let index = 0;
  for (let size = 1; size <= MAX_LENGTH; size += 1) {
    const count = lengths.filter((length) => length === size).length;
    code = code * 2 + count;
    index += count;
    found.push({ code, index });
  }
  return found;
}

function lookTable(): Uint16Array {
  const table = new Uint16Array(2 ** LOOK);
  for (let bits = 0; bits < table.length; bits += 1) {
    for (let size = 5; size <= LOOK; size += 1) {
      const byte = byteOf(bits >> (LOOK - size), size);
      if (byte === undefined) continue;
      table[bits] = (size << 8) | byte;
      break;
    }
  }
  return table;
}
