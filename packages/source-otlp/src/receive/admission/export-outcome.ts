import { statusCodes } from '@levada/grpc-wire';

/** Why an export is not taken, whatever the transport. What each means on the wire: {@link refusals}. */
export type RefusalReason =
  /** The bytes are not an export request of that signal. */
  | 'invalid'
  /** Above a size limit, before or after inflation. Not to be sent again. */
  | 'too_large'
  /** No token, or a wrong one. */
  | 'unauthenticated'
  /** The Host header, or the origin of a web page, is not allowed. */
  | 'forbidden'
  /** Content type or encoding that is not read. */
  | 'unsupported'
  /** The request did not arrive in time. HTTP only. */
  | 'timeout'
  /** The client sends more requests than it may. To be sent again later. */
  | 'rate_limited'
  /** A queue is full, the log does not answer, or the receiver is stopping. To be sent again later. */
  | 'unavailable';

/** An export that is not taken. */
export interface Refusal {
  readonly kind: 'refused';
  readonly reason: RefusalReason;
  /** For people; no full stop, no secrets. */
  readonly message: string;
  /** With `unauthenticated`: what credentials are accepted, as WWW-Authenticate has it. Absent: `Bearer`. */
  readonly challenge?: string;
}

/** An export that is taken. With `partial`, some of its items are not, and must not be sent again; 0: the message is a warning. */
export interface Acceptance {
  readonly kind: 'accepted';
  readonly partial?: { readonly rejected: number; readonly message: string };
}

/** The outcome of one export. */
export type ExportOutcome = Acceptance | Refusal;

/** An acceptance without anything to add. */
export const accepted: Acceptance = { kind: 'accepted' };

/** What a refusal is on each transport. */
export interface RefusalRow {
  readonly grpcCode: number;
  readonly httpStatus: number;
  /** Sent again after a second: `Retry-After: 1`, RetryInfo of one second. False: the client must give up. */
  readonly retry: boolean;
}

/** The one table of refusals (OTLP specification 1.x, "Failures"). */
export const refusals: Readonly<Record<RefusalReason, RefusalRow>> = {
  invalid: { grpcCode: statusCodes.INVALID_ARGUMENT, httpStatus: 400, retry: false },
  too_large: { grpcCode: statusCodes.RESOURCE_EXHAUSTED, httpStatus: 413, retry: false },
  unauthenticated: { grpcCode: statusCodes.UNAUTHENTICATED, httpStatus: 401, retry: false },
  forbidden: { grpcCode: statusCodes.PERMISSION_DENIED, httpStatus: 403, retry: false },
  unsupported: { grpcCode: statusCodes.UNIMPLEMENTED, httpStatus: 415, retry: false },
  timeout: { grpcCode: statusCodes.DEADLINE_EXCEEDED, httpStatus: 408, retry: false },
  rate_limited: { grpcCode: statusCodes.RESOURCE_EXHAUSTED, httpStatus: 429, retry: true },
  unavailable: { grpcCode: statusCodes.UNAVAILABLE, httpStatus: 503, retry: true },
};

/** Seconds that a client is asked to wait: never 0, never long, since exporters give up when it exceeds what is left to them. */
export const RETRY_AFTER_SECONDS = 1;

/** A refusal. */
export function refuse(reason: RefusalReason, message: string): Refusal {
  return { kind: 'refused', reason, message };
}
