import { newSlab, SLAB_BYTES } from '../../platform/new-slab.ts';
import type { HeldBytes } from './release-chunk.ts';

/** Room for values that wait long. */
export class Slabs {
  /** Held weakly: a slab is there for as long as one of the values in it. */
  #slab: WeakRef<ArrayBufferLike> | undefined;
  #at = 0;

  /** Copies the values of items out of whatever they are part of. Values that fit into no slab stay where they are. */
  move(items: readonly HeldBytes[]): void {
    let bytes = 0;
    for (const { value } of items) bytes += value.length;
    if (bytes > SLAB_BYTES) return;
    const slab = this.#withRoom(bytes);
    for (const item of items) {
      const copy = new Uint8Array(slab, this.#at, item.value.length);
      copy.set(item.value);
      this.#at += copy.length;
      item.value = copy;
    }
  }

  #withRoom(bytes: number): ArrayBufferLike {
    const present = this.#slab?.deref();
    if (present !== undefined && this.#at + bytes <= SLAB_BYTES) return present;
    const { buffer } = newSlab();
    this.#slab = new WeakRef(buffer);
    this.#at = 0;
    return buffer;
  }
}
