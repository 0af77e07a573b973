import type { Clock, Timer } from '@levada/connect-runtime-core';
import { newSlab, SLAB_BYTES } from '@levada/connect-runtime-core/platform';

export interface BufferPoolOptions {
  /** Bytes of each buffer. */
  readonly size: number;
  /** Most unused buffers. */
  readonly keep: number;
  readonly clock: Clock;
}

/** Time without use after which a buffer is let go, in milliseconds; at most twice as long. */
const IDLE_MS = 2000;
/** Buffers in use up to which each is allocated by itself: a producer with little to send is not worth a slab. */
const SINGLE = 8;

/** Buffers of one size, used again and again. Larger ones are made when asked for, and left to the garbage collector. */
export class BufferPool {
  readonly #options: BufferPoolOptions;
  readonly #free: Buffer[] = [];
  /** What further buffers are cut from. */
  #slab: Buffer | undefined;
  #at = 0;
  /** Buffers that were taken and not given back. */
  #out = 0;
  #used = false;
  /** Low-water mark of free buffers since the last check. */
  #least = 0;
  #timer: Timer | undefined;
  #closed = false;

  constructor(options: BufferPoolOptions) {
    this.#options = options;
  }

  /** A buffer of at least so many bytes, on a word boundary of its memory; its content is arbitrary. */
  take(bytes: number): Buffer {
    if (bytes > this.#options.size) return Buffer.allocUnsafeSlow(bytes);
    this.#out += 1;
    const buffer = this.#free.pop();
    this.#least = Math.min(this.#least, this.#free.length);
    return buffer ?? this.#cut();
  }

  /** Gives a buffer back; it must not be used any more. */
  give(buffer: Buffer): void {
    const { size, keep, clock } = this.#options;
    if (buffer.length !== size) return;
    this.#out -= 1;
    this.#used = true;
    if (this.#closed || this.#free.length >= keep) return;
    this.#free.push(buffer);
    this.#timer ??= clock.after(IDLE_MS, () => this.#look());
  }

  /** Lets all memory go that is not in use. */
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
      // Those that a slow feed takes and gives are the last ones.
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
