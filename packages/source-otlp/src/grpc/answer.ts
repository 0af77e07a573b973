import { constants, type OutgoingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import { grpcMessage } from './grpc-message.ts';
import type { GrpcStatus } from './grpc-status.ts';
import { retryDetails } from './status-details.ts';

const CONTENT_TYPE = 'application/grpc';
const head: OutgoingHttpHeaders = { ':status': 200, 'content-type': CONTENT_TYPE };
const ok: OutgoingHttpHeaders = { 'grpc-status': '0' };

/** Answers a call with its one message. `frame` may be shared by all calls. */
export function answerMessage(stream: ServerHttp2Stream, frame: Buffer): void {
  if (isOver(stream)) return;
  stream.once('wantTrailers', () => stream.sendTrailers(ok));
  stream.respond(head, { waitForTrailers: true });
  stream.end(frame);
}

/** Ends a call that has had no message with a status in its headers alone (Trailers-Only). More of the request is not read. */
export function answerStatus(
  stream: ServerHttp2Stream,
  status: GrpcStatus,
  more: OutgoingHttpHeaders = {},
): void {
  answerHeaders(stream, { ...head, ...statusHeaders(status), ...more });
}

/** Answers with headers alone. More of the request is not read. */
export function answerHeaders(stream: ServerHttp2Stream, headers: OutgoingHttpHeaders): void {
  if (isOver(stream)) return;
  stream.respond(headers, { endStream: true });
  stopReading(stream);
}

/** A status as trailers. */
export function statusHeaders({ code, message, retry }: GrpcStatus): OutgoingHttpHeaders {
  const headers = { 'grpc-status': String(code), 'grpc-message': grpcMessage(message) };
  return retry ? { ...headers, 'grpc-status-details-bin': retryDetails(code, message) } : headers;
}

function isOver(stream: ServerHttp2Stream): boolean {
  return stream.destroyed || stream.closed || stream.headersSent;
}

/** RST_STREAM with NO_ERROR behind the answer stops a client that is still sending (RFC 9113, section 8.1). */
function stopReading(stream: ServerHttp2Stream): void {
  if (!stream.readableEnded) stream.close(constants.NGHTTP2_NO_ERROR);
}
