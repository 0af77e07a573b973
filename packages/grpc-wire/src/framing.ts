import type { StatusName } from './status.ts';

/** Size of a message's prefix: one byte for compression, four for the length. */
export const PREFIX_BYTES = 5;

/** A message with its prefix (https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md, "Length-Prefixed-Message"). */
export function framed(message: Uint8Array, { compressed = false } = {}): Buffer {
  const frame = Buffer.allocUnsafe(PREFIX_BYTES + message.length);
  frame[0] = compressed ? 1 : 0;
  frame.writeUInt32BE(message.length, 1);
  frame.set(message, PREFIX_BYTES);
  return frame;
}

/** A message whose compression is unsupported or inconsistent. */
export interface EncodingProblem {
  readonly code: StatusName & ('INTERNAL' | 'UNIMPLEMENTED');
  readonly message: string;
}

/** Maximum length of a peer's text in an error message. */
const MAX_SHOWN = 64;

/**
 * Checks a message's first byte against `grpc-encoding` and the readable encodings
 * (https://github.com/grpc/grpc/blob/master/doc/compression.md). Undefined if it is valid.
 */
export function encodingProblem(
  flag: number,
  encoding: string,
  readable: readonly string[],
): EncodingProblem | undefined {
  if (flag === 0 || (flag === 1 && readable.includes(encoding))) return undefined;
  if (flag > 1) {
    return { code: 'INTERNAL', message: `message with compressed-flag ${flag}, expected 0 or 1` };
  }
  if (encoding === 'identity' || encoding === '') {
    const message = 'message is flagged as compressed, but grpc-encoding names no compression';
    return { code: 'INTERNAL', message };
  }
  const shown = encoding.slice(0, MAX_SHOWN);
  const message = `message is compressed with "${shown}", expected one of "${acceptedEncodings(readable)}"`;
  return { code: 'UNIMPLEMENTED', message };
}

/** The value of `grpc-accept-encoding`. */
export function acceptedEncodings(readable: readonly string[]): string {
  return ['identity', ...readable].join(',');
}
