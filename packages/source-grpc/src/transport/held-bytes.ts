const FIRST_BYTES = 64 * 1024;

/**
 * Bytes that arrived while reading is paused, in one buffer however small the pieces were. Bytes that were taken are never
 * overwritten: messages may be views of them.
 */
export class HeldBytes {
  #buffer: Buffer | undefined;
  #start = 0;
  #end = 0;

  get length(): number {
    return this.#end - this.#start;
  }

  append(chunk: Uint8Array): void {
    const room = this.#buffer === undefined ? 0 : this.#buffer.length - this.#end;
    if (chunk.length > room) this.#grow(chunk.length);
    this.#buffer?.set(chunk, this.#end);
    this.#end += chunk.length;
  }

  /** Everything that is held. It stays held until {@link drop}. */
  peek(): Buffer {
    return this.#buffer?.subarray(this.#start, this.#end) ?? Buffer.alloc(0);
  }

  /** The first `count` bytes were read. */
  drop(count: number): void {
    this.#start += count;
    if (this.#start < this.#end) return;
    this.#buffer = undefined;
    this.#start = 0;
    this.#end = 0;
  }

  #grow(more: number): void {
    const held = this.peek();
    const needed = held.length + more;
    this.#buffer = Buffer.allocUnsafeSlow(needed <= FIRST_BYTES ? FIRST_BYTES : 2 * needed);
    this.#buffer.set(held, 0);
    this.#start = 0;
    this.#end = held.length;
  }
}
