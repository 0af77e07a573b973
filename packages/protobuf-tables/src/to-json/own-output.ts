import type { Output } from './run.ts';

/** Initial size, without the margin. */
const FIRST_BYTES = 4096;
/** A larger buffer is released after some calls that did not need it. */
const KEPT_BYTES = 1024 * 1024;
/** Number of these calls. */
const KEPT_CALLS = 4;
/** Views up to this length are cached: making one takes a tenth of the time of a small message. */
const KEPT_VIEW_BYTES = 1024;
/** Maximum size. Longer JSON could not become a string. */
const MAX_BYTES = 256 * 1024 * 1024;

/** A converter's output, reused for each message. */
export class OwnOutput {
  readonly #margin: number;
  #output: Output;
  #views = new Array<Uint8Array | undefined>(KEPT_VIEW_BYTES);
  #idleCalls = 0;

  constructor(margin: number) {
    this.#margin = margin;
    this.#output = outputOf(FIRST_BYTES + margin);
  }

  get output(): Output {
    return this.#output;
  }

  /** Starts a call for an input of this size. Releases memory that is far larger than needed. */
  begin(input: number): void {
    const { length } = this.#output.bytes;
    if (length > KEPT_BYTES && ++this.#idleCalls > KEPT_CALLS) this.#use(FIRST_BYTES + this.#margin);
    // JSON is seldom more than three times as long as its input, and running out of room costs as much as the output so far
    if (input * 2 > length) this.reserve(Math.min(input * 3 + this.#margin, MAX_BYTES));
  }

  /** Ends a call that wrote this number of bytes, and returns them. */
  end(written: number): Uint8Array {
    if (written < KEPT_VIEW_BYTES) {
      this.#views[written] ??= this.#output.bytes.subarray(0, written);
      return this.#views[written];
    }
    if (written > KEPT_BYTES) this.#idleCalls = 0;
    return this.#output.bytes.subarray(0, written);
  }

  /** Doubles the room. Returns false if that would exceed the maximum. */
  grow(): boolean {
    const { length } = this.#output.bytes;
    return length < MAX_BYTES && this.reserve(Math.min(length * 2, MAX_BYTES));
  }

  /** Makes room for at least `bytes`. Returns false if that would exceed the maximum. */
  reserve(bytes: number): boolean {
    if (bytes > MAX_BYTES) return false;
    if (bytes > this.#output.bytes.length) {
      this.#use(bytes);
      this.#idleCalls = 0;
    }
    return true;
  }

  #use(bytes: number): void {
    this.#output = outputOf(bytes);
    this.#views = new Array(KEPT_VIEW_BYTES);
  }
}

/** An output over the caller's memory. */
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
