import {
  type DescField,
  type DescMethod,
  fromJsonString,
  type JsonValue,
  type Message,
  mergeFromJson,
  type Registry,
  toBinary,
} from '@bufbuild/protobuf';
import { type ConnectorError, isConnectorError } from '@levada/connect-runtime-core';
import { keyProblem } from '../descriptor/invalid-descriptor.ts';
import { expectedOf } from './json-form.ts';
import { requestProblem } from './request-problem.ts';
import { requestTextProblem } from './request-text.ts';
import { resumeField } from './resume-field.ts';

/** Where a new stream resumes. */
export interface Resume {
  /** Types that an `Any` in the request may hold. */
  readonly registry: Registry;
  /** Field of the request by its name in either case, with dots for fields of nested messages. */
  readonly field: string;
  /** What it is set to: text or a number, whatever of both the field takes. Bytes are base64. */
  readonly value: string | number;
}

/**
 * The request as wire bytes, from ProtoJSON. Throws `config_invalid` with the path of the first field that is wrong; values
 * are not quoted, because they may be secrets.
 */
export function encodeRequest(method: DescMethod, json: string, registry: Registry): Uint8Array {
  return wireBytes(method, requestMessage(method, json, registry));
}

/** The same with one field set, whatever the JSON has there. Throws `config_invalid` also when the value does not fit the field. */
export function requestWithResume(method: DescMethod, json: string, resume: Resume): Uint8Array {
  const fields = resumeField(method, resume.field);
  if (typeof fields === 'string') throw keyProblem('grpc.request.resume.field', fields);
  const message = requestMessage(method, json, resume.registry);
  try {
    mergeFromJson(method.input, message, nested(fields, String(resume.value)));
  } catch (cause) {
    const text = `grpc.request.resume.field: ${resume.field}: ${expectedOf(fields.at(-1) as DescField)}`;
    throw keyProblem('grpc.request.resume.field', text, { cause });
  }
  return wireBytes(method, message);
}

/** The reason why a field of the request cannot be set to where a stream resumes, or undefined. */
export function resumeFieldProblem(method: DescMethod, field: string): string | undefined {
  const found = resumeField(method, field);
  return typeof found === 'string' ? found : undefined;
}

function requestMessage(method: DescMethod, json: string, registry: Registry): Message {
  const problem = requestTextProblem(json);
  if (problem !== undefined) throw refused(problem);
  try {
    return fromJsonString(method.input, json, { registry });
  } catch (cause) {
    throw refused(requestProblem(method.input, JSON.parse(json), registry), cause);
  }
}

function wireBytes(method: DescMethod, message: Message): Uint8Array {
  try {
    return toBinary(method.input, message);
  } catch (cause) {
    // The only reason left: a required field of proto2 is not set.
    const detail = cause instanceof Error ? cause.message : String(cause);
    throw isConnectorError(cause) ? cause : refused(detail, cause);
  }
}

function refused(problem: string, cause?: unknown): ConnectorError {
  return keyProblem('grpc.request.message', `grpc.request.message: ${problem}`, { cause });
}

/** The value inside objects that lead to the last field. */
function nested(fields: readonly DescField[], value: JsonValue): JsonValue {
  return fields.reduceRight<JsonValue>(
    (inner, field) => Object.fromEntries([[field.jsonName, inner]]),
    value,
  );
}
