/** Initial size of the buffer. */
const FIRST_SIZE = 1024;
/** A larger buffer is not kept for the next record. */
const LARGEST_KEPT = 1024 * 1024;

/** Collects the bytes of consecutive records in a reusable buffer. */
export class ByteSink {
  #buffer = Buffer.allocUnsafe(FIRST_SIZE);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Starts another record. */
  clear(): void {
    this.#length = 0;
    if (this.#buffer.length > LARGEST_KEPT) this.#buffer = Buffer.allocUnsafe(FIRST_SIZE);
  }

  /** A copy of the bytes so far. */
  copy(): Uint8Array {
    return Buffer.from(this.#buffer.subarray(0, this.#length));
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#buffer[this.#length++] = value;
  }

  bytes(value: Uint8Array): void {
    this.#reserve(value.length);
    this.#buffer.set(value, this.#length);
    this.#length += value.length;
  }

  /** Writes text as UTF-8, after a prefix that `length` writes from its size in bytes. */
  text(value: string | Uint8Array, length: (size: number) => void): void {
    if (typeof value !== 'string') {
      length(value.length);
      this.bytes(value);
      return;
    }
    const size = Buffer.byteLength(value);
    length(size);
    this.#reserve(size);
    this.#length += this.#buffer.write(value, this.#length);
  }

  /** Writes the output of `write` with its size in bytes as prefix. */
  writeDelimited(write: () => void): void {
    const start = this.#length;
    // One byte suffices for most sizes; otherwise the output moves
    this.byte(0);
    write();
    const end = this.#length;
    const size = end - start - 1;
    let sizeBytes = 1;
    for (let rest = size; rest > 0x7f; rest = Math.floor(rest / 128)) sizeBytes += 1;
    if (sizeBytes > 1) {
      this.#reserve(sizeBytes - 1);
      this.#buffer.copyWithin(start + sizeBytes, start + 1, end);
    }
    this.#length = start;
    this.varint(size);
    this.#length = end + sizeBytes - 1;
  }

  float(value: number): void {
    this.#reserve(4);
    this.#buffer.writeFloatLE(value, this.#length);
    this.#length += 4;
  }

  double(value: number): void {
    this.#reserve(8);
    this.#buffer.writeDoubleLE(value, this.#length);
    this.#length += 8;
  }

  /** Writes an unsigned integer, seven bits per byte, the lowest first. */
  varint(value: bigint | number): void {
    let rest = typeof value === 'number' && value <= 0x7fff_ffff ? value : BigInt(value);
    if (typeof rest === 'number') {
      for (; rest > 0x7f; rest >>>= 7) this.byte((rest & 0x7f) | 0x80);
      this.byte(rest);
      return;
    }
    for (; rest > 0x7fn; rest >>= 7n) this.byte(Number(rest & 0x7fn) | 0x80);
    this.byte(Number(rest));
  }

  /** Writes a signed integer in zigzag form, as Avro and Kafka do. */
  zigzag(value: bigint | number): void {
    if (typeof value === 'number' && value >= -0x3fff_ffff && value <= 0x3fff_ffff) {
      this.varint(value >= 0 ? value * 2 : -value * 2 - 1);
      return;
    }
    const whole = BigInt(value);
    this.varint(whole >= 0n ? whole * 2n : -whole * 2n - 1n);
  }

  #reserve(size: number): void {
    const needed = this.#length + size;
    if (needed <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, this.#buffer.length * 2));
    this.#buffer.copy(larger, 0, 0, this.#length);
    this.#buffer = larger;
  }
}
