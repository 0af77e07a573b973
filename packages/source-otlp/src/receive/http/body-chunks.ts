/** Chunks of at least this size are kept as they are; smaller ones are copied together. */
const KEPT_BYTES = 4096;
const JOINED_BYTES = 16 * 1024;

/**
 * The chunks of a body as they arrive. Without copying for the usual body, which is one chunk; and without keeping an object per
 * chunk for a client that sends each byte in a separate chunk, which would take a hundred times the body's size.
 */
export class BodyChunks {
  #whole: Uint8Array[] = [];
  #joined: Uint8Array | undefined;
  #filled = 0;
  #length = 0;

  /** Bytes so far. */
  get length(): number {
    return this.#length;
  }

  add(chunk: Uint8Array): void {
    const first = this.#length === 0;
    this.#length += chunk.length;
    if (first || chunk.length >= KEPT_BYTES) {
      this.#endJoined();
      this.#whole.push(chunk);
    } else {
      this.#join(chunk);
    }
  }

  /** The body; afterwards there are no chunks. */
  take(): Uint8Array {
    this.#endJoined();
    const [first] = this.#whole;
    const body = this.#whole.length === 1 && first !== undefined ? first : Buffer.concat(this.#whole);
    this.clear();
    return body;
  }

  clear(): void {
    this.#whole = [];
    this.#joined = undefined;
    this.#filled = 0;
    this.#length = 0;
  }

  #join(chunk: Uint8Array): void {
    if (this.#joined !== undefined && this.#filled + chunk.length > this.#joined.length) this.#endJoined();
    this.#joined ??= Buffer.allocUnsafeSlow(JOINED_BYTES);
    this.#joined.set(chunk, this.#filled);
    this.#filled += chunk.length;
  }

  #endJoined(): void {
    if (this.#joined === undefined) return;
    this.#whole.push(this.#joined.subarray(0, this.#filled));
    this.#joined = undefined;
    this.#filled = 0;
  }
}
