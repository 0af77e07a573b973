import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { type FileDescriptorProto, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';

const buf = createRequire(import.meta.url).resolve('@bufbuild/buf/bin/buf');
/** The folder of the .proto files. */
export const protoFolder: string = fileURLToPath(new URL('proto', import.meta.url));

/**
 * The descriptor set of all files in `proto`, with their imports: `teststream/stream.proto` (the smallest service, and
 * methods that are not server-streaming), `common.proto`, `rich.proto` (one of everything) and `legacy.proto` (proto2).
 * Compiled when first asked for, once per test file.
 */
export function testDescriptor(): Uint8Array {
  compiled ??= compile();
  return compiled;
}

let compiled: Uint8Array | undefined;

/** The files of {@link testDescriptor} by name. */
export function testFiles(): ReadonlyMap<string, FileDescriptorProto> {
  const { file } = fromBinary(FileDescriptorSetSchema, testDescriptor());
  return new Map(file.map((each) => [each.name, each]));
}

/** A serialized descriptor set of the given files. */
export function descriptorSet(files: Iterable<FileDescriptorProto>): Uint8Array {
  return toBinary(FileDescriptorSetSchema, { $typeName: FileDescriptorSetSchema.typeName, file: [...files] });
}

function compile(): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), 'levada-descriptor-'));
  try {
    const output = join(folder, 'set.binpb');
    execFileSync(process.execPath, [buf, 'build', protoFolder, '--as-file-descriptor-set', '-o', output], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, BUF_CACHE_DIR: folder, HOME: folder },
    });
    return readFileSync(output);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
