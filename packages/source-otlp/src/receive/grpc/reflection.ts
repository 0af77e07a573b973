import {
  type Answer,
  decodeQuestion,
  encodeAnswer,
  framed,
  type Question,
  statusCodes,
} from '@levada/grpc-wire';
import type { SchemaFile } from '../../model/otlp-schema.ts';
import { fault, type GrpcStatus } from './grpc-status.ts';
import type { StreamMethod } from './stream-call.ts';
import { REFLECTION_IDLE_MS } from './time-limits.ts';

/**
 * Server reflection from the original descriptors. A file comes with all that it imports, each before those that it imports
 * itself, so that clients need not ask again. Listed are the given services alone; files may be asked for by any name in them.
 * `files`: each after those that it imports.
 */
export function reflection(services: readonly string[], files: readonly SchemaFile[]): StreamMethod {
  const byName = new Map(files.map((file) => [file.name, file]));
  const bySymbol = new Map(files.flatMap((file) => file.symbols.map((symbol) => [symbol, file] as const)));

  function answer({ kind, text }: Question): Answer {
    switch (kind) {
      case 'fileByFilename':
        return filesAnswer(byName.get(text), files) ?? answerNotFound('file not found');
      case 'fileContainingSymbol':
        return filesAnswer(bySymbol.get(text), files) ?? answerNotFound('symbol not found');
      case 'fileContainingExtension':
      case 'allExtensionNumbersOfType':
        return answerNotFound('there are no extensions');
      case 'listServices':
        return { kind: 'services', names: services };
    }
  }

  return {
    watches: false,
    idleMs: REFLECTION_IDLE_MS,
    answer: (request) => {
      const question = questionOf(request);
      return question === undefined ? noQuestion : framed(encodeAnswer(answer(question), request));
    },
  };
}

const noQuestion: GrpcStatus = fault('invalid', 'the message is no ServerReflectionRequest').status;

function questionOf(request: Uint8Array): Question | undefined {
  try {
    return decodeQuestion(request);
  } catch {
    return undefined; // whatever it was, the client hears that it is no ServerReflectionRequest
  }
}

/** The file and what it imports. */
function filesAnswer(file: SchemaFile | undefined, files: readonly SchemaFile[]): Answer | undefined {
  if (file === undefined) return undefined;
  const needed = new Set([file.name]);
  const sent: Uint8Array[] = [];
  for (const { name, dependencies, bytes } of files.toReversed()) {
    if (!needed.has(name)) continue;
    sent.push(bytes);
    for (const dependency of dependencies) needed.add(dependency);
  }
  return { kind: 'files', files: sent };
}

function answerNotFound(message: string): Answer {
  return { kind: 'error', code: statusCodes.NOT_FOUND, message };
}
