import type { SchemaFile } from '../../model/otlp-schema.ts';
import { bytesField, stringField, varintField } from './encode-fields.ts';
import { framed } from './framed.ts';
import { fault, type GrpcStatus, grpcCodes } from './grpc-status.ts';
import { stringFields } from './read-fields.ts';
import type { StreamMethod } from './stream-call.ts';
import { REFLECTION_IDLE_MS } from './time-limits.ts';

/** Fields of ServerReflectionRequest that ask something; the same in v1 and v1alpha. */
const questions = {
  fileByFilename: 3,
  fileContainingSymbol: 4,
  fileContainingExtension: 5,
  allExtensionNumbersOfType: 6,
  listServices: 7,
} as const;
/** Fields of ServerReflectionResponse. */
const answers = { originalRequest: 2, files: 4, services: 6, error: 7 } as const;

/**
 * Server reflection (https://github.com/grpc/grpc/blob/master/src/proto/grpc/reflection/v1/reflection.proto) from the original
 * descriptors. A file comes with all that it imports, each before those that it imports itself, so that clients need not ask again.
 * Listed are the given services alone; files may be asked for by any name in them. `files`: each behind those that it imports.
 */
export function reflection(services: readonly string[], files: readonly SchemaFile[]): StreamMethod {
  const byName = new Map(files.map((file) => [file.name, file]));
  const bySymbol = new Map(files.flatMap((file) => file.symbols.map((symbol) => [symbol, file] as const)));
  const list = bytesField(
    answers.services,
    Buffer.concat(services.map((service) => bytesField(1, stringField(1, service)))),
  );

  function answer(asked: ReadonlyMap<number, string>): Uint8Array | undefined {
    const name = asked.get(questions.fileByFilename);
    if (name !== undefined) return filesAnswer(byName.get(name), files) ?? notFound('file not found');
    const symbol = asked.get(questions.fileContainingSymbol);
    if (symbol !== undefined) return filesAnswer(bySymbol.get(symbol), files) ?? notFound('symbol not found');
    if (asked.has(questions.listServices)) return list;
    const extensions =
      asked.has(questions.fileContainingExtension) || asked.has(questions.allExtensionNumbersOfType);
    return extensions ? notFound('there are no extensions') : undefined;
  }

  return {
    watches: false,
    idleMs: REFLECTION_IDLE_MS,
    answer: (request) => {
      const asked = stringFields(request);
      const found = asked === undefined ? undefined : answer(asked);
      if (found === undefined) return noQuestion;
      return framed(Buffer.concat([bytesField(answers.originalRequest, request), found]));
    },
  };
}

const noQuestion: GrpcStatus = fault('invalid', 'the message is no ServerReflectionRequest').status;

/** FileDescriptorResponse with the file and what it imports. */
function filesAnswer(file: SchemaFile | undefined, files: readonly SchemaFile[]): Uint8Array | undefined {
  if (file === undefined) return undefined;
  const needed = new Set([file.name]);
  const sent: Uint8Array[] = [];
  for (const { name, dependencies, bytes } of files.toReversed()) {
    if (!needed.has(name)) continue;
    sent.push(bytesField(1, bytes));
    for (const dependency of dependencies) needed.add(dependency);
  }
  return bytesField(answers.files, Buffer.concat(sent));
}

/** ErrorResponse: it answers the question, and the call goes on. */
function notFound(message: string): Uint8Array {
  const error = Buffer.concat([varintField(1, grpcCodes.notFound), stringField(2, message)]);
  return bytesField(answers.error, error);
}
