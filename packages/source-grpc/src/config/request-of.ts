import type { MethodDefinition } from '../model/session.ts';
import { encodeRequest, requestWithResume } from '../request/request-message.ts';
import type { GrpcConfig } from './config.ts';

/** The request that a configuration describes, as wire bytes. With `resume` it resumes after that position. */
export function requestOf(
  config: GrpcConfig,
  { method, registry }: MethodDefinition,
  resume: string | number | undefined,
): Uint8Array {
  const json = config['grpc.request.message'];
  const field = config['grpc.request.resume.field'];
  if (field === null || resume === undefined) return encodeRequest(method, json, registry);
  return requestWithResume(method, json, { registry, field, value: resume });
}
