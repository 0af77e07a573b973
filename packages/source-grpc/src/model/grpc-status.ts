/** Status codes of gRPC by number (https://github.com/grpc/grpc/blob/master/doc/statuscodes.md). */
export const statusNames = [
  'OK',
  'CANCELLED',
  'UNKNOWN',
  'INVALID_ARGUMENT',
  'DEADLINE_EXCEEDED',
  'NOT_FOUND',
  'ALREADY_EXISTS',
  'PERMISSION_DENIED',
  'RESOURCE_EXHAUSTED',
  'FAILED_PRECONDITION',
  'ABORTED',
  'OUT_OF_RANGE',
  'UNIMPLEMENTED',
  'INTERNAL',
  'UNAVAILABLE',
  'DATA_LOSS',
  'UNAUTHENTICATED',
] as const;

/** Name of a status code. */
export type StatusName = (typeof statusNames)[number];

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
   * keepalive must become rarer, or the length of a message was announced that no message has.
   */
  readonly exhausted?: 'too_many_pings' | 'message_too_large';
  /** What broke, when this side said so. */
  readonly cause?: unknown;
}
