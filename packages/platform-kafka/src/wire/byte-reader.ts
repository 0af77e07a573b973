/** Reads consecutive Kafka primitives. Throws a RangeError at the end of the bytes. */
export class ByteReader {
  readonly #bytes: Buffer;
  #at: number;

  constructor(bytes: Buffer, at = 0) {
    this.#bytes = bytes;
    this.#at = at;
  }

  get left(): number {
    return this.#bytes.length - this.#at;
  }

  skip(length: number): void {
    this.#take(length);
  }

  int8(): number {
    return this.#bytes.readInt8(this.#take(1));
  }

  int16(): number {
    return this.#bytes.readInt16BE(this.#take(2));
  }

  uint16(): number {
    return this.#bytes.readUInt16BE(this.#take(2));
  }

  int32(): number {
    return this.#bytes.readInt32BE(this.#take(4));
  }

  uint32(): number {
    return this.#bytes.readUInt32BE(this.#take(4));
  }

  /** For offsets and times, which stay far below 2^53. */
  int64(): number {
    return Number(this.#bytes.readBigInt64BE(this.#take(8)));
  }

  bigint64(): bigint {
    return this.#bytes.readBigInt64BE(this.#take(8));
  }

  float64(): number {
    return this.#bytes.readDoubleBE(this.#take(8));
  }

  /** Zigzag, as in protocol buffers; up to 53 bits. */
  varint(): number {
    const value = this.unsignedVarint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  /** Seven bits per byte, the lowest first; up to 53 bits. */
  unsignedVarint(): number {
    let value = 0;
    let scale = 1;
    for (let length = 0; length < 10; length += 1) {
      const byte = this.#bytes.readUInt8(this.#take(1));
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 128;
    }
    throw new RangeError('a number is longer than ten bytes');
  }

  /** A view; null for a negative length. */
  bytes(length: number): Buffer | null {
    if (length < 0) return null;
    const from = this.#take(length);
    return this.#bytes.subarray(from, from + length);
  }

  text(): string | null {
    return this.bytes(this.int16())?.toString() ?? null;
  }

  /** An array: its length, then its items. A null array is read as an empty one. */
  list<T>(read: () => T): T[] {
    const items: T[] = [];
    for (let left = this.int32(); left > 0; left -= 1) items.push(read());
    return items;
  }

  #take(length: number): number {
    const from = this.#at;
    if (length < 0 || length > this.left)
      throw new RangeError(`expected ${length} more bytes, found ${this.left}`);
    this.#at += length;
    return from;
  }
}
