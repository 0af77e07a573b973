import type { RequestHeaders } from './request-headers.ts';
import type { ServerStream } from './server-stream.ts';

/** Decides about a session, and serves its requests. */
export interface SessionHost {
  /** The client speaks something else. Returns what it is answered before the end, or undefined: GOAWAY. */
  onForeign(bytes: Buffer): string | undefined;
  /** A request. What answers it later becomes its listener. */
  onRequest(stream: ServerStream, headers: RequestHeaders): void;
  /** A frame came that clients seldom send, or that costs an answer. False: that is too many. */
  onRareFrame(): boolean;
  /** The client gave up a request before it was answered, or made this side reset it. False: that is too many. */
  onReset(): boolean;
  /** The client's settings came; from now on this is HTTP/2. */
  onSettings(): void;
  /** The session ended in order; the client is to close the connection. */
  onDone(): void;
}
