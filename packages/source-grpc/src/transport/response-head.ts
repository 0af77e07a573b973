import type { IncomingHttpHeaders, IncomingHttpStatusHeader } from 'node:http2';
import { decodeStatusMessage, type StatusName, statusNames } from '@levada/grpc-wire';
import { type GrpcStatus, localStatus } from '../model/grpc-status.ts';

/** The kind of answer that its first headers announce. */
export type ResponseHead =
  /** Messages follow, and trailers. `encoding` is how the flagged ones are compressed. */
  | { readonly kind: 'messages'; readonly encoding: string }
  /** Not from a gRPC server: a body of some kind follows. */
  | { readonly kind: 'foreign'; readonly status: GrpcStatus }
  /** Nothing follows that counts. */
  | { readonly kind: 'over'; readonly status: GrpcStatus };

/** Headers as Node gives them. */
export type ResponseHeaders = IncomingHttpHeaders & IncomingHttpStatusHeader;

/** Judges the first headers. `last`: the stream ends with them (Trailers-Only). */
export function responseHead(headers: ResponseHeaders, last: boolean): ResponseHead {
  const code = headers[':status'] ?? 0;
  const trailers = trailerStatus(headers);
  if (trailers !== undefined && (last || code !== 200)) return { kind: 'over', status: trailers };
  const contentType = headers['content-type'] ?? '';
  if (code !== 200 || !/^application\/grpc(?:$|[+; ])/i.test(contentType)) {
    const status = httpStatus(code, contentType);
    return { kind: last ? 'over' : 'foreign', status };
  }
  if (last) return { kind: 'over', status: missingStatus };
  return { kind: 'messages', encoding: String(headers['grpc-encoding'] ?? 'identity') };
}

/** The status that a server gives in trailers; undefined when there is no `grpc-status`. */
export function trailerStatus(trailers: IncomingHttpHeaders): GrpcStatus | undefined {
  const status = trailers['grpc-status'];
  if (status === undefined) return undefined;
  const message = decodeStatusMessage(String(trailers['grpc-message'] ?? ''));
  const code = /^\d{1,3}$/.test(String(status)) ? statusNames[Number(status)] : undefined;
  if (code !== undefined) return { code, message, source: 'server' };
  const unknown = `grpc-status "${String(status).slice(0, 32)}"`;
  return { code: 'UNKNOWN', message: message === '' ? unknown : `${unknown}: ${message}`, source: 'server' };
}

/** A call that ended in order, but without a status. */
export const missingStatus: GrpcStatus = localStatus('UNKNOWN', 'the call ended without grpc-status');

/** https://github.com/grpc/grpc/blob/master/doc/http-grpc-status-mapping.md */
const httpCodes: ReadonlyMap<number, StatusName> = new Map([
  [400, 'INTERNAL'],
  [401, 'UNAUTHENTICATED'],
  [403, 'PERMISSION_DENIED'],
  [404, 'UNIMPLEMENTED'],
  [429, 'UNAVAILABLE'],
  [502, 'UNAVAILABLE'],
  [503, 'UNAVAILABLE'],
  [504, 'UNAVAILABLE'],
]);

function httpStatus(code: number, contentType: string): GrpcStatus {
  const type = contentType === '' ? 'no content-type' : `content-type "${contentType.slice(0, 128)}"`;
  const message = `HTTP ${code} with ${type}, expected HTTP 200 with "application/grpc"`;
  return { code: httpCodes.get(code) ?? 'UNKNOWN', message, source: 'http' };
}
