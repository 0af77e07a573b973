import { HEAD_BYTES } from './protocol.ts';

const FIRST_BYTES = 4096;

/** Collects frames, so that many answers become one write. */
export class FrameWriter {
  #bytes: Buffer = Buffer.alloc(0);
  #length = 0;

  /** Bytes that wait to be taken. */
  get length(): number {
    return this.#length;
  }

  /** Appends a frame. The payload is copied. */
  frame(
    type: number,
    { flags = 0, streamId = 0 }: { readonly flags?: number; readonly streamId?: number },
    payload: Uint8Array,
  ): void {
    const start = this.#length;
    this.#grow(HEAD_BYTES + payload.length);
    const bytes = this.#bytes;
    bytes.writeUIntBE(payload.length, start, 3);
    bytes[start + 3] = type;
    bytes[start + 4] = flags;
    bytes.writeUInt32BE(streamId, start + 5);
    bytes.set(payload, start + HEAD_BYTES);
  }

  /** All frames so far, which are forgotten. */
  take(): Buffer {
    const taken = this.#bytes.subarray(0, this.#length);
    this.#bytes = Buffer.alloc(0);
    this.#length = 0;
    return taken;
  }

  #grow(more: number): void {
    const length = this.#length + more;
    if (length > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(length, 2 * this.#bytes.length, FIRST_BYTES));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    this.#length = length;
  }
}
