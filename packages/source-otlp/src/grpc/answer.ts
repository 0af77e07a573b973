import { constants, type OutgoingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import { acceptedEncodings } from './encoding-fault.ts';
import { grpcMessage } from './grpc-message.ts';
import { type GrpcStatus, grpcCodes } from './grpc-status.ts';
import { retryDetails } from './status-details.ts';

const head: OutgoingHttpHeaders = { ':status': 200, 'content-type': 'application/grpc' };
const ok: OutgoingHttpHeaders = { 'grpc-status': '0' };

/** Answers a call whose request is complete with its one message. `frame` may be shared by all calls. */
export function answerMessage(stream: ServerHttp2Stream, frame: Buffer): void {
  if (isOver(stream)) return;
  stream.once('wantTrailers', () => stream.sendTrailers(ok));
  stream.respond(head, { waitForTrailers: true });
  stream.end(frame);
}

/** Ends a call that has had no message with a status in its headers alone (Trailers-Only). More of the request is not read. */
export function answerStatus(stream: ServerHttp2Stream, status: GrpcStatus): void {
  const headers = { ...head, ...statusHeaders(status) };
  if (status.code === grpcCodes.unimplemented) headers['grpc-accept-encoding'] = acceptedEncodings;
  answerHeaders(stream, headers);
}

/** Answers with headers alone. More of the request is not read. */
export function answerHeaders(stream: ServerHttp2Stream, headers: OutgoingHttpHeaders): void {
  if (isOver(stream)) return;
  stream.respond(headers, { endStream: true });
  stopReading(stream);
}

/** Begins an answer of several messages, which are then written to the stream. */
export function beginAnswer(stream: ServerHttp2Stream): void {
  if (!isOver(stream)) stream.respond(head, { waitForTrailers: true });
}

/** Ends an answer of several messages. Undefined: well. More of the request is not read. */
export function endAnswer(stream: ServerHttp2Stream, status: GrpcStatus | undefined): void {
  stream.once('wantTrailers', () => {
    stream.sendTrailers(status === undefined ? ok : statusHeaders(status));
    // Node sends trailers in a later turn, and a reset would overtake them.
    setImmediate(() => stopReading(stream));
  });
  stream.end();
}

function statusHeaders({ code, message, retry }: GrpcStatus): OutgoingHttpHeaders {
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
