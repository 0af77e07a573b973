import type { FileRegistry } from '@bufbuild/protobuf';
import { descriptorSources } from './descriptor-source.ts';
import { fileRegistry } from './file-registry.ts';
import { filesOfSet } from './set-files.ts';

/**
 * Reads `grpc.proto.descriptor`: a path, several paths with commas between, or base64. Files are read once, at most 16 MiB of
 * them, and reading never blocks. Throws a ConnectorError with a message that begins with `Invalid proto descriptor`, code
 * `file_unreadable` when a file cannot be read and `config_invalid` for all else.
 */
export function readDescriptor(text: string): FileRegistry {
  const sources = descriptorSources(text);
  return fileRegistry(sources.map((source) => ({ from: source.from, files: filesOfSet(source) })));
}
