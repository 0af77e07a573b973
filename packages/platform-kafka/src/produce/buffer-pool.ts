import type { Clock, Timer } from '@levada/connect-runtime-core';
import { newSlab, SLAB_BYTES } from '@levada/connect-runtime-core/platform';

export interface BufferPoolOptions {
  /** Bytes of each buffer. */
  readonly size: number;
  /** Maximum number of unused buffers. */
  readonly keep: number;
  readonly clock: Clock;
}

/** Time without use after which a buffer is released, in milliseconds; at most twice as long. */
const IDLE_MS = 2000;
/** Up to this number of used buffers, each is allocated separately: a producer with few records does not need a slab. */
const SINGLE = 8;

/** Reusable buffers of one size. Larger ones are allocated on demand and left to the garbage collector. */
export class BufferPool {
  readonly #options: BufferPoolOptions;
  readonly #free: Buffer[] = [];
  /** Memory for further buffers. */
  #slab: Buffer | undefined;
  #at = 0;
  /** Number of buffers in use. */
  #out = 0;
  #used = false;
  /** Low-water mark of free buffers since the last check. */
  #least = 0;
  #timer: Timer | undefined;
  #closed = false;

  constructor(options: BufferPoolOptions) {
    this.#options = options;
  }

  /** A buffer of at least this size, on a word boundary of its memory. Its content is arbitrary. */
  take(bytes: number): Buffer {
    if (bytes > this.#options.size) return Buffer.allocUnsafeSlow(bytes);
    this.#out += 1;
    const buffer = this.#free.pop();
    this.#least = Math.min(this.#least, this.#free.length);
    return buffer ?? this.#cut();
  }

  /** Returns a buffer, which must not be used afterwards. */
  give(buffer: Buffer): void {
    const { size, keep, clock } = this.#options;
    if (buffer.length !== size) return;
    this.#out -= 1;
    this.#used = true;
    if (this.#closed || this.#free.length >= keep) return;
    this.#free.push(buffer);
    this.#timer ??= clock.after(IDLE_MS, () => this.#look());
  }

  /** Releases all unused memory. */
  close(): void {
    this.#closed = true;
    this.#timer?.cancel();
    this.#letGo();
  }

  #look(): void {
    const idle = !this.#used && this.#out === 0;
    this.#used = false;
    this.#timer = idle ? undefined : this.#options.clock.after(IDLE_MS, () => this.#look());
    if (idle) this.#letGo();
    else if (this.#least > 0) {
      // A slow feed takes and returns the last ones
      this.#free.splice(0, this.#least);
      this.#slab = undefined;
    }
    this.#least = this.#free.length;
  }

  #letGo(): void {
    this.#free.length = 0;
    this.#slab = undefined;
  }

  #cut(): Buffer {
    const { size } = this.#options;
    if (this.#out <= SINGLE || size > SLAB_BYTES) return Buffer.allocUnsafeSlow(size);
    if (this.#slab === undefined || this.#at + size > SLAB_BYTES) {
      this.#slab = newSlab();
      this.#at = 0;
    }
    const buffer = this.#slab.subarray(this.#at, this.#at + size);
    this.#at += Math.ceil(size / 8) * 8;
    return buffer;
  }
}
