import { PREFIX_BYTES } from './framing.ts';

/** Receives the messages of a call, and decides about each. Every method may halt or stop the reader. */
export interface MessageSink {
  /**
   * Uncompressed messages of at most this length that lie whole in one chunk go to `onMessage` at once, without `onPrefix` and
   * `onHeld`. Negative: none do.
   */
  readonly viewBytes: number;
  /** The least that is allocated for a message that comes in pieces, unless it is shorter: so far its announced length is trusted. */
  readonly firstBytes: number;
  /** A message that comes in pieces gets memory that nothing else is in, so that it can be freed with it. Default: that of Node's pool. */
  readonly ownMemory?: boolean;
  /** A message begins: its first byte (1: compressed, 0: not) and its announced length. False: its bytes are skipped. */
  onPrefix(flag: number, length: number): boolean;
  /** This much memory is held for the message. False stops the reader. */
  onHeld(bytes: number): boolean;
  /** An uncompressed message. The bytes are not written to again; they may be a view of a larger chunk. */
  onMessage(payload: Buffer): void;
  /** A message whose flag is not 0, as it was sent. */
  onCompressed(payload: Buffer): void;
}

/**
 * Cuts length-prefixed messages out of the bytes of a call. A message that lies in one chunk is handed out as a view of it; one
 * that is split is copied once, into memory that is never more than twice what arrived, or `firstBytes`.
 */
export class MessageReader {
  /** Nothing more is handed out while this is true; {@link read} returns after the message at hand. */
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

  /** Halts permanently: what was read of an unfinished message is forgotten. */
  stop(): void {
    this.halted = true;
    this.#body = undefined;
    this.#prefixLength = 0;
    this.#skip = 0;
  }

  /** Reads a chunk, which must not change later; returns how many of its bytes were read: all of them, unless halted. */
  read(chunk: Buffer): number {
    let at = this.partial && !this.halted ? this.#continue(chunk) : 0;
    const sink = this.#sink;
    const { viewBytes } = sink;
    // The path of nearly all messages of a stream: nothing but views.
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

  /** A message begins whose payload is at `start`. Returns where reading continues. */
  #begin(flag: number, length: number, chunk: Buffer, start: number): number {
    this.#skip = length; // of one that is not wanted; stop() forgets it
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

  /** Completes what an earlier chunk began. Returns where reading continues. */
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

  /** Undefined when the sink grants no more memory. */
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
