import {
  ConnectionFault,
  errorCode,
  ForeignProtocol,
  frameFlag,
  frameType,
  HEAD_BYTES,
  MAX_FRAME_BYTES,
  preface,
} from './protocol.ts';

/** The head of a frame. */
export interface FrameHead {
  readonly type: number;
  readonly flags: number;
  readonly streamId: number;
  /** Bytes of its payload. */
  readonly length: number;
}

/** What a reader hands frames to. */
export interface FrameSink {
  /** The client began with the preface of HTTP/2. */
  onPreface(): void;
  /** A whole frame other than DATA. The payload is gone after the call. */
  onFrame(head: FrameHead, payload: Buffer): void;
  /** A frame of DATA begins. `padding`: bytes of it that are not data. */
  onDataHead(head: FrameHead, padding: number): void;
  /** A piece of that frame's data, gone after the call; `last`: its last one, which may be empty. */
  onData(piece: Buffer, last: boolean): void;
}

/** Cuts frames out of the bytes of a connection. DATA is handed on as it arrives, other frames when they are whole. */
export class Http2FrameReader {
  readonly #sink: FrameSink;
  /** What is kept of an unfinished frame, or of the preface: never more than one frame. */
  #rest: Buffer = Buffer.alloc(0);
  #begun = false;
  /** Bytes of data and of padding that are still to come of a frame of DATA. */
  #dataLeft = 0;
  #paddingLeft = 0;

  constructor(sink: FrameSink) {
    this.#sink = sink;
  }

  /** Reads a chunk, which must not change later. Throws ConnectionFault or ForeignProtocol; nothing must be read after that. */
  read(chunk: Buffer): void {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    let at = this.#begun ? 0 : this.#readPreface(bytes);
    for (;;) {
      if (this.#dataLeft > 0 || this.#paddingLeft > 0) at = this.#readData(bytes, at);
      else {
        const end = this.#readFrame(bytes, at);
        if (end === at) break;
        at = end;
      }
      if (at === bytes.length) break;
    }
    // A copy: what is kept is small, and would keep the whole chunk.
    this.#rest = at === bytes.length ? empty : Buffer.from(bytes.subarray(at));
  }

  #readPreface(bytes: Buffer): number {
    const shown = bytes.subarray(0, preface.length);
    if (!shown.equals(preface.subarray(0, shown.length))) throw new ForeignProtocol(bytes);
    this.#begun = shown.length === preface.length;
    if (!this.#begun) return 0;
    this.#sink.onPreface();
    return preface.length;
  }

  /** Returns where reading continues: the same place when the frame is not whole. */
  #readFrame(bytes: Buffer, at: number): number {
    if (!this.#begun || at + HEAD_BYTES > bytes.length) return at;
    const length = bytes.readUIntBE(at, 3);
    if (length > MAX_FRAME_BYTES)
      throw new ConnectionFault(errorCode.frameSizeError, `frame of ${length} bytes`);
    const type = bytes[at + 3] ?? 0;
    const head = {
      type,
      flags: bytes[at + 4] ?? 0,
      streamId: bytes.readUInt32BE(at + 5) & 0x7fff_ffff,
      length,
    };
    const start = at + HEAD_BYTES;
    if (type === frameType.data)
      return this.#beginData(head, bytes, start) ? this.#dataStart(head, start) : at;
    if (start + length > bytes.length) return at;
    this.#sink.onFrame(head, bytes.subarray(start, start + length));
    return start + length;
  }

  /** False when it is not known yet how much of it is padding. */
  #beginData(head: FrameHead, bytes: Buffer, start: number): boolean {
    const isPadded = (head.flags & frameFlag.padded) !== 0;
    if (isPadded && head.length > 0 && start === bytes.length) return false;
    const padding = isPadded ? (bytes[start] ?? 0) : 0;
    const data = head.length - padding - (isPadded ? 1 : 0);
    if (data < 0) throw new ConnectionFault(errorCode.protocolError, 'frame with more padding than bytes');
    this.#dataLeft = data;
    this.#paddingLeft = padding;
    this.#sink.onDataHead(head, head.length - data);
    if (data === 0) this.#sink.onData(empty, true);
    return true;
  }

  #dataStart({ flags }: FrameHead, start: number): number {
    return (flags & frameFlag.padded) === 0 ? start : start + 1;
  }

  #readData(bytes: Buffer, at: number): number {
    if (this.#dataLeft > 0) {
      const taken = Math.min(this.#dataLeft, bytes.length - at);
      this.#dataLeft -= taken;
      this.#sink.onData(bytes.subarray(at, at + taken), this.#dataLeft === 0);
      return at + taken;
    }
    const skipped = Math.min(this.#paddingLeft, bytes.length - at);
    this.#paddingLeft -= skipped;
    return at + skipped;
  }
}

const empty: Buffer = Buffer.alloc(0);

/** What holds for all frames of a type. */
export interface FrameRules {
  /** Bytes of the payload. Absent: they vary. */
  readonly length?: number;
  /** Absent: both, or what it is on is checked elsewhere. */
  readonly on?: 'connection' | 'stream';
}

/** Throws unless the frame follows the rules. */
export function checkFrame({ type, streamId, length }: FrameHead, rules: FrameRules): void {
  if (rules.length !== undefined && length !== rules.length) {
    throw new ConnectionFault(errorCode.frameSizeError, `frame of type ${type} with ${length} bytes`);
  }
  if (rules.on !== undefined && (streamId === 0) !== (rules.on === 'connection')) {
    throw new ConnectionFault(errorCode.protocolError, `frame of type ${type} on stream ${streamId}`);
  }
}
