import { constants, type ServerHttp2Stream } from 'node:http2';
import type { HeaderBlock } from '../hpack/header-block.ts';
import type { Http2Stream, StreamListener } from '../session/server-stream.ts';

/** A request to the server of Node. */
export class NodeStream implements Http2Stream {
  listener: StreamListener | undefined;
  answeredAt: number | undefined;
  readonly #stream: ServerHttp2Stream;
  readonly #onSettled: () => void;
  /** Whose turn it was to end it. */
  #state: 'open' | 'answered' | 'refused' | 'lost' = 'open';

  /** `onSettled` is called once: it is answered, though perhaps not sent, or over. */
  constructor(stream: ServerHttp2Stream, onSettled: () => void) {
    this.#stream = stream;
    this.#onSettled = onSettled;
    stream.on('error', () => undefined);
    stream.once('close', () => this.#settle('lost'));
  }

  /** Whatever comes now, the answer is complete. */
  get answered(): boolean {
    return this.#state === 'answered';
  }

  /** Over without an answer, and not because this side refused it. */
  get isLost(): boolean {
    return this.#state === 'lost';
  }

  /** Reads its body, from now on; its listener is there or never comes. */
  read(): void {
    if (this.#isOver) return;
    this.#stream.on('data', (chunk: Buffer) => this.listener?.onBytes(chunk));
    this.#stream.on('end', () => {
      // A request that its client gave up ends, too.
      if (!this.#stream.closed && !this.#stream.destroyed) this.listener?.onEnd();
    });
  }

  get unsentBytes(): number {
    return this.#stream.writableLength;
  }

  answerHead({ fields }: HeaderBlock): void {
    if (this.#isOver) return;
    this.#settle('answered');
    this.#stream.respond(fields, { endStream: true });
    this.#stopReading();
  }

  begin({ fields }: HeaderBlock): void {
    if (!this.#isOver) this.#stream.respond(fields, { waitForTrailers: true });
  }

  send(data: Uint8Array): void {
    if (!this.#isOver) this.#stream.write(data);
  }

  end({ fields }: HeaderBlock): void {
    if (this.#isOver) return;
    this.#settle('answered');
    this.#stream.once('wantTrailers', () => {
      this.#stream.sendTrailers(fields);
      // A reset would overtake what is not sent yet.
      setImmediate(() => this.#stopReading());
    });
    this.#stream.end();
  }

  reset(code: number): void {
    if (this.#stream.closed) return;
    this.#settle('refused');
    this.#stream.close(code);
  }

  get #isOver(): boolean {
    return this.#state !== 'open' || this.#stream.closed || this.#stream.destroyed;
  }

  #settle(state: 'answered' | 'refused' | 'lost'): void {
    if (this.#state !== 'open') return;
    this.#state = state;
    this.#onSettled();
  }

  /** A client that is still sending is asked to stop, which is not an error (RFC 9113, section 8.1). */
  #stopReading(): void {
    if (!this.#stream.readableEnded) this.#stream.close(constants.NGHTTP2_NO_ERROR);
  }
}
