import { ConnectorError } from '@levada/connect-runtime-core';
import type { ErrorCode } from '@levada/connect-runtime-core/errors';

/** Configuration keys that a descriptor or its use can be wrong for. */
export type DescriptorKey =
  | 'grpc.proto.descriptor'
  | 'grpc.service.name'
  | 'grpc.method.name'
  | 'grpc.request.message'
  | 'grpc.request.resume.field';

interface ProblemOptions {
  /** Default `config_invalid`. */
  readonly code?: ErrorCode;
  readonly cause?: unknown;
}

/** The error of a descriptor that cannot be read or used; `reason` says why. */
export function invalidDescriptor(reason: string, options: ProblemOptions = {}): ConnectorError {
  return keyProblem('grpc.proto.descriptor', `Invalid proto descriptor: ${reason}`, options);
}

/** An error that is reported at one configuration key. */
export function keyProblem(
  key: DescriptorKey,
  message: string,
  { code = 'config_invalid', cause }: ProblemOptions = {},
): ConnectorError {
  return new ConnectorError(code, message, { cause, issues: [{ key, message }] });
}
