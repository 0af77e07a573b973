import { type ContentEncoding, readableEncodings } from '../admission/inflate.ts';
import { type Fault, fault, grpcCodes } from './grpc-status.ts';

/** What this side reads, as `grpc-accept-encoding` tells it. */
export const acceptedEncodings: string = ['identity', ...readableEncodings].join(',');

/** Longest part of a foreign text that a message repeats. */
const MAX_SHOWN = 64;

/** Whether messages that are flagged as compressed can be read. */
export function isReadable(encoding: string): encoding is ContentEncoding {
  return readableEncodings.some((readable) => readable === encoding);
}

/**
 * What is wrong with a message's first byte, given `grpc-encoding`
 * (https://github.com/grpc/grpc/blob/master/doc/compression.md); undefined when nothing is.
 */
export function encodingFault(flag: number, encoding: string): Fault | undefined {
  if (flag === 0 || (flag === 1 && isReadable(encoding))) return undefined;
  if (flag > 1)
    return fault('invalid', `message with compressed-flag ${flag}, expected 0 or 1`, grpcCodes.internal);
  if (encoding === 'identity') {
    const text = 'message is flagged as compressed, but grpc-encoding names no compression';
    return fault('invalid', text, grpcCodes.internal);
  }
  const shown = encoding.slice(0, MAX_SHOWN);
  return fault(
    'unsupported',
    `message is compressed with "${shown}", expected one of "${acceptedEncodings}"`,
  );
}
