/** Cuts a stream of bytes into Kafka's frames: four bytes of length, then as many bytes. */
export class FrameReader {
  #rest: Buffer = Buffer.alloc(0);

  /** Adds bytes; calls back with each whole frame, its length included. */
  push(bytes: Buffer, onFrame: (frame: Buffer) => void): void {
    let buffer = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    while (buffer.length >= 4 && buffer.length >= 4 + buffer.readInt32BE(0)) {
      const end = 4 + buffer.readInt32BE(0);
      onFrame(buffer.subarray(0, end));
      buffer = buffer.subarray(end);
    }
    this.#rest = buffer;
  }
}
