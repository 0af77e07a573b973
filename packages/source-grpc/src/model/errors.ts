import { ConnectorError } from '@levada/connect-runtime-core';
import type { ErrorCode } from '@levada/connect-runtime-core/errors';
import { type StatusName, statusNames } from '@levada/grpc-wire';
import type { GrpcStatus } from './grpc-status.ts';

/** Statuses that repeating the same call seldom cures. */
const permanent: ReadonlySet<StatusName> = new Set([
  'INVALID_ARGUMENT',
  'NOT_FOUND',
  'ALREADY_EXISTS',
  'PERMISSION_DENIED',
  'FAILED_PRECONDITION',
  'OUT_OF_RANGE',
  'UNIMPLEMENTED',
  'UNAUTHENTICATED',
]);

/** Whether a status is one that repeating seldom cures. Said by the server, not by something before it. */
export function isPermanent(status: GrpcStatus): boolean {
  return status.source === 'server' && permanent.has(status.code);
}

/** Shortest wait, in milliseconds, after headers above their limit: each attempt costs memory, and a server seldom sends less next time. */
const TOO_MANY_HEADERS_MS = 30_000;

export interface EndContext {
  readonly peer: string;
  /** Codes that fail the task when the server says them. */
  readonly failOn: ReadonlySet<StatusName>;
  /** Makes the server's text fit for a log. */
  readonly print: (text: string) => string;
}

/**
 * The end of a call as an error, whatever its status; retriable unless the configuration says that it fails the task. Its cause
 * is the status as errors of gRPC clients have it, with `code` and `details`.
 */
export function statusError(status: GrpcStatus, { peer, failOn, print }: EndContext): ConnectorError {
  const code = statusNames.indexOf(status.code);
  const details = print(status.message);
  const text = `${code} ${status.code}${detail(details)}`;
  const fatal = status.source === 'server' && failOn.has(status.code);
  const said = new Error(text, status.cause === undefined ? undefined : { cause: status.cause });
  const cause = Object.assign(said, { name: 'GrpcStatusError', code, details });
  return new ConnectorError(errorCode(status), `${peer}: ${text}`, {
    cause,
    ...(fatal ? { retriable: false } : {}),
    ...(status.exhausted === 'headers_too_large' ? { retryAfterMs: TOO_MANY_HEADERS_MS } : {}),
  });
}

function detail(message: string): string {
  return message === '' ? '' : `: ${message}`;
}

function errorCode({ source, code, exhausted }: GrpcStatus): ErrorCode {
  if (source !== 'local') return 'handshake_rejected';
  if (code === 'INTERNAL') return 'protocol_error';
  return exhausted === 'message_too_large' ? 'message_too_large' : 'connection_lost';
}
