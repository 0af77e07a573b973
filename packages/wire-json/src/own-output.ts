import type { Output } from './interpreter/convert.ts';

/** The first size, besides the margin. */
const FIRST_BYTES = 4096;
/** More than this is let go once it was not needed for some calls. */
const KEPT_BYTES = 1024 * 1024;
/** For how many calls. */
const KEPT_CALLS = 4;
/** No larger output is made: JSON that long could not even become a string. */
const MAX_BYTES = 256 * 1024 * 1024;

/** A converter's output, which is used again for each message. */
export class OwnOutput {
  readonly #margin: number;
  #output: Output;
  #idleCalls = 0;

  constructor(margin: number) {
    this.#margin = margin;
    this.#output = outputOf(FIRST_BYTES + margin);
  }

  /** Where to write. */
  get output(): Output {
    return this.#output;
  }

  /** Begins a call: what an earlier one needed far more of is let go. */
  begin(): void {
    if (this.#output.bytes.length <= KEPT_BYTES) return;
    if (++this.#idleCalls > KEPT_CALLS) this.#output = outputOf(FIRST_BYTES + this.#margin);
  }

  /** Ends a call that wrote so many bytes. */
  end(written: number): void {
    if (written > KEPT_BYTES) this.#idleCalls = 0;
  }

  /** Makes room for twice as much; answers false if that would be too much. */
  grow(): boolean {
    return this.reserve(this.#output.bytes.length * 2);
  }

  /** Makes room for at least `bytes`. */
  reserve(bytes: number): boolean {
    if (bytes > MAX_BYTES) return false;
    if (bytes > this.#output.bytes.length) {
      this.#output = outputOf(bytes);
      this.#idleCalls = 0;
    }
    return true;
  }
}

/** A view of the caller's memory. */
export function outputOver(bytes: Uint8Array): Output {
  const { buffer, byteOffset, length } = bytes;
  return {
    bytes: Buffer.from(buffer as ArrayBuffer, byteOffset, length),
    view: new DataView(buffer, byteOffset, length),
  };
}

function outputOf(length: number): Output {
  return outputOver(Buffer.allocUnsafeSlow(length));
}
