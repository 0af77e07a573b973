import {
  create,
  createFileRegistry,
  type DescEnum,
  type DescExtension,
  type DescField,
  type DescMessage,
  equals,
  type FileRegistry,
  fromBinary,
  isFieldSet,
} from '@bufbuild/protobuf';
import { nestedTypes, protoCamelCase } from '@bufbuild/protobuf/reflect';
import {
  type DescriptorProto,
  FieldDescriptorProtoSchema,
  type FileDescriptorProto,
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
} from '@bufbuild/protobuf/wkt';
import { isConnectorError } from '@levada/connect-runtime-core';
import { shownName } from '../model/shown-name.ts';
import { checkFile } from './check-file.ts';
import { checkReferences } from './check-references.ts';
import { completed } from './complete-files.ts';
import { inImportOrder } from './file-order.ts';
import { invalidDescriptor } from './invalid-descriptor.ts';
import { fileMeter, reason } from './set-files.ts';
import { symbolTable } from './symbols.ts';
import { checkWellKnown, wellKnownFiles } from './well-known-files.ts';

/** Serialized `FileDescriptorProto`s that came together, and where from, for errors. */
export interface FileSet {
  readonly from: string;
  readonly files: readonly Uint8Array[];
}

/** How files are read. */
export interface RegistryOptions {
  /** Whether names of types and imports that are left out are {@link completed}. Default: such files are refused. */
  readonly complete?: boolean;
}

/**
 * The types of all files together. They may come in any order, and sets may overlap. Throws an `Invalid proto descriptor`
 * error for everything that a compiler would have refused, and for more than 100 000 message types.
 */
export function fileRegistry(sets: readonly FileSet[], options: RegistryOptions = {}): FileRegistry {
  try {
    const given = merged(sets);
    const files = inImportOrder(options.complete === true ? completed(given) : given);
    checkReferences(files, symbolTable(files));
    const registry = createFileRegistry(create(FileDescriptorSetSchema, { file: [...files] }));
    checkWellKnown(registry);
    for (const file of registry.files) for (const type of nestedTypes(file)) checkType(type);
    return registry;
  } catch (thrown) {
    if (isConnectorError(thrown)) throw thrown;
    throw invalidDescriptor(reason(thrown), { cause: thrown });
  }
}

function merged(sets: readonly FileSet[]): ReadonlyMap<string, FileDescriptorProto> {
  const files = new Map<string, FileDescriptorProto>();
  // All of it is measured before any of it is parsed.
  for (const set of measured(sets)) {
    const own = new Set<string>();
    for (const bytes of set.files) {
      const file = parsed(bytes, set.from);
      const other = files.get(file.name);
      if (own.has(file.name) || (other !== undefined && !isSame(file, other))) {
        const where = own.has(file.name) ? '' : ' with different content';
        throw invalidDescriptor(`file ${shownName(file.name)} is there twice${where}`);
      }
      own.add(file.name);
      if (other === undefined) files.set(file.name, file);
    }
  }
  if (files.size === 0) throw invalidDescriptor('it holds no files');
  return files;
}

/** Compilers bring their own releases of the well-known files; which of them counts makes no difference. */
function isSame(file: FileDescriptorProto, other: FileDescriptorProto): boolean {
  return wellKnownFiles.has(file.name) || equals(FileDescriptorProtoSchema, file, other);
}

function measured(sets: readonly FileSet[]): readonly FileSet[] {
  const meter = fileMeter();
  return sets.map(({ from, files }) => ({
    from,
    files: files.map((bytes) => readable(from, () => meter.measure(bytes))),
  }));
}

function parsed(bytes: Uint8Array, from: string): FileDescriptorProto {
  const file = readable(from, () => fromBinary(FileDescriptorProtoSchema, bytes));
  file.messageType.forEach(restoreJsonNames);
  checkFile(file);
  return file;
}

/** What reading of wire bytes answers, or that they are something else. */
function readable<T>(from: string, read: () => T): T {
  try {
    return read();
  } catch (thrown) {
    if (isConnectorError(thrown)) throw thrown;
    throw invalidDescriptor(`${from} is not a descriptor set (${reason(thrown)})`, { cause: thrown });
  }
}

/** Descriptors inside programs, as reflection answers them, often leave out what follows from the name. */
function restoreJsonNames(message: DescriptorProto): void {
  for (const field of message.field) {
    if (!isFieldSet(field, FieldDescriptorProtoSchema.field.jsonName))
      field.jsonName = protoCamelCase(field.name);
  }
  message.nestedType.forEach(restoreJsonNames);
}

/** What can only be checked once features are resolved: open enums begin with zero, and defaults are values of their type. */
function checkType(type: DescMessage | DescEnum | DescExtension | { readonly kind: 'service' }): void {
  if (type.kind === 'enum' && type.open && type.values[0]?.number !== 0) {
    throw invalidDescriptor(`the first value of enum ${shownName(type.typeName)} is not zero`);
  }
  if (type.kind === 'extension') checkDefault(type);
  if (type.kind === 'message') type.fields.forEach(checkDefault);
}

function checkDefault(field: DescField | DescExtension): void {
  if (!('getDefaultValue' in field) || field.getDefaultValue === undefined) return;
  const text = field.proto.defaultValue;
  let cause: unknown;
  try {
    const value = field.getDefaultValue();
    if (!Number.isNaN(value) || /^-?nan$/.test(text)) return;
  } catch (thrown) {
    cause = thrown;
  }
  throw invalidDescriptor(`field ${shownName(field.name)} has a default that is not of its type`, { cause });
}
