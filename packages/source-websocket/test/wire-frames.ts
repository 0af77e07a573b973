/** How a frame deviates from a final, unmasked one. */
export interface FrameShape {
  readonly fin?: boolean;
  /** Reserved bits, 0 to 7; 4 is RSV1. */
  readonly reserved?: number;
  readonly masked?: boolean;
  /** Length as it is announced, when it differs from the payload's. */
  readonly announced?: bigint;
}

export const opcode = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

/** One frame as a server would write it (RFC 6455, section 5.2), or as no server should. */
export function frame(code: number, payload: string | Uint8Array = '', shape: FrameShape = {}): Buffer {
  const body = Buffer.from(payload as Uint8Array);
  const first = (shape.fin === false ? 0 : 0x80) | ((shape.reserved ?? 0) << 4) | code;
  const length = lengthBytes(shape.announced ?? BigInt(body.length));
  if (shape.masked === true) length[0] = (length[0] ?? 0) | 0x80;
  const mask = shape.masked === true ? Buffer.alloc(4) : Buffer.alloc(0);
  return Buffer.concat([Buffer.from([first]), length, mask, body]);
}

/** A close frame. */
export function closeFrame(code: number, reason = ''): Buffer {
  const payload = Buffer.alloc(2 + Buffer.byteLength(reason));
  payload.writeUInt16BE(code);
  payload.write(reason, 2);
  return frame(opcode.close, payload);
}

function lengthBytes(length: bigint): Buffer {
  if (length < 126n) return Buffer.from([Number(length)]);
  if (length < 65536n) return Buffer.from([126, Number(length >> 8n), Number(length & 255n)]);
  const bytes = Buffer.alloc(9, 127);
  bytes.writeBigUInt64BE(length, 1);
  return bytes;
}
