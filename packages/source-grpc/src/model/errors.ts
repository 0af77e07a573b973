import { ConnectorError, type ErrorCode } from '@levada/connect-runtime-core';
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

export interface EndContext {
  readonly peer: string;
  /** Codes that fail the task when the server says them. */
  readonly failOn: ReadonlySet<StatusName>;
  /** Makes the server's text fit for a log. */
  readonly print: (text: string) => string;
}

/** The end of a call as an error, whatever its status; retriable unless the configuration says that it fails the task. */
export function statusError(status: GrpcStatus, { peer, failOn, print }: EndContext): ConnectorError {
  const text = `${peer}: ${statusNames.indexOf(status.code)} ${status.code}${detail(print(status.message))}`;
  const fatal = status.source === 'server' && failOn.has(status.code);
  const options = { cause: status.cause, ...(fatal ? { retriable: false } : {}) };
  return new ConnectorError(errorCode(status), text, options);
}

function detail(message: string): string {
  return message === '' ? '' : `: ${message}`;
}

function errorCode({ source, code, exhausted }: GrpcStatus): ErrorCode {
  if (source !== 'local') return 'handshake_rejected';
  if (code === 'INTERNAL') return 'protocol_error';
  return exhausted === 'message_too_large' ? 'message_too_large' : 'connection_lost';
}
