// Frames of HTTP/2 (RFC 9113, section 4.1), legal or not, as tests and benchmarks write and read them.

/** Types of frames, section 6. */
export const frameTypes = {
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

/** Name of a type of frames. */
export type FrameType = keyof typeof frameTypes;

/** A frame that the other side sent. */
export interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly streamId: number;
  readonly payload: Buffer;
}

/** What a client begins with. */
export const PREFACE: Buffer = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
/** Length of a frame's head, and where the number of its stream is in it. */
export const HEAD_BYTES = 9;
export const STREAM_ID_AT = 5;
/** Flags. END_STREAM and ACK are the same bit, of different frames. */
export const END_STREAM = 1;
export const ACK = 1;
export const END_HEADERS = 4;

/** Cuts whole frames out of chunks. `skip`: bytes before the first one, such as the preface. */
export function frameReader(onFrame: (frame: Frame) => void, skip = 0): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  let toSkip = skip;
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    if (rest.length < toSkip) return;
    rest = rest.subarray(toSkip);
    toSkip = 0;
    while (rest.length >= HEAD_BYTES && rest.length >= HEAD_BYTES + rest.readUIntBE(0, 3)) {
      const end = HEAD_BYTES + rest.readUIntBE(0, 3);
      const frame = {
        type: rest.readUInt8(3),
        flags: rest.readUInt8(4),
        streamId: rest.readUInt32BE(STREAM_ID_AT),
        payload: rest.subarray(HEAD_BYTES, end),
      };
      rest = rest.subarray(end);
      onFrame(frame);
    }
  };
}

/** What a frame is made of; `length`: what it says about itself. */
export interface FrameOptions {
  readonly flags?: number;
  readonly streamId?: number;
  readonly payload?: Uint8Array;
  readonly length?: number;
}

/** A frame of a known type, or of any by its number. */
export function frameOf(type: FrameType | number, options: FrameOptions = {}): Buffer {
  const { flags = 0, streamId = 0, payload = Buffer.alloc(0), length = payload.length } = options;
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUIntBE(length, 0, 3);
  head[3] = typeof type === 'number' ? type : frameTypes[type];
  head[4] = flags;
  head.writeUInt32BE(streamId, STREAM_ID_AT);
  return Buffer.concat([head, payload]);
}

/** DATA. */
export function dataFrame(
  streamId: number,
  payload: Uint8Array,
  options: { readonly end?: boolean } = {},
): Buffer {
  return frameOf('data', { flags: options.end === true ? END_STREAM : 0, streamId, payload });
}

/** HEADERS in one frame. */
export function headersFrame(
  streamId: number,
  fields: Readonly<Record<string, string>>,
  options: { readonly end?: boolean } = {},
): Buffer {
  const flags = END_HEADERS | (options.end === true ? END_STREAM : 0);
  return frameOf('headers', { flags, streamId, payload: headerBlock(fields) });
}

/** RST_STREAM. Default: CANCEL. */
export function resetFrame(streamId: number, code = 8): Buffer {
  return frameOf('reset', { streamId, payload: uint32(code) });
}

/** SETTINGS with these values by identifier. */
export function settingsFrame(values: Readonly<Record<number, number>> = {}): Buffer {
  const payload = Object.entries(values).map(([id, value]) => {
    const entry = Buffer.alloc(6);
    entry.writeUInt16BE(Number(id), 0);
    entry.writeUInt32BE(value, 2);
    return entry;
  });
  return frameOf('settings', { payload: Buffer.concat(payload) });
}

/** WINDOW_UPDATE; stream 0 is the connection. */
export function windowFrame(streamId: number, bytes: number): Buffer {
  return frameOf('windowUpdate', { streamId, payload: uint32(bytes) });
}

/** GOAWAY. */
export function goawayFrame(code: number, debug = '', lastStreamId = 0x7fffffff): Buffer {
  return frameOf('goaway', {
    payload: Buffer.concat([uint32(lastStreamId), uint32(code), Buffer.from(debug)]),
  });
}

/** Fields as a header block: literals without indexing and Huffman coding (RFC 7541, section 6.2.2), byte by byte as they are. */
export function headerBlock(fields: Readonly<Record<string, string>>): Buffer {
  const literals = Object.entries(fields).map(([name, value]) =>
    Buffer.concat([Buffer.of(0), hpackString(name), hpackString(value)]),
  );
  return Buffer.concat(literals);
}

function hpackString(text: string): Buffer {
  const bytes = Buffer.from(text, 'latin1');
  return Buffer.concat([hpackLength(bytes.length), bytes]);
}

function hpackLength(length: number): Buffer {
  if (length < 127) return Buffer.of(length);
  const bytes = [127];
  let rest = length - 127;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push(128 | (rest % 128));
  return Buffer.from([...bytes, rest]);
}

/** A message with its gRPC prefix; `length`: what it says about itself. */
export function prefixed(
  payload: Uint8Array | string,
  { flag = 0, length }: { readonly flag?: number; readonly length?: number } = {},
): Buffer {
  const bytes = Buffer.from(payload);
  return Buffer.concat([Buffer.of(flag), uint32(length ?? bytes.length), bytes]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
