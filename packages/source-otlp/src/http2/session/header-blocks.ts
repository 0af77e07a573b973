import type { FrameHead } from '../frames/frame-reader.ts';
import { ConnectionFault, errorCode, frameFlag, frameType } from '../frames/protocol.ts';

/** Most frames of one header block. */
const MAX_FRAMES = 16;
/** What a priority, which means nothing any more, takes in HEADERS. */
const PRIORITY_BYTES = 5;

/** A whole header block. */
export interface HeaderBlock {
  readonly streamId: number;
  /** The client's half of the stream ends with it. */
  readonly ends: boolean;
  readonly bytes: Buffer;
}

/** Puts header blocks together from HEADERS and CONTINUATION frames. */
export class HeaderBlocks {
  readonly #maxBytes: number;
  #pieces: Buffer[] = [];
  #bytes = 0;
  #streamId = 0;
  #ends = false;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Throws unless the frame may come now: within a block, only its continuation may. */
  check({ type, streamId }: FrameHead): void {
    const isContinuation = type === frameType.continuation;
    const within = this.#pieces.length > 0;
    if (isContinuation !== within || (within && streamId !== this.#streamId)) {
      throw new ConnectionFault(
        errorCode.protocolError,
        'a header block is interrupted, or continued without its beginning',
      );
    }
  }

  /** HEADERS or CONTINUATION, which {@link check} let through. The block, once it is whole. */
  add(head: FrameHead, payload: Buffer): HeaderBlock | undefined {
    const { type, flags, streamId } = head;
    const piece = type === frameType.headers ? fragment(head, payload) : payload;
    if (type === frameType.headers) {
      if (streamId % 2 === 0)
        throw new ConnectionFault(errorCode.protocolError, `request of stream ${streamId}`);
      this.#streamId = streamId;
      this.#ends = (flags & frameFlag.endStream) !== 0;
      this.#bytes = 0;
    }
    this.#bytes += piece.length;
    if (this.#bytes > this.#maxBytes || this.#pieces.length >= MAX_FRAMES) {
      throw new ConnectionFault(
        errorCode.enhanceYourCalm,
        `headers of more than ${this.#maxBytes} bytes or ${MAX_FRAMES} frames`,
      );
    }
    if ((flags & frameFlag.endHeaders) === 0) {
      // A copy: the rest may take its time.
      this.#pieces.push(Buffer.from(piece));
      return undefined;
    }
    const bytes = this.#pieces.length === 0 ? piece : Buffer.concat([...this.#pieces, piece]);
    this.#pieces = [];
    return { streamId, ends: this.#ends, bytes };
  }
}

/** What HEADERS hold of the block, without padding and priority. */
function fragment({ flags }: FrameHead, payload: Buffer): Buffer {
  const isPadded = (flags & frameFlag.padded) !== 0;
  const start = (isPadded ? 1 : 0) + ((flags & frameFlag.priority) !== 0 ? PRIORITY_BYTES : 0);
  const end = payload.length - (isPadded ? (payload[0] ?? 0) : 0);
  if (start > end) throw new ConnectionFault(errorCode.protocolError, 'frame with more padding than bytes');
  return payload.subarray(start, end);
}
