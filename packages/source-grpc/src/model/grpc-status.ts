import type { StatusName } from '@levada/grpc-wire';

/** How a call ended. */
export interface GrpcStatus {
  readonly code: StatusName;
  /**
   * The server's `grpc-message`, percent-decoded and at most 1 KiB, or what this side found. Not yet fit for a log: the peer
   * chose it, or part of it.
   */
  readonly message: string;
  /**
   * Who said so: the server in its trailers, the HTTP status of something before it (a proxy), or this side, because the
   * connection or the framing broke, the stream was reset or the connection ended with GOAWAY.
   */
  readonly source: 'server' | 'http' | 'local';
  /**
   * What a `RESOURCE_EXHAUSTED` of this side is about, when it is known: the connection ended with GOAWAY `too_many_pings`, so that
   * keepalive must become rarer, the length of a message was announced that no message has, or headers exceed their limit.
   */
  readonly exhausted?: 'too_many_pings' | 'message_too_large' | 'headers_too_large';
  /** The underlying error of a local status. */
  readonly cause?: unknown;
}

/** A status that this side found. */
export function localStatus(code: StatusName, message: string, cause?: unknown): GrpcStatus {
  return { code, message, source: 'local', ...(cause === undefined ? {} : { cause }) };
}
