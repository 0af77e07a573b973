import { bytesOf, encodeFields, fieldsOf, textOf, utf8, type WireField } from './wire-fields.ts';

// Server reflection (https://github.com/grpc/grpc/blob/master/src/proto/grpc/reflection/v1/reflection.proto). v1 and v1alpha have
// the same messages.

/** Paths of the reflection method in both versions, the current one first. */
export const reflectionPaths = [
  '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo',
  '/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo',
] as const;

/** Fields of ServerReflectionRequest with a question. */
const questionFields = {
  fileByFilename: 3,
  fileContainingSymbol: 4,
  fileContainingExtension: 5,
  allExtensionNumbersOfType: 6,
  listServices: 7,
} as const;

/** Fields of ServerReflectionResponse. */
const answerFields = { originalRequest: 2, files: 4, services: 6, error: 7 } as const;

/** A question about a file, symbol or type. */
export interface Question {
  readonly kind: keyof typeof questionFields;
  readonly text: string;
}

/** The answer of a server: file descriptors, service names, or an error. The call continues after an error. */
export type Answer =
  | { readonly kind: 'files'; readonly files: readonly Uint8Array[] }
  | { readonly kind: 'services'; readonly names: readonly string[] }
  | { readonly kind: 'error'; readonly code: number; readonly message: string };

const kindOf: ReadonlyMap<number, string> = new Map(
  Object.entries(questionFields).map(([kind, number]) => [number, kind]),
);

export function encodeQuestion({ kind, text }: Question): Uint8Array {
  return encodeFields([[questionFields[kind], Buffer.from(text)]]);
}

/** Decodes a ServerReflectionRequest. Undefined if its question is unknown. Throws if the bytes are not a valid message. */
export function decodeQuestion(request: Uint8Array): Question | undefined {
  let question: Question | undefined;
  for (const [number, value] of fieldsOf(request)) {
    const kind = kindOf.get(number) as Question['kind'] | undefined;
    if (kind !== undefined && typeof value !== 'number') question = { kind, text: utf8(value) };
  }
  return question;
}

/** Encodes the ServerReflectionResponse to a request. */
export function encodeAnswer(answer: Answer, request: Uint8Array): Uint8Array {
  return encodeFields([[answerFields.originalRequest, request], answerField(answer)]);
}

function answerField(answer: Answer): WireField {
  if (answer.kind === 'files') {
    return [answerFields.files, encodeFields(answer.files.map((file) => [1, file]))];
  }
  if (answer.kind === 'services') {
    const services = answer.names.map((name): WireField => [1, encodeFields([[1, name]])]);
    return [answerFields.services, encodeFields(services)];
  }
  const error = encodeFields([
    [1, answer.code],
    [2, answer.message],
  ]);
  return [answerFields.error, error];
}

/** Decodes a ServerReflectionResponse. Undefined if its answer is unknown. Throws if the bytes are not a valid message. */
export function decodeAnswer(response: Uint8Array): Answer | undefined {
  let answer: Answer | undefined;
  for (const [number, value] of fieldsOf(response)) {
    if (typeof value === 'number') continue;
    if (number === answerFields.files) answer = { kind: 'files', files: bytesOf(value, 1) };
    if (number === answerFields.services) {
      answer = { kind: 'services', names: bytesOf(value, 1).flatMap((each) => bytesOf(each, 1).map(utf8)) };
    }
    if (number === answerFields.error) {
      answer = { kind: 'error', code: errorCode(value), message: textOf(value, 2) };
    }
  }
  return answer;
}

function errorCode(error: Uint8Array): number {
  let code = 0;
  for (const [number, value] of fieldsOf(error)) if (number === 1 && typeof value === 'number') code = value;
  return code;
}
