import type { FileRegistry } from '@bufbuild/protobuf';
import { type Clock, ConnectorError, isConnectorError } from '@levada/connect-runtime-core';
import { type Answer, reflectionPaths, statusCodes } from '@levada/grpc-wire';
import { fileRegistry } from '../descriptor/file-registry.ts';
import { serviceNotFound } from '../descriptor/find-method.ts';
import { invalidDescriptor, keyProblem } from '../descriptor/invalid-descriptor.ts';
import { wellKnownFiles } from '../descriptor/well-known-files.ts';
import { shownName } from '../model/shown-name.ts';
import type { Channel } from '../transport/channel.ts';
import { type Dialogue, type DialogueOptions, startDialogue } from './dialogue.ts';
import { FoundFiles, type Missing } from './found-files.ts';

export interface ReflectOptions extends Omit<DialogueOptions, 'path'> {
  /** Full name of the service that is to be described. */
  readonly service: string;
  readonly clock: Clock;
  /** Longest time for all of it. 0: 30 seconds, so that it ends. */
  readonly timeoutMs: number;
}

const DEFAULT_TIMEOUT_MS = 30_000;

/**
 * The types that a service needs, as its server describes them (gRPC server reflection, v1 and else v1alpha). Rejects with a
 * ConnectorError: not retriable when the server has not that service, or describes it wrongly, or has no reflection and
 * UNIMPLEMENTED is among the codes that are not; retriable when the connection fails or time runs out.
 */
export async function reflect(channel: Channel, options: ReflectOptions): Promise<FileRegistry> {
  const timeoutMs = options.timeoutMs === 0 ? DEFAULT_TIMEOUT_MS : options.timeoutMs;
  const late = new AbortController();
  const timer = options.clock.after(timeoutMs, () => {
    late.abort(
      new ConnectorError('timeout', `${channel.peer} did not answer reflection within ${timeoutMs} ms`),
    );
  });
  const signal = AbortSignal.any([options.signal, late.signal]);
  try {
    for (const path of reflectionPaths) {
      const files = await describedBy(channel, { ...options, signal, path });
      if (files !== undefined) return registryOf(files);
    }
  } finally {
    timer.cancel();
  }
  const problem = 'grpc.proto.descriptor is not set, and the server offers no reflection';
  if (options.failOn.has('UNIMPLEMENTED')) throw invalidDescriptor(problem);
  throw new ConnectorError('handshake_rejected', `${channel.peer}: ${problem}`);
}

/** The types in what a server answered. */
function registryOf(files: readonly Uint8Array[]): FileRegistry {
  try {
    return fileRegistry([{ from: 'an answer of the server', files }], { complete: true });
  } catch (thrown) {
    const { code, message } = ConnectorError.from(thrown);
    const text = `${message}; the server describes itself wrongly or in part, configure grpc.proto.descriptor`;
    throw keyProblem('grpc.proto.descriptor', text, { code, cause: thrown });
  }
}

/** The files of the service; undefined when this version of reflection is not offered. */
async function describedBy(
  channel: Channel,
  options: DialogueOptions & { readonly service: string },
): Promise<readonly Uint8Array[] | undefined> {
  const dialogue = startDialogue(channel, options);
  try {
    return await serviceFiles(dialogue, { ...options, peer: channel.peer });
  } catch (thrown) {
    if (isConnectorError(thrown) && thrown.code === 'unsupported') return undefined;
    throw thrown;
  } finally {
    dialogue.close();
  }
}

/** Whom is asked, and how what it says is shown. */
interface Speaker {
  readonly peer: string;
  readonly print: (text: string) => string;
}

async function serviceFiles(
  dialogue: Dialogue,
  { service, ...speaker }: Speaker & { readonly service: string },
): Promise<readonly Uint8Array[]> {
  const first = await dialogue.ask({ kind: 'fileContainingSymbol', text: service });
  if (first?.kind === 'error' && first.code === statusCodes.NOT_FOUND)
    throw await unknownService(dialogue, service, speaker);
  const found = new FoundFiles();
  found.add(filesOf(first, speaker));
  for (let missing = found.missing(); missing.length > 0; missing = found.missing()) {
    await Promise.all(missing.map((each) => importedFile(dialogue, each, { found, speaker })));
  }
  return found.bytes();
}

async function importedFile(
  dialogue: Dialogue,
  { name, importer }: Missing,
  { found, speaker }: { readonly found: FoundFiles; readonly speaker: Speaker },
): Promise<void> {
  const answer = await dialogue.ask({ kind: 'fileByFilename', text: name });
  const isUnknown = answer?.kind === 'error' && answer.code === statusCodes.NOT_FOUND;
  if (!isUnknown) found.add(filesOf(answer, speaker));
  if (found.has(name)) return;
  if (!wellKnownFiles.has(name)) {
    throw invalidDescriptor(
      `file ${shownName(name)}, imported by ${shownName(importer)}, is not described by the server`,
    );
  }
  found.skip(name);
}

function filesOf(answer: Answer | undefined, { peer, print }: Speaker): readonly Uint8Array[] {
  if (answer?.kind === 'files') return answer.files;
  const detail = answer?.kind === 'error' ? `error ${answer.code} "${print(answer.message)}"` : 'no file';
  throw new ConnectorError('protocol_error', `${peer} answered reflection with ${detail}`);
}

/** With the names of the services that the server has, when it lists them. */
async function unknownService(dialogue: Dialogue, service: string, { print }: Speaker): Promise<Error> {
  try {
    const answer = await dialogue.ask({ kind: 'listServices', text: '' });
    return serviceNotFound(service, answer?.kind === 'services' ? answer.names.map(print) : []);
  } catch {
    return serviceNotFound(service, []); // what was to be found out is known; this was for a hint
  }
}
