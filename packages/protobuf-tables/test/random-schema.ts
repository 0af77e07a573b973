import { create, createFileRegistry, type DescMessage, type FileRegistry } from '@bufbuild/protobuf';
import { type FileDescriptorProto, FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import fc from 'fast-check';
import { randomSource } from './random-source.ts';
import { type SchemaLimits, SchemaWriter } from './schema-writer.ts';
import { WKT_FILES } from './well-known-files.ts';

export interface RandomSchema {
  readonly seed: number;
  readonly file: FileDescriptorProto;
  readonly registry: FileRegistry;
  /** The message that is converted. */
  readonly root: DescMessage;
}

/** A schema from a seed. */
export function randomSchema(seed: number, limits: SchemaLimits = {}): RandomSchema {
  const file = create(FileDescriptorProtoSchema, new SchemaWriter(randomSource(seed), limits).file());
  const registry = registryOf(file);
  const prefix = file.package === '' ? '' : `${file.package}.`;
  const root = registry.getMessage(`${prefix}M0`);
  if (root === undefined) throw new Error(`the schema of seed ${seed} has no root`);
  return { seed, file, registry, root };
}

/** A registry of one file and the well-known types it imports. */
export function registryOf(file: FileDescriptorProto): FileRegistry {
  return createFileRegistry(file, (name) => WKT_FILES.find((wkt) => wkt.proto.name === name));
}

/** Schemas for property tests. They do not shrink; a failing message does (see reduce-case.ts). */
export function randomSchemas(limits: SchemaLimits = {}): fc.Arbitrary<RandomSchema> {
  return seeds().map((seed) => randomSchema(seed, limits));
}

export function seeds(): fc.Arbitrary<number> {
  return fc.noShrink(fc.integer({ min: 0, max: 0xffffffff }));
}
