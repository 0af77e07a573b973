import {
  create,
  createRegistry,
  type DescFile,
  type DescMessage,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
  toJson,
} from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { ConnectorError, type SourceRecord } from '@levada/connect-runtime-core';

/** A server-streaming method as generated code describes it: `PriceService.method.watch`. */
export interface GeneratedMethod<I extends DescMessage = DescMessage, O extends DescMessage = DescMessage> {
  /** What generated code calls a method. */
  readonly kind: 'rpc';
  /** Its name in the .proto file. */
  readonly name: string;
  /** Only such methods can be read. */
  readonly methodKind: 'server_streaming';
  /** Its service, and the file that declares that. */
  readonly parent: { readonly typeName: string; readonly file: DescFile };
  /** The schema of requests. */
  readonly input: I;
  /** The schema of messages. */
  readonly output: O;
}

/** The options that a method of generated code stands for; its messages are taken as bytes, and decoded later. */
export interface MethodOptions {
  readonly service: string;
  readonly method: string;
  readonly descriptor: Uint8Array;
  readonly request: string;
  readonly format: 'protobuf';
}

/** See {@link MethodOptions}. Throws a `config_invalid` ConnectorError for a request that is no message of the method. */
export function methodOptions<I extends DescMessage>(
  method: GeneratedMethod<I>,
  request: MessageInitShape<I> | undefined,
): MethodOptions {
  const files = withImports(method.parent.file);
  return {
    service: method.parent.typeName,
    method: method.name,
    descriptor: toBinary(
      FileDescriptorSetSchema,
      create(FileDescriptorSetSchema, { file: files.map(({ proto }) => proto) }),
    ),
    request: requestJson(method.input, request, files),
    format: 'protobuf',
  };
}

/** Makes a message of the bytes of a record. */
export function messageDecoder<O extends DescMessage>(schema: O): (record: SourceRecord) => MessageShape<O> {
  // Only the format `protobuf` is asked for, whose values are bytes.
  return ({ value }) => fromBinary(schema, value as Uint8Array);
}

/** A file and all that it imports, imports first. */
function withImports(file: DescFile): readonly DescFile[] {
  const files = new Set<DescFile>();
  const add = (each: DescFile): void => {
    if (files.has(each)) return;
    each.dependencies.forEach(add);
    files.add(each);
  };
  add(file);
  return [...files];
}

function requestJson<I extends DescMessage>(
  schema: I,
  request: MessageInitShape<I> | undefined,
  files: readonly DescFile[],
): string {
  try {
    return JSON.stringify(toJson(schema, create(schema, request), { registry: createRegistry(...files) }));
  } catch (cause) {
    const why = ConnectorError.from(cause).message;
    const message = `request is no ${schema.typeName}: ${why}`;
    throw new ConnectorError('config_invalid', message, { cause, issues: [{ key: 'request', message }] });
  }
}
