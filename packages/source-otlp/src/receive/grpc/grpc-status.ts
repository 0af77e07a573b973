import { type Refusal, type RefusalReason, refusals, refused } from '../admission/export-outcome.ts';

/** Status codes that no reason for a refusal has (https://github.com/grpc/grpc/blob/master/doc/statuscodes.md). */
export const grpcCodes = { notFound: 5, unimplemented: 12, internal: 13 } as const;

/** How a call ends, unless it ends well. */
export interface GrpcStatus {
  readonly code: number;
  /** For people; not yet encoded. */
  readonly message: string;
  /** The client is asked to send the same again later. */
  readonly retry: boolean;
}

/** A request that is not taken: how it is counted, and what the client is told. */
export interface Fault {
  readonly refusal: Refusal;
  readonly status: GrpcStatus;
}

/** What a refusal is in gRPC. */
export function refusalStatus({ reason, message }: Refusal): GrpcStatus {
  const { grpcCode: code, retry } = refusals[reason];
  return { code, message, retry };
}

/** A fault. `code`: what gRPC demands where it is not that of the reason. */
export function fault(reason: RefusalReason, message: string, code?: number): Fault {
  const refusal = refused(reason, message);
  const status = refusalStatus(refusal);
  return { refusal, status: code === undefined ? status : { ...status, code } };
}
