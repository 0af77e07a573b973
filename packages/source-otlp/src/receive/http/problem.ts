import { readableEncodings } from '@levada/grpc-wire';
import {
  RETRY_AFTER_SECONDS,
  type Refusal,
  type RefusalReason,
  refusals,
  refuse,
} from '../admission/export-outcome.ts';
import { mediaTypes } from './media-type.ts';

/** Something other than success, as it is answered over HTTP. */
export interface Problem {
  /** What it is counted as. */
  readonly reason: RefusalReason;
  readonly status: number;
  /** `code` of the google.rpc.Status in the body. */
  readonly grpcCode: number;
  readonly message: string;
  /** Alternating names and values of further headers. */
  readonly headers: readonly string[];
}

const extraHeaders: Partial<Record<RefusalReason, readonly string[]>> = {
  rate_limited: ['Retry-After', String(RETRY_AFTER_SECONDS)],
  unavailable: ['Retry-After', String(RETRY_AFTER_SECONDS)],
};

/** What a refusal is over HTTP. */
export function problemOf({ reason, message, challenge = 'Bearer' }: Refusal): Problem {
  const { httpStatus, grpcCode } = refusals[reason];
  const headers = reason === 'unauthenticated' ? ['WWW-Authenticate', challenge] : extraHeaders[reason];
  return { reason, status: httpStatus, grpcCode, message, headers: headers ?? [] };
}

/** The receiver is stopping. */
export const stopping: Problem = problemOf(refuse('unavailable', 'the receiver is stopping'));

/** A request whose host is uncertain (RFC 9112, 3.2). */
export function wrongHosts(hosts: number): Problem {
  const message = `the request has ${hosts === 0 ? 'no' : 'more than one'} Host header`;
  return problemOf(refuse('invalid', message));
}

/** A web page that may not send exports. */
export function foreignOrigin(origin: string | undefined): Problem {
  const page = origin === undefined ? 'of another site' : `of the origin '${shorten(origin)}'`;
  return problemOf(refuse('forbidden', `web pages ${page} may not send exports`));
}

/** A path that is not served. */
export function unknownPath(path: string): Problem {
  return createProblem(404, `no signal is received at '${shorten(path)}'`);
}

/** A method other than POST. */
export function wrongMethod(method: string): Problem {
  const message = `exports are sent with POST, not with ${shorten(method)}`;
  return { ...createProblem(405, message), headers: ['Allow', 'POST'] };
}

/** A Content-Type other than those of OTLP/HTTP. */
export function unsupportedType(contentType: string | undefined): Problem {
  const { protobuf, json } = mediaTypes;
  const found = contentType === undefined ? 'is missing' : `is '${shorten(contentType)}'`;
  const message = `the Content-Type ${found}, expected ${protobuf} or ${json}`;
  return { ...problemOf(refuse('unsupported', message)), headers: ['Accept', `${protobuf}, ${json}`] };
}

/** A Content-Encoding that is not read (RFC 9110, 15.5.16). */
export function unsupportedEncoding(encoding: string): Problem {
  const known = readableEncodings.join(', ');
  const message = `the Content-Encoding is '${shorten(encoding)}', expected one of: identity, ${known}`;
  return { ...problemOf(refuse('unsupported', message)), headers: ['Accept-Encoding', known] };
}

/** A Transfer-Encoding that is not read (RFC 9112, 6.1). */
export function unsupportedTransferEncoding(encoding: string): Problem {
  const message = `the Transfer-Encoding is '${shorten(encoding)}', expected chunked; compressed bodies have a Content-Encoding`;
  return createProblem(501, message);
}

/** An Expect header other than `100-continue`. */
export function unknownExpectation(expect: string): Problem {
  const message = `the expectation '${shorten(expect)}' is unknown, expected 100-continue`;
  return createProblem(417, message);
}

function createProblem(status: number, message: string): Problem {
  return { ...problemOf(refuse('unsupported', message)), status };
}

/** Clients get back no more of what they sent than helps. */
function shorten(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}...` : text;
}
