/** Default room of a block. */
const BLOCK_BYTES = 256 * 1024;
/** Room of the smallest block, where blocks do not come back and a batch may be small. */
const SMALLEST_BYTES = 1024;
/** Blocks kept for later batches. */
const MAX_SPARE = 8;

const none = new ArrayBuffer(0);

/** Writes something into `output` from `at` on; answers the position after it, or -1 when it does not fit. */
export type Write = (output: Uint8Array, at: number) => number;

/**
 * Memory for the values of records. Blocks are written one message after the other, and used again once the batch that
 * lies in them is settled; batches that are never reported as settled are left to the garbage collector.
 */
export class OutputArena {
  readonly #blockBytes: number;
  readonly #spare: Buffer[] = [];
  #block: Buffer | undefined;
  /** That of the block, which has it to itself. */
  #memory: ArrayBufferLike = none;
  #at = 0;
  /** Blocks of the batch under way. */
  #used: Buffer[] = [];
  /** Whether blocks come back, so that a whole one is worth its making. */
  #recycles = false;

  /** A value that needs more than `blockBytes` fits into no block. Default 256 KiB. */
  constructor(blockBytes: number = BLOCK_BYTES) {
    this.#blockBytes = blockBytes;
  }

  /**
   * What `write` wrote, as a view; undefined when it fits into no block. `expected` bytes are a guess, for the size of a first
   * block.
   */
  write(write: Write, expected: number): Uint8Array | undefined {
    const present = this.#block;
    if (present !== undefined) {
      const value = this.#written(write, present, this.#at);
      if (value !== undefined) return value;
    }
    const room = this.#recycles
      ? this.#blockBytes
      : Math.min(this.#blockBytes, Math.max(SMALLEST_BYTES, expected));
    const value = this.#written(write, this.#begin(room), 0);
    return value === undefined && room < this.#blockBytes
      ? this.#written(write, this.#begin(this.#blockBytes), 0)
      : value;
  }

  /** Ends a batch: its blocks are not used until they are given back. */
  take(): readonly Uint8Array[] {
    const used = this.#used;
    this.#used = [];
    this.#block = undefined;
    this.#at = 0;
    return used;
  }

  /** Takes back the blocks of a batch that is no longer looked at. */
  giveBack(blocks: readonly Uint8Array[]): void {
    this.#recycles = true;
    for (const block of blocks) {
      if (block.length === this.#blockBytes && this.#spare.length < MAX_SPARE)
        this.#spare.push(block as Buffer);
    }
  }

  /** `block` is the present one. */
  #written(write: Write, block: Buffer, at: number): Uint8Array | undefined {
    const end = write(block, at);
    if (end === -1) return undefined;
    this.#at = end;
    // Takes half the time of `subarray`.
    return new Uint8Array(this.#memory, at, end - at);
  }

  /** A block that nothing is in. */
  #begin(room: number): Buffer {
    if (this.#block !== undefined && this.#at === 0) this.#used.pop();
    const block = this.#spare.pop() ?? Buffer.allocUnsafeSlow(room);
    this.#block = block;
    this.#memory = block.buffer;
    this.#at = 0;
    this.#used.push(block);
    return block;
  }
}
