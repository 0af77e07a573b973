import type { Output } from './run.ts';

/** Initial size, without the margin. */
const FIRST_BYTES = 4096;
/** A larger buffer is released once some calls did not need it. */
const KEPT_BYTES = 1024 * 1024;
/** For how many calls. */
const KEPT_CALLS = 4;
/** Views up to this length are made once: making one takes a tenth of the time of a small message. */
const KEPT_VIEW_BYTES = 1024;
/** No larger output is made: JSON that long could not even become a string. */
const MAX_BYTES = 256 * 1024 * 1024;

/** A converter's output, which is used again for each message. */
export class OwnOutput {
  readonly #margin: number;
  #output: Output;
  #views = new Array<Uint8Array | undefined>(KEPT_VIEW_BYTES);
  #idleCalls = 0;

  constructor(margin: number) {
    this.#margin = margin;
    this.#output = outputOf(FIRST_BYTES + margin);
  }

  /** Where to write. */
  get output(): Output {
    return this.#output;
  }

  /** Begins a call for so many bytes of input: what an earlier one needed far more of is let go. */
  begin(input: number): void {
    const { length } = this.#output.bytes;
    if (length > KEPT_BYTES && ++this.#idleCalls > KEPT_CALLS) this.#use(FIRST_BYTES + this.#margin);
    // JSON is seldom more than three times as long; finding out that there is no room costs as much as writing what there is
    if (input * 2 > length) this.reserve(Math.min(input * 3 + this.#margin, MAX_BYTES));
  }

  /** Ends a call that wrote so many bytes, and answers them. */
  end(written: number): Uint8Array {
    if (written < KEPT_VIEW_BYTES) {
      this.#views[written] ??= this.#output.bytes.subarray(0, written);
      return this.#views[written];
    }
    if (written > KEPT_BYTES) this.#idleCalls = 0;
    return this.#output.bytes.subarray(0, written);
  }

  /** Makes room for twice as much; answers false if that would be too much. */
  grow(): boolean {
    const { length } = this.#output.bytes;
    return length < MAX_BYTES && this.reserve(Math.min(length * 2, MAX_BYTES));
  }

  /** Makes room for at least `bytes`. */
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
