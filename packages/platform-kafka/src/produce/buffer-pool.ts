/** Buffers of one size, used again and again. Larger ones are made when asked for, and left to the garbage collector. */
export class BufferPool {
  readonly #size: number;
  readonly #keep: number;
  readonly #free: Buffer[] = [];

  /** Keeps at most `keep` unused buffers of `size` bytes. */
  constructor(size: number, keep: number) {
    this.#size = size;
    this.#keep = keep;
  }

  /** A buffer of at least so many bytes, that begins at the first byte of its memory; its content is arbitrary. */
  take(bytes: number): Buffer {
    if (bytes > this.#size) return Buffer.allocUnsafeSlow(bytes);
    return this.#free.pop() ?? Buffer.allocUnsafeSlow(this.#size);
  }

  /** Gives a buffer back; nobody may use it any more. */
  give(buffer: Buffer): void {
    if (buffer.length === this.#size && this.#free.length < this.#keep) this.#free.push(buffer);
  }
}
