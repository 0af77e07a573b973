import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';

/** What a server is asked, by the name of the field in `ServerReflectionRequest`. */
export type Question =
  | { readonly fileByFilename: string }
  | { readonly fileContainingSymbol: string }
  | { readonly listServices: '' };

/** What a server answers, by the field of `ServerReflectionResponse` that is set. */
export type Answer =
  | { readonly kind: 'files'; readonly files: readonly Uint8Array[] }
  | { readonly kind: 'services'; readonly names: readonly string[] }
  | { readonly kind: 'error'; readonly code: number; readonly message: string }
  | { readonly kind: 'other' };

/** Most values of a repeated field: files, services, imports. */
const MAX_REPEATED = 10_000;

/** Field numbers of a request; the same in v1 and v1alpha. */
const questions = { fileByFilename: 3, fileContainingSymbol: 4, listServices: 7 } as const;

/**
 * A `ServerReflectionRequest` as wire bytes, the same in grpc.reflection.v1 and v1alpha
 * (https://github.com/grpc/grpc/blob/master/src/proto/grpc/reflection/v1/reflection.proto).
 */
export function encodeQuestion(question: Question): Uint8Array {
  const writer = new BinaryWriter();
  for (const [name, number] of Object.entries(questions)) {
    const text = (question as Readonly<Record<string, string | undefined>>)[name];
    if (text !== undefined) writer.tag(number, WireType.LengthDelimited).string(text);
  }
  return writer.finish();
}

/** Reads a `ServerReflectionResponse`. Throws when the bytes are none. */
export function decodeAnswer(bytes: Uint8Array): Answer {
  let answer: Answer = { kind: 'other' };
  for (const { number, value } of fieldsOf(bytes)) {
    if (typeof value === 'number') continue;
    if (number === 4) answer = { kind: 'files', files: bytesOf(value, 1) };
    if (number === 6) {
      const names = bytesOf(value, 1).flatMap((service) => bytesOf(service, 1));
      answer = { kind: 'services', names: names.map(text) };
    }
    if (number === 7) {
      const message = bytesOf(value, 2).at(-1) ?? new Uint8Array();
      answer = { kind: 'error', code: errorCode(value), message: text(message) };
    }
  }
  return answer;
}

function errorCode(error: Uint8Array): number {
  let code = 0;
  for (const { number, value } of fieldsOf(error))
    if (number === 1 && typeof value === 'number') code = value;
  return code;
}

/** What the wire bytes of a `FileDescriptorProto` say about its place among others. */
export interface FileHeader {
  readonly name: string;
  readonly imports: readonly string[];
}

/** Reads name and imports of a file, nothing else. Throws when the bytes are no message. */
export function fileHeader(file: Uint8Array): FileHeader {
  return { name: text(bytesOf(file, 1).at(-1) ?? new Uint8Array()), imports: bytesOf(file, 3).map(text) };
}

/** One field on the wire; fixed numbers and groups are left out, because no message here has any. */
interface WireField {
  readonly number: number;
  readonly value: number | Uint8Array;
}

function* fieldsOf(bytes: Uint8Array): Generator<WireField> {
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [number, wireType] = reader.tag();
    if (wireType === WireType.Varint) yield { number, value: reader.int32() };
    else if (wireType === WireType.LengthDelimited) yield { number, value: reader.bytes() };
    else reader.skip(wireType, number);
  }
}

/** The values of one length-delimited field. Throws when there are too many. */
function bytesOf(bytes: Uint8Array, wanted: number): readonly Uint8Array[] {
  const values: Uint8Array[] = [];
  for (const { number, value } of fieldsOf(bytes)) {
    if (number === wanted && typeof value !== 'number') values.push(value);
    if (values.length > MAX_REPEATED) throw new Error(`more than ${MAX_REPEATED} values of one field`);
  }
  return values;
}

function text(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('utf8');
}
