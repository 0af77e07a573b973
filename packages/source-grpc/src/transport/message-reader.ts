import type { GrpcStatus } from '../model/grpc-status.ts';
import { type Decompressed, decompress } from './decompress.ts';
import { localStatus } from './local-status.ts';

/** What a reader hands messages to. */
export interface MessageSink {
  readonly maxMessageBytes: number;
  /** How flagged messages are compressed: `grpc-encoding`. */
  readonly encoding: string;
  readonly onMessage: (message: Uint8Array) => void;
  readonly onOversized: (bytes: number) => void;
}

const PREFIX_BYTES = 5;
/** The most that a length which was only announced makes us allocate at once. */
const FIRST_BYTES = 16 * 1024 * 1024;
/** Lengths above this and above 16 times the limit are no messages, but lies or text. */
const ABSURD_BYTES = 64 * 1024 * 1024;

/**
 * Cuts length-prefixed messages out of the bytes of a call. A message that lies in one chunk is handed out as a view of it;
 * one that is split is copied once. Oversized messages are skipped without being kept.
 */
export class MessageReader {
  /** Nothing more is handed out while this is true; {@link read} stops after the message at hand. */
  halted = false;
  readonly #sink: MessageSink;
  readonly #absurdBytes: number;
  readonly #prefix = Buffer.alloc(PREFIX_BYTES);
  #prefixLength = 0;
  #body: Buffer | undefined;
  #bodyLength = 0;
  #flag = 0;
  #need = 0;
  #skip = 0;
  #fault: GrpcStatus | undefined;

  constructor(sink: MessageSink) {
    this.#sink = sink;
    this.#absurdBytes = Math.max(16 * sink.maxMessageBytes, ABSURD_BYTES);
  }

  /** What is wrong with the bytes. They cannot be read on. */
  get fault(): GrpcStatus | undefined {
    return this.#fault;
  }

  /** Whether a message has begun and not ended. */
  get partial(): boolean {
    return this.#prefixLength > 0 || this.#body !== undefined || this.#skip > 0;
  }

  /** Reads a chunk; returns how many of its bytes were read: all of them, unless halted. The chunk must not change later. */
  read(chunk: Buffer): number {
    let at = this.partial && !this.halted ? this.#continue(chunk) : 0;
    const { onMessage, maxMessageBytes } = this.#sink;
    // The way of nearly all messages: nothing but views.
    while (!this.halted && at + PREFIX_BYTES <= chunk.length) {
      const start = at + PREFIX_BYTES;
      const length = lengthAt(chunk, at);
      const end = start + length;
      if (chunk[at] === 0 && length <= maxMessageBytes && end <= chunk.length) {
        onMessage(chunk.subarray(start, end));
        at = end;
      } else {
        at = this.#begin(chunk[at] ?? 0, length, chunk, start);
      }
    }
    return this.halted ? at : this.#keepPrefix(chunk, at);
  }

  /** A message that is compressed, split, oversized or broken; `start` is where its payload begins. Returns where reading goes on. */
  #begin(flag: number, length: number, chunk: Buffer, start: number): number {
    this.#fault = this.#faultOf(flag, length);
    if (this.#fault !== undefined) {
      this.halted = true;
      return start;
    }
    if (length > this.#sink.maxMessageBytes) {
      this.#skip = length;
      this.#sink.onOversized(length);
      return this.#skipIn(chunk, start);
    }
    const end = start + length;
    if (end <= chunk.length) {
      this.#deliver(flag, chunk.subarray(start, end));
      return end;
    }
    this.#flag = flag;
    this.#need = length;
    this.#body = Buffer.allocUnsafe(Math.min(length, FIRST_BYTES));
    this.#bodyLength = 0;
    return this.#fill(chunk, start);
  }

  #faultOf(flag: number, length: number): GrpcStatus | undefined {
    if (length > this.#absurdBytes) {
      const limit = `grpc.max.inbound.message.size is ${this.#sink.maxMessageBytes}`;
      const status = localStatus('RESOURCE_EXHAUSTED', `message of ${length} bytes announced, ${limit}`);
      return { ...status, exhausted: 'message_too_large' };
    }
    return flag > 1
      ? localStatus('INTERNAL', `message with compressed-flag ${flag}, expected 0 or 1`)
      : undefined;
  }

  /** Completes what an earlier chunk began. Returns where reading goes on. */
  #continue(chunk: Buffer): number {
    if (this.#skip > 0) return this.#skipIn(chunk, 0);
    if (this.#body !== undefined) return this.#fill(chunk, 0);
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

  #fill(chunk: Buffer, at: number): number {
    const taken = Math.min(this.#need - this.#bodyLength, chunk.length - at);
    const body = this.#roomFor(taken);
    chunk.copy(body, this.#bodyLength, at, at + taken);
    this.#bodyLength += taken;
    if (this.#bodyLength === this.#need) {
      this.#body = undefined;
      this.#deliver(this.#flag, body);
    }
    return at + taken;
  }

  #roomFor(more: number): Buffer {
    const body = this.#body ?? Buffer.alloc(0);
    const length = this.#bodyLength + more;
    if (length <= body.length) return body;
    const larger = Buffer.allocUnsafe(Math.min(this.#need, Math.max(length, 2 * body.length)));
    body.copy(larger, 0, 0, this.#bodyLength);
    this.#body = larger;
    return larger;
  }

  #deliver(flag: number, payload: Buffer): void {
    const { encoding, maxMessageBytes, onMessage, onOversized } = this.#sink;
    const plain: Decompressed =
      flag === 0 ? { kind: 'message', bytes: payload } : decompress(payload, encoding, maxMessageBytes);
    if (plain.kind === 'message') onMessage(plain.bytes);
    else if (plain.kind === 'oversized') onOversized(maxMessageBytes + 1);
    else {
      this.#fault = plain.status;
      this.halted = true;
    }
  }

  /** Less than a prefix is left. */
  #keepPrefix(chunk: Buffer, at: number): number {
    if (at < chunk.length) this.#prefixLength = chunk.copy(this.#prefix, 0, at);
    return chunk.length;
  }
}

function lengthAt(chunk: Buffer, at: number): number {
  return (
    (chunk[at + 1] ?? 0) * 0x1000000 +
    (((chunk[at + 2] ?? 0) << 16) | ((chunk[at + 3] ?? 0) << 8) | (chunk[at + 4] ?? 0))
  );
}
