import {
  acceptedEncodings,
  binaryHeader,
  encodeFields,
  encodeStatusMessage,
  readableEncodings,
  statusCodes,
} from '@levada/grpc-wire';
import { headerBlock } from '../../http2/hpack/header-block.ts';
import type { Http2Stream } from '../../http2/session/server-stream.ts';
import { RETRY_AFTER_SECONDS } from '../admission/export-outcome.ts';
import type { GrpcStatus } from './grpc-status.ts';

const headFields = { ':status': '200', 'content-type': 'application/grpc' } as const;
const head = headerBlock(headFields);
const ok = headerBlock({ 'grpc-status': '0' });

/** Answers a call with its one message. `frame` may be shared by all calls. */
export function answerMessage(stream: Http2Stream, frame: Buffer): void {
  stream.begin(head);
  stream.send(frame);
  stream.end(ok);
}

/** Ends a call that has had no message with a status in its headers alone (Trailers-Only). More of the request is not read. */
export function answerStatus(stream: Http2Stream, status: GrpcStatus): void {
  const more =
    status.code === statusCodes.UNIMPLEMENTED
      ? { 'grpc-accept-encoding': acceptedEncodings(readableEncodings) }
      : {};
  stream.answerHead(headerBlock({ ...headFields, ...statusFields(status), ...more }));
}

/** Begins an answer of several messages, which are then sent on the stream. */
export function beginAnswer(stream: Http2Stream): void {
  stream.begin(head);
}

/** Ends an answer of several messages. Undefined: well. More of the request is not read. */
export function endAnswer(stream: Http2Stream, status: GrpcStatus | undefined): void {
  stream.end(status === undefined ? ok : headerBlock(statusFields(status)));
}

function statusFields({ code, message, retry }: GrpcStatus): Readonly<Record<string, string>> {
  const fields = { 'grpc-status': String(code), 'grpc-message': encodeStatusMessage(message) };
  return retry ? { ...fields, 'grpc-status-details-bin': retryDetails(code, message) } : fields;
}

const NANOS_PER_SECOND = 1e9;

/**
 * `grpc-status-details-bin` of a refusal that asks to be sent again: google.rpc.Status with google.rpc.RetryInfo of one second,
 * and of up to another one, so that not all clients come back at once. Base64 without padding, as the protocol wants it.
 */
function retryDetails(code: number, message: string): string {
  const nanos = Math.floor(Math.random() * NANOS_PER_SECOND);
  const delay = encodeFields([
    [1, RETRY_AFTER_SECONDS],
    [2, nanos],
  ]);
  const retryInfo = encodeFields([
    [1, 'type.googleapis.com/google.rpc.RetryInfo'],
    [2, encodeFields([[1, delay]])],
  ]);
  const status = encodeFields([
    [1, code],
    [2, message],
    [3, retryInfo],
  ]);
  return binaryHeader(status);
}
