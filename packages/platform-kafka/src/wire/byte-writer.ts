const FIRST_SIZE = 256;

/** Writes consecutive Kafka primitives into a growing buffer. A number out of range is a RangeError. */
export class ByteWriter {
  #bytes = Buffer.allocUnsafe(FIRST_SIZE);
  #at = 0;

  /** The bytes written so far: a view, valid until the next write. */
  get written(): Buffer {
    return this.#bytes.subarray(0, this.#at);
  }

  int8(value: number): void {
    const at = this.#take(1);
    this.#bytes.writeInt8(value, at);
  }

  int16(value: number): void {
    const at = this.#take(2);
    this.#bytes.writeInt16BE(value, at);
  }

  uint16(value: number): void {
    const at = this.#take(2);
    this.#bytes.writeUInt16BE(value, at);
  }

  int32(value: number): void {
    const at = this.#take(4);
    this.#bytes.writeInt32BE(value, at);
  }

  uint32(value: number): void {
    const at = this.#take(4);
    this.#bytes.writeUInt32BE(value, at);
  }

  int64(value: bigint): void {
    const at = this.#take(8);
    this.#bytes.writeBigInt64BE(value, at);
  }

  float64(value: number): void {
    const at = this.#take(8);
    this.#bytes.writeDoubleBE(value, at);
  }

  /** Seven bits per byte, the lowest first; up to 32 bits. */
  unsignedVarint(value: number): void {
    let left = value;
    for (; left > 0x7f; left >>>= 7) this.#byte((left & 0x7f) | 0x80);
    this.#byte(left);
  }

  /** UTF-8 after its length in two bytes; null: length -1. */
  text(text: string | null): void {
    const encoded = text === null ? undefined : Buffer.from(text);
    this.int16(encoded?.length ?? -1);
    if (encoded !== undefined) this.bytes(encoded);
  }

  bytes(bytes: Uint8Array): void {
    const at = this.#take(bytes.length);
    this.#bytes.set(bytes, at);
  }

  /** Writes the number of following bytes into the first four, which were reserved for it. */
  setLength(): void {
    this.#bytes.writeInt32BE(this.#at - 4, 0);
  }

  #byte(value: number): void {
    const at = this.#take(1);
    this.#bytes[at] = value;
  }

  /** Makes room and returns its start. Call it before reading `#bytes`, which it may replace. */
  #take(length: number): number {
    const from = this.#at;
    const needed = from + length;
    if (needed > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, 2 * this.#bytes.length));
      this.#bytes.copy(larger, 0, 0, from);
      this.#bytes = larger;
    }
    this.#at = needed;
    return from;
  }
}
