import type { Socket } from 'node:net';
import { HEAD_BYTES } from './protocol.ts';

const FIRST_BYTES = 4096;

/** Writes frames to a socket, those of one turn at once. */
export class FrameWriter {
  readonly #socket: Socket;
  #bytes: Buffer = Buffer.alloc(0);
  #length = 0;
  /** A flush will come: at the end of the turn, or of a chunk that is read. */
  #held = false;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** Bytes that the network has not taken yet. */
  get unwrittenBytes(): number {
    return this.#length + this.#socket.writableLength;
  }

  /** Appends a frame, which is sent with the next flush. The payload is copied. */
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
    if (this.#held) return;
    this.#held = true;
    process.nextTick(() => this.flush());
  }

  /** Nothing is sent until {@link flush}, which the caller owes. */
  hold(): void {
    this.#held = true;
  }

  /** Sends all frames so far. A client that does not read is not read from, either: so nothing piles up for it. */
  flush(): void {
    this.#held = false;
    if (this.#length === 0 || !this.#socket.writable) return;
    const taken = this.#bytes.subarray(0, this.#length);
    this.#bytes = Buffer.alloc(0);
    this.#length = 0;
    if (!this.#socket.write(taken)) this.#socket.pause();
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
