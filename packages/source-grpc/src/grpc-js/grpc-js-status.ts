import type { StatusObject } from '@grpc/grpc-js';
import { statusNames } from '@levada/grpc-wire';
import { type GrpcStatus, localStatus } from '../model/grpc-status.ts';

/** What grpc-js itself says of a call; it does not tell apart who ended one. */
const local: readonly RegExp[] = [
  /^(?:\w+: )?No connection established\b/,
  /^Name resolution failed for target /,
  /^Failed to parse DNS address /,
  /^Connection dropped$/,
  /^Channel closed before call started$/,
  /^Stream refused by server$/,
  /^Call cancelled$/,
  /^Cancelled on client$/,
  /^Deadline exceeded\b/,
  /^Received RST_STREAM with code /,
  /^Bandwidth exhausted or memory limit exceeded$/,
  /^Protocol not secure enough$/,
  /^No status information received$/,
  /^Failed to (?:start HTTP\/2 stream|decompress (?:gzip|deflate)-encoded message)\b/,
  /^Getting metadata from plugin failed\b/,
  /^Invalid status from control plane: /,
  /^Response message parsing error: /,
  /^(?:read|write|connect) E[A-Z]+\b/,
];

/** Messages that are longer than the channel takes. */
const tooLarge = /^Received message (?:larger than max|that decompresses to a size larger than) /;

/** ENHANCE_YOUR_CALM of HTTP/2. */
const calm = /^Bandwidth exhausted or memory limit exceeded$/;

/**
 * How a call of grpc-js ended. `pings`: whether the channel sends any. A server that wants calm then wants fewer of them: what else
 * it says in its GOAWAY is not passed on.
 */
export function grpcJsStatus(
  { code, details }: Pick<StatusObject, 'code' | 'details'>,
  { pings }: { readonly pings: boolean },
): GrpcStatus {
  const name = statusNames[code];
  if (name === undefined)
    return { code: 'UNKNOWN', message: `grpc-status "${code}": ${details}`, source: 'server' };
  if (tooLarge.test(details)) return { ...localStatus(name, details), exhausted: 'message_too_large' };
  if (pings && calm.test(details)) return { ...localStatus(name, details), exhausted: 'too_many_pings' };
  if (local.some((pattern) => pattern.test(details))) return localStatus(name, details);
  const source = /^Received HTTP status code \d+$/.test(details) ? 'http' : 'server';
  return { code: name, message: details, source };
}
