import type { ServerHttp2Stream } from 'node:http2';

/** What is told about the bytes of a stream. */
export interface RawStreamListener {
  /** A piece, as it lay in a DATA frame. It must not be written to. */
  onBytes(chunk: Buffer): void;
  /** The client ended its half. */
  onEnd(): void;
}

/**
 * Takes over what Node hands to the stream's own buffer, and begins to read. That saves the 'data' events, and what Node's
 * buffer costs, for each of many small requests. To be called in the 'stream' event.
 */
export function takeOver(stream: ServerHttp2Stream, listener: RawStreamListener): void {
  const end = stream.push.bind(stream);
  stream.push = (chunk: Buffer | null): boolean => {
    if (chunk !== null) {
      listener.onBytes(chunk);
      return true;
    }
    // Node also says so when a stream is reset or destroyed.
    if (!stream.closed && !stream.destroyed) listener.onEnd();
    return end(null);
  };
  stream._read(0);
}
