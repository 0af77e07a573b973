import { PREFIX_BYTES } from './framed.ts';

/** What a reader asks and tells. Once it was told false, it reads nothing more. */
export interface MessageSink {
  /** A message begins: its first byte (1: compressed, 0: not), and how long it is said to be. */
  onPrefix(flag: number, length: number): boolean;
  /** This much memory is held for the message. */
  onHeld(bytes: number): boolean;
  /** The message, as it was sent. The bytes are not written to again. */
  onMessage(payload: Buffer): boolean;
}

/** The least that is allocated for a message that comes in pieces, unless it is smaller. Its announced length is not trusted. */
const FIRST_BYTES = 4096;

/** Cuts length-prefixed messages out of the bytes of a call. */
export class MessageReader {
  readonly #sink: MessageSink;
  readonly #prefix = Buffer.alloc(PREFIX_BYTES);
  #prefixLength = 0;
  /** Undefined between messages. */
  #body: Buffer | undefined;
  #bodyLength = 0;
  #need = 0;
  #stopped = false;

  constructor(sink: MessageSink) {
    this.#sink = sink;
  }

  /** Whether a message has begun and not ended. */
  get partial(): boolean {
    return this.#prefixLength > 0 || this.#body !== undefined;
  }

  /** Nothing more is read, and what was read is forgotten. */
  stop(): void {
    this.#stopped = true;
    this.#body = undefined;
  }

  read(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length && !this.#stopped) {
      at = this.#body === undefined ? this.#readPrefix(chunk, at) : this.#readBody(this.#body, chunk, at);
    }
  }

  #readPrefix(chunk: Buffer, at: number): number {
    if (this.#prefixLength === 0 && at + PREFIX_BYTES <= chunk.length) {
      return this.#begin(chunk, at + PREFIX_BYTES, {
        flag: chunk[at] ?? 0,
        length: chunk.readUInt32BE(at + 1),
      });
    }
    const taken = chunk.copy(this.#prefix, this.#prefixLength, at);
    this.#prefixLength += taken;
    if (this.#prefixLength < PREFIX_BYTES) return at + taken;
    this.#prefixLength = 0;
    const flag = this.#prefix[0] ?? 0;
    return this.#begin(chunk, at + taken, { flag, length: this.#prefix.readUInt32BE(1) });
  }

  #begin(chunk: Buffer, start: number, { flag, length }: { flag: number; length: number }): number {
    if (!this.#sink.onPrefix(flag, length)) return this.#halt(chunk);
    const end = start + length;
    if (end <= chunk.length) {
      if (!this.#sink.onHeld(length)) return this.#halt(chunk);
      this.#deliver(compact(chunk.subarray(start, end)));
      return end;
    }
    this.#need = length;
    this.#bodyLength = 0;
    this.#body = Buffer.alloc(0);
    return start;
  }

  #readBody(held: Buffer, chunk: Buffer, at: number): number {
    const taken = Math.min(this.#need - this.#bodyLength, chunk.length - at);
    const body = this.#roomFor(held, taken);
    if (body === undefined) return this.#halt(chunk);
    chunk.copy(body, this.#bodyLength, at, at + taken);
    this.#bodyLength += taken;
    if (this.#bodyLength === this.#need) {
      this.#body = undefined;
      this.#deliver(body);
    }
    return at + taken;
  }

  /** Doubles the room, so that it is never more than twice what arrived; undefined when it is not granted. */
  #roomFor(held: Buffer, more: number): Buffer | undefined {
    const length = this.#bodyLength + more;
    if (length <= held.length) return held;
    const bytes = Math.min(this.#need, Math.max(2 * length, FIRST_BYTES));
    if (!this.#sink.onHeld(bytes)) return undefined;
    this.#body = Buffer.allocUnsafe(bytes);
    held.copy(this.#body, 0, 0, this.#bodyLength);
    return this.#body;
  }

  #deliver(payload: Buffer): void {
    if (!this.#sink.onMessage(payload)) this.stop();
  }

  #halt(chunk: Buffer): number {
    this.stop();
    return chunk.length;
  }
}

/** A small view would keep alive all that was read from the connection with it, for as long as the message waits in a queue. */
function compact(view: Buffer): Buffer {
  return view.buffer.byteLength > 2 * view.length ? Buffer.from(view) : view;
}
