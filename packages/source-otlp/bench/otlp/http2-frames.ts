/** A frame of HTTP/2 (RFC 9113, section 4.1). */
export interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly id: number;
  readonly payload: Buffer;
  /** Where the next one begins. */
  readonly end: number;
}

/** Types and flags. */
export const frame = {
  data: 0,
  headers: 1,
  reset: 3,
  settings: 4,
  ping: 6,
  goAway: 7,
  windowUpdate: 8,
  endStream: 1,
  ack: 1,
  endHeaders: 4,
} as const;

const HEAD_BYTES = 9;

/** Heads of frames. */
export const frameHead = {
  bytes: HEAD_BYTES,
  /** Where the stream's number stands. */
  idAt: 5,
  /** The frame that begins there; undefined when not all of it is there. */
  read: (from: Buffer, at: number): Frame | undefined => {
    if (from.length < at + HEAD_BYTES) return undefined;
    const end = at + HEAD_BYTES + from.readUIntBE(at, 3);
    if (from.length < end) return undefined;
    return {
      type: from[at + 3] ?? 0,
      flags: from[at + 4] ?? 0,
      id: from.readUInt32BE(at + 5),
      payload: from.subarray(at + HEAD_BYTES, end),
      end,
    };
  },
};

/** A frame of stream 0. */
export function frameOf(type: number, flags: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  return Buffer.concat([head, payload]);
}

/** Literal header field without indexing (RFC 7541, section 6.2.2); all texts are short. */
export function literal(name: string, value: string): Buffer {
  return Buffer.concat([
    Buffer.from([0, name.length]),
    Buffer.from(name),
    Buffer.from([value.length]),
    Buffer.from(value),
  ]);
}
