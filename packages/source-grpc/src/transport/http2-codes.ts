import type { StatusName } from '@levada/grpc-wire';
import { type GrpcStatus, localStatus } from '../model/grpc-status.ts';

/**
 * Error codes of HTTP/2 (RFC 9113, section 7) by number, and what a reset with each means to a call
 * (https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md, "Errors").
 */
const codes: readonly (readonly [name: string, status: StatusName])[] = [
  ['NO_ERROR', 'INTERNAL'],
  ['PROTOCOL_ERROR', 'INTERNAL'],
  ['INTERNAL_ERROR', 'INTERNAL'],
  ['FLOW_CONTROL_ERROR', 'INTERNAL'],
  ['SETTINGS_TIMEOUT', 'INTERNAL'],
  ['STREAM_CLOSED', 'INTERNAL'],
  ['FRAME_SIZE_ERROR', 'INTERNAL'],
  ['REFUSED_STREAM', 'UNAVAILABLE'],
  ['CANCEL', 'CANCELLED'],
  ['COMPRESSION_ERROR', 'INTERNAL'],
  ['CONNECT_ERROR', 'INTERNAL'],
  ['ENHANCE_YOUR_CALM', 'RESOURCE_EXHAUSTED'],
  ['INADEQUATE_SECURITY', 'PERMISSION_DENIED'],
  ['HTTP_1_1_REQUIRED', 'UNKNOWN'],
];

const NO_ERROR = 0;
const ENHANCE_YOUR_CALM = 11;
/** Longest part of the data in a GOAWAY frame that is reported. */
const MAX_DEBUG_BYTES = 256;

/** Node resets a stream by itself, with this code alone, above 16 MiB of headers. */
const hints: Readonly<Record<number, string>> = {
  [ENHANCE_YOUR_CALM]: ', by the server or for response headers above 16 MiB',
};

/** The end of a call by RST_STREAM. */
export function resetStatus(code: number): GrpcStatus {
  return localStatus(
    codes[code]?.[1] ?? 'UNKNOWN',
    `stream reset with ${codeName(code)}${hints[code] ?? ''}`,
  );
}

/** A GOAWAY frame of the server. */
export interface Goaway {
  /** Calls that are open may continue. */
  readonly graceful: boolean;
  /** The end of a call that may not. */
  readonly status: GrpcStatus;
}

/** Reads a GOAWAY frame. ENHANCE_YOUR_CALM becomes RESOURCE_EXHAUSTED, any other code UNAVAILABLE. */
export function goawayOf(code: number, debugData: Uint8Array | undefined): Goaway {
  const debug = Buffer.from(debugData?.subarray(0, MAX_DEBUG_BYTES) ?? []).toString();
  const text = `the server ends the connection: GOAWAY ${codeName(code)}${debug === '' ? '' : ` "${debug}"`}`;
  const calm = code === ENHANCE_YOUR_CALM;
  const status = localStatus(calm ? 'RESOURCE_EXHAUSTED' : 'UNAVAILABLE', text);
  const isAboutPings = calm && debug === 'too_many_pings';
  return {
    graceful: code === NO_ERROR,
    status: isAboutPings ? { ...status, exhausted: 'too_many_pings' } : status,
  };
}

function codeName(code: number): string {
  return codes[code]?.[0] ?? `code ${code}`;
}
