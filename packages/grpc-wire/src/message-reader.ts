import { PREFIX_BYTES } from './framing.ts';

/** Receives the messages of a call and decides about each. Every method may halt or stop the reader. */
export interface MessageSink {
  /**
   * Uncompressed messages up to this length that are complete in one chunk go directly to `onMessage`, without `onPrefix` and
   * `onHeld`. Negative: none.
   */
  readonly viewBytes: number;
  /** Minimum allocation for a message in pieces, unless it is shorter. Its announced length is trusted up to here. */
  readonly firstBytes: number;
  /** Allocates separate memory for a message in pieces, so that it is freed with the message. Default: Node's pool. */
  readonly ownMemory?: boolean;
  /** Called at the start of a message with its first byte (1: compressed, 0: not) and its announced length. False skips the message. */
  onPrefix(flag: number, length: number): boolean;
  /** Called with the memory held for the message. False stops the reader. */
  onHeld(bytes: number): boolean;
  /** Receives an uncompressed message. Its bytes do not change afterwards; they may be a view of a larger chunk. */
  onMessage(payload: Buffer): void;
  /** Receives a message whose flag is not 0, still compressed. */
  onCompressed(payload: Buffer): void;
}

/**
 * Splits the bytes of a call into length-prefixed messages. A message in one chunk is passed on as a view. A message in several
 * chunks is copied once, into memory of at most twice the bytes received, or `firstBytes`.
 */
export class MessageReader {
  /** No messages are passed on while this is true; {@link read} returns after the current one. */
  halted = false;
  readonly #sink: MessageSink;
  readonly #prefix = Buffer.alloc(PREFIX_BYTES);
  #prefixLength = 0;
  /** Undefined between messages. */
  #body: Buffer | undefined;
  #bodyLength = 0;
  #flag = 0;
  #need = 0;
  #skip = 0;

  constructor(sink: MessageSink) {
    this.#sink = sink;
  }

  /** Whether a message has begun and not ended. */
  get partial(): boolean {
    return this.#prefixLength > 0 || this.#body !== undefined || this.#skip > 0;
  }

  /** Halts permanently and drops an unfinished message. */
  stop(): void {
    this.halted = true;
    this.#body = undefined;
    this.#prefixLength = 0;
    this.#skip = 0;
  }

  /** Reads a chunk, which must not change later. Returns the number of bytes read: all of them, unless halted. */
  read(chunk: Buffer): number {
    let at = this.partial && !this.halted ? this.#continue(chunk) : 0;
    const sink = this.#sink;
    const { viewBytes } = sink;
    // The path of nearly all messages: only views
    while (!this.halted && at + PREFIX_BYTES <= chunk.length) {
      const start = at + PREFIX_BYTES;
      const length = lengthAt(chunk, at);
      const end = start + length;
      if (chunk[at] === 0 && length <= viewBytes && end <= chunk.length) {
        sink.onMessage(chunk.subarray(start, end));
        at = end;
      } else {
        at = this.#begin(chunk[at] ?? 0, length, chunk, start);
      }
    }
    if (this.halted || at >= chunk.length) return at;
    this.#prefixLength = chunk.copy(this.#prefix, 0, at);
    return chunk.length;
  }

  /** Starts a message whose payload is at `start`. Returns where reading continues. */
  #begin(flag: number, length: number, chunk: Buffer, start: number): number {
    this.#skip = length; // the message is refused; stop() resets this
    if (!this.#sink.onPrefix(flag, length)) return this.#skipIn(chunk, start);
    this.#skip = 0;
    const end = start + length;
    if (end <= chunk.length) {
      if (this.#sink.onHeld(length)) this.#deliver(flag, chunk.subarray(start, end));
      else this.stop();
      return end;
    }
    this.#flag = flag;
    this.#need = length;
    this.#bodyLength = 0;
    this.#body = empty;
    return this.#fill(empty, chunk, start);
  }

  /** Continues a message of an earlier chunk. Returns where reading continues. */
  #continue(chunk: Buffer): number {
    if (this.#skip > 0) return this.#skipIn(chunk, 0);
    if (this.#body !== undefined) return this.#fill(this.#body, chunk, 0);
    const taken = chunk.copy(this.#prefix, this.#prefixLength, 0, PREFIX_BYTES - this.#prefixLength);
    this.#prefixLength += taken;
    if (this.#prefixLength < PREFIX_BYTES) return taken;
    this.#prefixLength = 0;
    return this.#begin(this.#prefix[0] ?? 0, lengthAt(this.#prefix, 0), chunk, taken);
  }

  #skipIn(chunk: Buffer, at: number): number {
    const skipped = Math.min(this.#skip, chunk.length - at);
    this.#skip -= skipped;
    return at + skipped;
  }

  #fill(held: Buffer, chunk: Buffer, at: number): number {
    const taken = Math.min(this.#need - this.#bodyLength, chunk.length - at);
    const body = this.#roomFor(held, taken);
    if (body === undefined) return chunk.length;
    chunk.copy(body, this.#bodyLength, at, at + taken);
    this.#bodyLength += taken;
    if (this.#bodyLength === this.#need) {
      this.#body = undefined;
      this.#deliver(this.#flag, body);
    }
    return at + taken;
  }

  /** Undefined if the sink does not grant the memory. */
  #roomFor(held: Buffer, more: number): Buffer | undefined {
    const length = this.#bodyLength + more;
    if (length <= held.length) return held;
    const bytes = Math.min(this.#need, Math.max(2 * length, this.#sink.firstBytes));
    if (!this.#sink.onHeld(bytes)) {
      this.stop();
      return undefined;
    }
    const larger = this.#sink.ownMemory === true ? Buffer.allocUnsafeSlow(bytes) : Buffer.allocUnsafe(bytes);
    held.copy(larger, 0, 0, this.#bodyLength);
    this.#body = larger;
    return larger;
  }

  #deliver(flag: number, payload: Buffer): void {
    if (flag === 0) this.#sink.onMessage(payload);
    else this.#sink.onCompressed(payload);
  }
}

const empty: Buffer = Buffer.alloc(0);

function lengthAt(chunk: Buffer, at: number): number {
  return (
    (chunk[at + 1] ?? 0) * 0x1000000 +
    (((chunk[at + 2] ?? 0) << 16) | ((chunk[at + 3] ?? 0) << 8) | (chunk[at + 4] ?? 0))
  );
}
