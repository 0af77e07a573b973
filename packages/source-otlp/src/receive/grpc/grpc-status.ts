import { encodingProblem, readableEncodings, statusCodes } from '@levada/grpc-wire';
import { type Refusal, type RefusalReason, refusals, refuse } from '../admission/export-outcome.ts';

/** How a call ends, unless it ends well. */
export interface GrpcStatus {
  readonly code: number;
  /** For people; not yet encoded. */
  readonly message: string;
  /** The client is asked to send the same again later. */
  readonly retry: boolean;
}

/** A request that is not taken: how it is counted, and how it is answered. */
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
  const refusal = refuse(reason, message);
  const status = refusalStatus(refusal);
  return { refusal, status: code === undefined ? status : { ...status, code } };
}

/** The fault of a message whose first byte does not go with `grpc-encoding`; undefined when it does. */
export function encodingFault(flag: number, encoding: string): Fault | undefined {
  const problem = encodingProblem(flag, encoding, readableEncodings);
  if (problem === undefined) return undefined;
  const { code, message } = problem;
  return fault(code === 'INTERNAL' ? 'invalid' : 'unsupported', message, statusCodes[code]);
}
