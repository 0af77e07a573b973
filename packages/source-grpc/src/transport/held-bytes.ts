/** Room of the first block, which is all that a short pause takes. */
const FIRST_BYTES = 64 * 1024;
const BLOCK_BYTES = 256 * 1024;

/**
 * Bytes that arrived while reading is paused, in blocks, however small the pieces were. Bytes that were taken are never
 * overwritten: messages may be views of them. Blocks are filled to the end, so that what waits in one keeps little else in memory.
 */
export class HeldBytes {
  /** In order; the last one is being filled. */
  readonly #blocks: Buffer[] = [];
  /** Where the first byte is, in the first block. */
  #start = 0;
  /** After the last byte, in the last block. */
  #end = 0;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  append(chunk: Uint8Array): void {
    this.#length += chunk.length;
    for (let at = 0; at < chunk.length; ) {
      const block = this.#blockWithRoom();
      const count = Math.min(chunk.length - at, block.length - this.#end);
      // A view of each frame would cost more than its copy.
      block.set(count === chunk.length ? chunk : chunk.subarray(at, at + count), this.#end);
      this.#end += count;
      at += count;
    }
  }

  /** The first bytes that are held: those of one block. They stay held until {@link drop}. */
  peek(): Buffer {
    const [first = empty] = this.#blocks;
    return first.subarray(this.#start, this.#blocks.length > 1 ? first.length : this.#end);
  }

  /** The first `count` bytes, which are among those of {@link peek}, were read. What was cleared meanwhile stays so. */
  drop(count: number): void {
    if (count >= this.#length) {
      this.clear();
      return;
    }
    this.#start += count;
    this.#length -= count;
    if (this.#start < (this.#blocks[0]?.length ?? 0)) return;
    this.#blocks.shift();
    this.#start = 0;
  }

  /** Nothing of it is wanted. */
  clear(): void {
    this.#blocks.length = 0;
    this.#start = 0;
    this.#end = 0;
    this.#length = 0;
  }

  #blockWithRoom(): Buffer {
    const last = this.#blocks.at(-1);
    if (last !== undefined && this.#end < last.length) return last;
    const block = Buffer.allocUnsafeSlow(last === undefined ? FIRST_BYTES : BLOCK_BYTES);
    this.#blocks.push(block);
    this.#end = 0;
    return block;
  }
}

const empty: Buffer = Buffer.alloc(0);
