import type { FileRegistry } from '@bufbuild/protobuf';
import { descriptorSources, MAX_DESCRIPTOR_BYTES } from './descriptor-source.ts';
import { fileRegistry } from './file-registry.ts';
import { protoFileSet } from './proto/proto-file-set.ts';
import { filesOfSet } from './set-files.ts';

/**
 * Reads `grpc.proto.descriptor`: a path, several paths with commas between, or base64. A path that ends in `.proto` is that of
 * the source, whose imports are looked for in `importPaths`, or else in its folder. Files are read once, at most 16 MiB of
 * them, and reading never blocks. Throws a ConnectorError with a message that begins with `Invalid proto descriptor`, code
 * `file_unreadable` when a file cannot be read and `config_invalid` for all else.
 */
export function readDescriptor(text: string, importPaths: readonly string[] = []): FileRegistry {
  const { sets, protoPaths } = descriptorSources(text);
  const given = sets.map((source) => ({ from: source.from, files: filesOfSet(source) }));
  if (protoPaths.length === 0) return fileRegistry(given);
  const options = { folders: importPaths, maxBytes: MAX_DESCRIPTOR_BYTES };
  return fileRegistry([...given, protoFileSet(protoPaths, options)]);
}
