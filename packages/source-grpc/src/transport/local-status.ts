import type { GrpcStatus, StatusName } from '../model/grpc-status.ts';

/** A status that this side found. */
export function localStatus(code: StatusName, message: string, cause?: unknown): GrpcStatus {
  return { code, message, source: 'local', ...(cause === undefined ? {} : { cause }) };
}
