/** A number in two bytes, the highest first. */
export function uint16(value: number): Buffer {
  return Buffer.of(value >> 8, value & 0xff);
}

/** A number in four bytes, the highest first. */
export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
