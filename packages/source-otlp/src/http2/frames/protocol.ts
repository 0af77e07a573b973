// Numbers of HTTP/2 (RFC 9113).

/** Types of frames, section 6. */
export const frameType = {
  data: 0,
  headers: 1,
  priority: 2,
  reset: 3,
  settings: 4,
  pushPromise: 5,
  ping: 6,
  goaway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;

/** Flags of frames. END_STREAM and ACK are the same bit, of different frames. */
export const frameFlag = { endStream: 1, ack: 1, endHeaders: 4, padded: 8, priority: 0x20 } as const;

/** Error codes, section 7. */
export const errorCode = {
  noError: 0,
  protocolError: 1,
  flowControlError: 3,
  streamClosed: 5,
  frameSizeError: 6,
  refusedStream: 7,
  compressionError: 9,
  enhanceYourCalm: 11,
} as const;

/** Settings, section 6.5.2. */
export const setting = {
  enablePush: 2,
  maxConcurrentStreams: 3,
  initialWindowSize: 4,
  maxFrameSize: 5,
  maxHeaderListSize: 6,
} as const;

/** What a client sends first. */
export const preface: Buffer = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');

/** Length of the head of each frame. */
export const HEAD_BYTES = 9;
/** Window of a connection, and of streams, until they are changed. */
export const FIRST_WINDOW_BYTES = 65_535;
/** Largest window. */
export const MAX_WINDOW_BYTES = 2 ** 31 - 1;
/** Longest frame that each side must take; this one takes no longer ones, and sends none. */
export const MAX_FRAME_BYTES = 16_384;

/** A connection whose first bytes are not HTTP/2. */
export class ForeignProtocol extends Error {
  override readonly name = 'ForeignProtocol';
  /** All that was read. */
  readonly bytes: Buffer;

  constructor(bytes: Buffer) {
    super('the client does not begin with HTTP/2');
    this.bytes = bytes;
  }
}

/** A connection that cannot continue: it ends with GOAWAY and this code. */
export class ConnectionFault extends Error {
  override readonly name = 'ConnectionFault';
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** The end of a connection whose client costs more than it may. */
export function createFloodFault(): ConnectionFault {
  return new ConnectionFault(errorCode.enhanceYourCalm, 'the client sends too much');
}

/** A number in two bytes, the highest first. */
export function uint16(value: number): Buffer {
  return Buffer.of(value >> 8, value & 0xff);
}

/** A number in four bytes, the highest first. */
export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
