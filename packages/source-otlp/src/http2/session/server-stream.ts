import { errorCode, frameFlag, frameType, MAX_FRAME_BYTES, MAX_WINDOW_BYTES } from '../frames/protocol.ts';
import type { HeaderBlock } from '../hpack/header-block.ts';

/** Follows one request. */
export interface StreamListener {
  /** A piece of its body. It must not be written to, and is gone after the call. */
  onBytes(chunk: Buffer): void;
  /** The client ended its half. */
  onEnd(): void;
  /** The stream is over: answered, reset, or lost with its connection. Called once, nothing else after it. */
  onClosed(): void;
  /** Called about once a second with the monotonic time: whatever takes too long is ended. */
  sweep(now: number): void;
  /** The connection ends: what would not end by itself ends now. */
  drain(): void;
}

/** One request and its answer, whichever server received it. */
export interface Http2Stream {
  /** Undefined when it was answered at once. */
  listener: StreamListener | undefined;
  /** Bytes that wait for the client. */
  readonly unsentBytes: number;
  /** The whole answer in one header block. */
  answerHead(block: HeaderBlock): void;
  /** The answer begins. */
  begin(block: HeaderBlock): void;
  /** More of the answer's body. */
  send(data: Uint8Array): void;
  /** The answer ends, with these trailers. */
  end(trailers: HeaderBlock): void;
  /** RST_STREAM: the request is not answered. */
  reset(code: number): void;
}

/** The connection as its streams use it. */
export interface StreamHost {
  /** Bytes of data that may be sent on the connection. */
  sendWindow: number;
  /** Bytes, of all streams, that the network has not taken yet. */
  readonly unwrittenBytes: number;
  write(
    type: number,
    flags: number,
    frame: { readonly streamId: number; readonly payload: Uint8Array },
  ): void;
  /** Both sides are done with it. */
  forget(stream: ServerStream): void;
}

/** A request to our own server. Its answer is sent as far as the client's windows let it. */
export class ServerStream implements Http2Stream {
  readonly id: number;
  listener: StreamListener | undefined;
  /** Bytes of the body that the client announced. */
  readonly contentLength: number | undefined;
  received = 0;
  /** The client ended its half. */
  remoteEnded: boolean;
  receiveWindow: number;
  sendWindow: number;
  /** Whatever comes now, the answer is complete, though perhaps not sent. */
  answered = false;
  answeredAt: number | undefined;
  readonly #host: StreamHost;
  readonly #unsent: Uint8Array[] = [];
  #unsentBytes = 0;
  #trailers: Buffer | undefined;
  #over = false;

  constructor(
    host: StreamHost,
    options: Pick<ServerStream, 'id' | 'contentLength' | 'remoteEnded' | 'receiveWindow' | 'sendWindow'>,
  ) {
    this.#host = host;
    this.id = options.id;
    this.contentLength = options.contentLength;
    this.remoteEnded = options.remoteEnded;
    this.receiveWindow = options.receiveWindow;
    this.sendWindow = options.sendWindow;
  }

  /** Nothing can be answered any more. */
  get isOver(): boolean {
    return this.#over || this.answered;
  }

  /** Bytes that wait for the client: of the answer, for its windows; and of all that was sent on the connection, for the network. */
  get unsentBytes(): number {
    return this.#unsentBytes + this.#host.unwrittenBytes;
  }

  answerHead({ bytes }: HeaderBlock): void {
    if (this.isOver) return;
    this.answered = true;
    this.#host.write(frameType.headers, frameFlag.endHeaders | frameFlag.endStream, this.#frame(bytes));
    this.#finish();
  }

  begin({ bytes }: HeaderBlock): void {
    if (!this.isOver) this.#host.write(frameType.headers, frameFlag.endHeaders, this.#frame(bytes));
  }

  send(data: Uint8Array): void {
    if (this.isOver) return;
    this.#unsent.push(data);
    this.#unsentBytes += data.length;
    this.pump();
  }

  end({ bytes }: HeaderBlock): void {
    if (this.isOver) return;
    this.answered = true;
    this.#trailers = bytes;
    this.pump();
  }

  /** Sends what the windows allow now. */
  pump(): void {
    for (let piece = this.#unsent[0]; piece !== undefined; piece = this.#unsent[0]) {
      const room = Math.min(this.sendWindow, this.#host.sendWindow, MAX_FRAME_BYTES);
      if (room <= 0 && piece.length > 0) return;
      const sent = piece.length <= room ? piece : piece.subarray(0, room);
      this.#host.write(frameType.data, 0, this.#frame(sent));
      this.sendWindow -= sent.length;
      this.#host.sendWindow -= sent.length;
      this.#unsentBytes -= sent.length;
      if (sent === piece) this.#unsent.shift();
      else this.#unsent[0] = piece.subarray(room);
    }
    if (this.#trailers === undefined || this.#over) return;
    this.#host.write(
      frameType.headers,
      frameFlag.endHeaders | frameFlag.endStream,
      this.#frame(this.#trailers),
    );
    this.#finish();
  }

  /** False when the window becomes larger than allowed. */
  widen(bytes: number): boolean {
    this.sendWindow += bytes;
    return this.sendWindow <= MAX_WINDOW_BYTES;
  }

  reset(code: number): void {
    if (this.#over) return;
    const payload = Buffer.alloc(4);
    payload.writeUInt32BE(code);
    this.#host.write(frameType.reset, 0, this.#frame(payload));
    this.close();
  }

  /** It is over, and the client knows. */
  close(): void {
    if (this.#over) return;
    this.#over = true;
    this.#unsent.length = 0;
    this.#unsentBytes = 0;
    this.#host.forget(this);
    this.listener?.onClosed();
  }

  /** A client that is still sending is asked to stop, which is not an error (RFC 9113, section 8.1). */
  #finish(): void {
    if (this.remoteEnded) this.close();
    else this.reset(errorCode.noError);
  }

  #frame(payload: Uint8Array): { readonly streamId: number; readonly payload: Uint8Array } {
    return { streamId: this.id, payload };
  }
}

/** Streams that are remembered after they were stopped. */
const MAX_STOPPED = 1024;

/** The last numbers that were added, in growing order. */
export class RecentIds {
  readonly #ids = new Set<number>();

  add(id: number): void {
    const [oldest] = this.#ids.size < MAX_STOPPED ? [] : this.#ids;
    if (oldest !== undefined) this.#ids.delete(oldest);
    this.#ids.add(id);
  }

  has(id: number): boolean {
    return this.#ids.has(id);
  }
}
